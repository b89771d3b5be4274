# The gateway's own replies by the templates and headers that the API declares, which LocalStack
# keeps and does not use.

import re

from localstack.http import Response
from localstack.services.apigateway.next_gen.execute_api.gateway_response import (
    get_gateway_response_or_default,
)
from localstack.services.apigateway.next_gen.execute_api.handlers.gateway_exception import (
    GatewayExceptionHandler,
)

HEADER = "gatewayresponse.header."


def render(_, exception, context):
    """Fills in the request's id and what the authorizer said: all that the templates have."""
    declared = get_gateway_response_or_default(
        exception.type, context.deployment.rest_api.gateway_responses
    )
    content_type, template = next(iter(declared["responseTemplates"].items()))
    variables = context.context_variables
    said = {f"authorizer.{name}": it for name, it in variables.get("authorizer", {}).items()}
    values = {"requestId": variables["requestId"], **said}
    headers = {
        name.removeprefix(HEADER): value.strip("'")
        for name, value in declared["responseParameters"].items()
    }
    return Response(
        re.sub(r"\$context\.([\w.]+)", lambda found: str(values.get(found[1], "")), template),
        status=int(declared.get("statusCode") or exception.status_code or 500),
        headers={"Content-Type": content_type, **headers},
    )


def install():
    GatewayExceptionHandler.create_exception_response = render
