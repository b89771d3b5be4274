"""Sends requests of the ledger, and repeats those that failed for a while."""

import random
import time
import uuid
from collections.abc import Mapping
from typing import Any

import httpx

# Longer pauses are for the caller to decide.
MAXIMUM_SECONDS = 60.0


class LedgerError(Exception):
    """A request that failed. ``code`` is ``no_reply`` if nothing readable came back."""

    def __init__(self, status: int | None, error: Mapping[str, Any]) -> None:
        self.status = status
        self.code: str = error.get("code", "no_reply")
        self.details: list[dict[str, Any]] = error.get("details", [])
        self.request_id: str | None = error.get("request_id")
        self.retryable: bool = (
            error.get("retryable", False) or status is None or status >= 500
        )
        super().__init__(f"{self.code}: {error.get('message', 'no readable reply')}")


def _failure_of(reply: httpx.Response) -> LedgerError:
    try:
        return LedgerError(reply.status_code, reply.json()["error"])
    except (ValueError, KeyError, TypeError):
        return LedgerError(reply.status_code, {"message": reply.text[:200]})


class Transport:
    """``attempts`` is how often a call is tried. The service answers within 29 seconds."""

    def __init__(
        self, base_url: str, api_key: str, *, attempts: int = 5, timeout_seconds: float = 35.0
    ) -> None:
        self._attempts = attempts
        self._http = httpx.Client(
            base_url=base_url, headers={"X-API-Key": api_key}, timeout=timeout_seconds
        )

    def close(self) -> None:
        self._http.close()

    def get(self, path: str, query: Mapping[str, Any]) -> Any:
        fields = {name: value for name, value in query.items() if value is not None}
        braces = {name for name in fields if f"{{{name}}}" in path}
        for name in braces:
            path = path.replace(f"{{{name}}}", str(fields.pop(name)))
        texts = {
            name: str(value).lower() if isinstance(value, bool) else value
            for name, value in fields.items()
        }
        return self._send("GET", path, params=texts)

    def post(self, path: str, body: Mapping[str, Any], idempotency_key: str | None = None) -> Any:
        """Every attempt has the same Idempotency-Key, so the write is done once."""
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        return self._send("POST", path, json=body, headers=headers)

    def _send(self, method: str, path: str, **request: Any) -> Any:
        attempt = 1
        while True:
            retry_after = 0.0
            try:
                reply = self._http.request(method, path, **request)
                if reply.is_success:
                    return reply.json()["data"]
                failure = _failure_of(reply)
                retry_after = float(reply.headers.get("Retry-After", 0))
            except httpx.TransportError as error:
                failure = LedgerError(None, {"message": str(error)})
                failure.__cause__ = error
            seconds = retry_after + random.random() * min(8.0, 0.25 * 2**attempt)
            if attempt >= self._attempts or not failure.retryable or seconds > MAXIMUM_SECONDS:
                raise failure
            time.sleep(seconds)
            attempt += 1
