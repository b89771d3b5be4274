"""Writes accountingledger/calls.py: a method for each endpoint of the OpenAPI document."""

import json
import keyword
import sys
from pathlib import Path

document = json.loads(Path(sys.argv[1]).read_text())
components = document["components"]["schemas"]
TYPES = {"integer": "int", "boolean": "bool", "number": "float"}


def name_in(schema: dict) -> str:
    """The name of a component."""
    return schema["$ref"].rsplit("/", 1)[1]


def content_of(part: dict) -> str:
    return name_in(part["content"]["application/json"]["schema"])


def data_of(operation: dict) -> str:
    """The type of the data in a reply."""
    reply = components[content_of(operation["responses"]["200"])]
    return f"schemas.{name_in(reply['properties']['data'])}"


def method_of(path: str, http_method: str, operation: dict) -> str:
    name = operation["operationId"].replace("-", "_")
    summary = f'        """{operation["summary"]}."""'
    data = data_of(operation)
    if http_method == "post":
        body = content_of(operation["requestBody"])
        return f'''    def {name}(
        self, body: schemas.{body}, *, idempotency_key: str | None = None
    ) -> {data}:
{summary}
        return cast({data}, self.post("{path}", body, idempotency_key))'''
    fields, query = [], []
    parameters = [it for it in operation.get("parameters", []) if it["in"] in ("query", "path")]
    for parameter in sorted(parameters, key=lambda it: not it.get("required", False)):
        field = parameter["name"] + ("_" if keyword.iskeyword(parameter["name"]) else "")
        kind = TYPES.get(parameter["schema"].get("type"), "str")
        optional = "" if parameter.get("required") else " | None = None"
        fields.append(f"{field}: {kind}{optional}")
        query.append(f'"{parameter["name"]}": {field}')
    arguments = ", ".join(["self", *(["*"] if fields else []), *fields])
    return f'''    def {name}({arguments}) -> {data}:
{summary}
        return cast({data}, self.get("{path}", {{{", ".join(query)}}}))'''


methods = [
    method_of(path, http_method, operation)
    for path, operations in document["paths"].items()
    for http_method, operation in operations.items()
]
print('"""The calls of the ledger. Generated: do not edit."""\n')
print("from typing import cast\n\nfrom . import schemas\nfrom .transport import Transport\n\n")
print("class Calls(Transport):\n" + "\n\n".join(methods))
