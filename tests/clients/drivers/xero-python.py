# Drives PyPI's xero-python, Xero's own client. It cannot exchange a code: programs use
# requests-oauthlib for that.

from datetime import date

from program import balance, consent, equal, query_of, step, task
from requests_oauthlib import OAuth2Session
from xero_python.accounting import AccountingApi
from xero_python.api_client import ApiClient, Configuration
from xero_python.api_client.oauth2 import OAuth2Token
from xero_python.identity import IdentityApi

expected = task["expected"]["xero"]
client = task["registered"]["xero"]
tenant = expected["company"]["companyId"]
scope = [
    *["offline_access", "accounting.settings.read"],
    "accounting.reports.trialbalance.read",
]
session = OAuth2Session(client["client_id"], redirect_uri=client["redirect_uri"], scope=scope)
tokens = {}
secrets = {"client_id": client["client_id"], "client_secret": client["client_secret"]}
api_client = ApiClient(
    Configuration(oauth2_token=OAuth2Token(**secrets)),
    oauth2_token_getter=lambda: tokens,
    oauth2_token_saver=tokens.update,
)
api = AccountingApi(api_client)


@step("tokens")
def _():
    url, _ = session.authorization_url("https://login.xero.com/identity/connect/authorize")
    code = query_of(consent(url, expected["companies"]))["code"]
    token_url = "https://identity.xero.com/connect/token"
    secret = client["client_secret"]
    tokens.update(session.fetch_token(token_url, code=code, client_secret=secret))


@step("connections")
def _():
    found = IdentityApi(api_client).get_connections()
    equal(sorted(it.tenant_name for it in found), sorted(expected["companyNames"]))


@step("accounts")
def _():
    equal(len(api.get_accounts(tenant).accounts), expected["accounts"]["all"])


@step("trial balance")
def _():
    report = api.get_report_trial_balance(tenant, date=date(2026, 2, 28), payments_only=False)
    rows = [row for section in report.reports[0].rows for row in section.rows or []]
    balances = {}
    for row in rows:
        if row.row_type.value == "Row":
            account = next(it.value for it in row.cells[0].attributes if it.id == "account")
            balances[account] = balance(row.cells[3].value, row.cells[4].value)
    equal(balances, expected["trialBalance"])


@step("refresh")
def _():
    before = tokens["refresh_token"]
    api_client.refresh_oauth2_token()
    assert tokens["refresh_token"] != before
    equal(len(api.get_organisations(tenant).organisations), 1)
