"""Uses the package in a scratch project, against the service on this machine."""

import base64
import os
import time
from datetime import datetime, timedelta, timezone

import httpx
from accountingledger import schemas
from accountingledger.client import Ledger, LedgerError
from accountingledger.webhooks import WebhookError, verify_webhook
from standardwebhooks.webhooks import Webhook

URL, KEY, SANDBOX = (os.environ[it] for it in ("LEDGER_URL", "LEDGER_KEY", "SANDBOX_URL"))
ledger = Ledger(URL, KEY)

user = ledger.ensure_user(
    {
        "email": "guido@example.com",
        "password": "the quick brown fox",
        "first_name": "Guido",
        "last_name": "Rossum",
    }
)
tenant = ledger.create_tenant(
    {
        "user_id": user["user_id"],
        "platform": "manual",
        "cash_flow_method": "direct",
        "company_name": "Interpreters",
        "currency": "EUR",
    }
)
domain_url = tenant["tenant_domain_url"]
lines: list[schemas.JournalLine] = [
    {"account": "1010", "debit": "1.00"},
    {"account": "4010", "credit": "1.00"},
]
CREATE = "/external/v1/journal_entries/create/"


def fail(failure: str, path: str, times: int = 1) -> None:
    query = f"path={path}&failure={failure}&times={times}"
    httpx.post(f"{SANDBOX}/rehearsals?{query}").raise_for_status()


def post(memo: str = "Consulting", by: Ledger = ledger) -> schemas.CreatedJournalEntry:
    return by.create_journal_entry(
        {
            "domain_url": domain_url,
            "date": "2026-03-23",
            "memo": memo,
            "transactionCurrency": "EUR",
            "reportingCurrency": "EUR",
            "entries": lines,
        }
    )


# A write is done once, whichever replies fail before.
for failure, replayed in [
    ("throttled", False),
    ("unavailable", False),
    ("timed_out", True),
    ("reply_lost", True),
]:
    fail(failure, CREATE, 1 if replayed else 2)
    assert post()["replayed"] is replayed, failure
fail("reply_lost", "/external/v1/journal_entries/list/")
listed = ledger.every(ledger.list_journal_entries, domain_url=domain_url, limit=3)
numbers = [it["journal_number"] for it in listed]
assert numbers == [f"MJ-20260323-000{it}" for it in (4, 3, 2, 1)], numbers

fail("unavailable", CREATE)
try:
    post(by=Ledger(URL, KEY, attempts=1))
    raise AssertionError("the one attempt failed")
except LedgerError as error:
    assert error.status == 503 and error.retryable

entry: schemas.JournalEntryRequest = {
    "date": "2026-03-24",
    "memo": "Consulting",
    "transactionCurrency": "EUR",
    "reportingCurrency": "EUR",
    "entries": lines,
}
many = [entry] * 60
for replayed in (False, True):
    batches = ledger.post_entries(domain_url, many, idempotency_key="import-8")
    found = [
        sum(it["replayed"] is replayed for it in batch["journal_entries"]) for batch in batches
    ]
    assert found == [25, 25, 10], found

try:
    post(memo=" ")
    raise AssertionError("the memo is blank")
except LedgerError as error:
    problem = error.details[0]
    assert (error.code, problem["pointer"]) == ("validation_failed", "/memo")
    assert error.request_id

# A type checker finds an amount that is not text.
number: schemas.JournalLine = {"account": "1010", "debit": 1}  # type: ignore[typeddict-item]
assert number

# The feed gets its events within seconds.
sequences: list[int] = []
for _ in range(100):
    events = ledger.events(domain_url=domain_url, types="journal_entry.posted", limit=20)
    sequences = [event["sequence"] for event in events]
    if len(sequences) == 64:
        break
    time.sleep(0.2)
assert len(set(sequences)) == 64 and sequences == sorted(sequences)

# What the official library signs is verified, and nothing else.
secret, other = ("whsec_" + base64.b64encode(it * 32).decode() for it in (b"a", b"b"))
body = '{"sequence":7}'


def sign(secret_of: str, sent_at: datetime) -> dict[str, str]:
    return {
        "Webhook-Id": "evt_1",
        "Webhook-Timestamp": str(int(sent_at.timestamp())),
        "Webhook-Signature": Webhook(secret_of).sign("evt_1", sent_at, body),
    }


now = datetime.now(timezone.utc)
headers = sign(secret, now)
assert verify_webhook(headers, body, secret) == {"sequence": 7}
assert verify_webhook(headers, body.encode(), secret) == {"sequence": 7}
rotated = f"{sign(other, now)['Webhook-Signature']} v1a,x v1,? {headers['Webhook-Signature']}"
verify_webhook(headers | {"Webhook-Signature": rotated}, body, secret)
for refused, text in [
    (sign(other, now), body),
    (headers, '{"sequence":8}'),
    (headers | {"Webhook-Id": "evt_2"}, body),
    ({}, body),
    (sign(secret, now - timedelta(minutes=6)), body),
    (sign(secret, now + timedelta(minutes=6)), body),
]:
    try:
        verify_webhook(refused, text, secret)
        raise AssertionError(refused)
    except WebhookError:
        pass
