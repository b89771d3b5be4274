# Drives PyPI's python-quickbooks, with Intuit's own intuit-oauth for its tokens.

from intuitlib.client import AuthClient
from intuitlib.enums import Scopes
from program import balance, consent, equal, query_of, step, task
from quickbooks import QuickBooks
from quickbooks.objects.account import Account
from quickbooks.objects.company_info import CompanyInfo
from quickbooks.objects.journalentry import JournalEntry

expected = task["expected"]["quickbooks"]
client = task["registered"]["quickbooks"]
company = expected["company"]
opened = {}


@step("tokens")
def _():
    auth = AuthClient(
        client["client_id"], client["client_secret"], client["redirect_uri"], "production"
    )
    url = auth.get_authorization_url([Scopes.ACCOUNTING])
    callback = query_of(consent(url, [company["id"]]))
    auth.get_bearer_token(callback["code"], realm_id=callback["realmId"])
    opened["quickbooks"] = QuickBooks(
        auth_client=auth,
        refresh_token=auth.refresh_token,
        company_id=auth.realm_id,
        minorversion=75,
    )


quickbooks = opened.get("quickbooks")


@step("company")
def _():
    found = CompanyInfo.get(company["companyId"], qb=quickbooks)
    equal(found.CompanyName, company["name"])


@step("accounts")
def _():
    equal(Account.count(qb=quickbooks), expected["accounts"]["active"])


@step("journals")
def _():
    found = JournalEntry.all(max_results=1000, qb=quickbooks)
    equal(len(found), len(expected["journals"]["posted"]))


@step("trial balance")
def _():
    period = {"start_date": "2026-01-01", "end_date": "2026-02-28"}
    parameters = {**period, "accounting_method": "Accrual"}
    report = quickbooks.get_report("TrialBalance", parameters)
    balances = {
        row["ColData"][0]["id"]: balance(row["ColData"][1]["value"], row["ColData"][2]["value"])
        for row in report["Rows"]["Row"]
        if "ColData" in row
    }
    equal(balances, expected["trialBalance"])


@step("refresh")
def _():
    auth = quickbooks.auth_client
    before = auth.refresh_token
    auth.refresh()
    assert auth.refresh_token != before
