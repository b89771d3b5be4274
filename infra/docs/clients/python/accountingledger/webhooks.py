"""Verifies webhooks by the specification Standard Webhooks (standardwebhooks.com)."""

import base64
import binascii
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

# Older and newer deliveries are refused, so that nobody can send a recorded one again.
TOLERANCE_SECONDS = 300


class WebhookError(Exception):
    pass


def _signatures_in(header: str) -> list[bytes]:
    """Other versions of the specification, and what is not base64, do not count."""
    signatures = []
    for signature in header.split(" "):
        version, _, text = signature.partition(",")
        try:
            if version == "v1":
                signatures.append(base64.b64decode(text, validate=True))
        except binascii.Error:
            continue
    return signatures


def verify_webhook(headers: Mapping[str, str], body: str | bytes, secret: str) -> Any:
    """Returns the event of a delivery.

    It can come twice and out of order: handle each ``sequence`` once. ``body`` is the body as it
    came, unparsed; ``secret`` is ``whsec_…``. Raises WebhookError if it is not signed with the
    secret, or not sent within five minutes.
    """
    sent = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, timestamp, signature = (
            sent[f"webhook-{name}"] for name in ("id", "timestamp", "signature")
        )
        age = time.time() - int(timestamp)
    except (KeyError, ValueError) as error:
        raise WebhookError("a header is missing or not valid") from error
    if abs(age) > TOLERANCE_SECONDS:
        raise WebhookError("it was not sent just now")
    content = body if isinstance(body, bytes) else body.encode()
    signed = f"{message_id}.{timestamp}.".encode() + content
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = hmac.digest(key, signed, "sha256")
    if not any(hmac.compare_digest(expected, it) for it in _signatures_in(signature)):
        raise WebhookError("no signature is of this secret")
    return json.loads(content)
