# Drives the clients of PyPI, one a run: Xero's own, Intuit's own, and python-quickbooks.

import json
import os
from datetime import datetime
from decimal import Decimal
from urllib.parse import parse_qs, urlsplit

import urllib3

TASK = json.loads(os.environ["CLIENT_TASK"])


class ForwardedConnection(urllib3.connection.HTTPConnection):
    """A connection to any https host, which ends at the forwarder and speaks plain HTTP."""

    default_port = 443
    is_verified = True

    def __init__(self, host, port=None, **options):
        known = ("timeout", "blocksize", "socket_options")
        super().__init__(host, port, **{name: options[name] for name in known if name in options})

    def _new_conn(self):
        address = ("127.0.0.1", TASK["forwarderPort"])
        return urllib3.util.connection.create_connection(address, self.timeout)


urllib3.connectionpool.HTTPSConnectionPool.ConnectionCls = ForwardedConnection


def consent(url, companies):
    """Has the user consent on the page at this URL; returns the callback's URL."""
    address = "http://127.0.0.1:%d/" % TASK["forwarderPort"]
    body = json.dumps({"url": url, "companies": companies})
    reply = urllib3.PoolManager().request("POST", address, body=body)
    assert reply.status == 200, reply.data.decode()
    return reply.data.decode()


def words_of(error):
    """What went wrong; Xero's errors can no more say it themselves, by urllib3's newer releases."""
    if hasattr(error, "http_resp"):
        return "%r %s %s" % (error, error.status, error.body)
    said = [repr(error)] + ["%s" % it for it in vars(error).values() if it is not None]
    return " ".join(said)


def step(name):
    """Runs a step and prints its outcome. A failure does not prevent the next steps."""

    def run(body):
        try:
            body()
            print(json.dumps({"step": name}), flush=True)
        except Exception as error:
            print(json.dumps({"step": name, "problem": words_of(error)[:600]}), flush=True)

    return run


def equal(found, expected):
    assert found == expected, "%r is not %r" % (found, expected)


def fingerprint(memo, debits):
    return "%s %s" % (memo, "{:.3f}".format(sum((Decimal(str(it)) for it in debits), Decimal(0))))


def refused(call, sign):
    try:
        call()
    except Exception as error:
        assert sign in words_of(error), words_of(error)
    else:
        raise AssertionError("it was not refused")


def drive_xero():
    from requests_oauthlib import OAuth2Session
    from xero_python.accounting import AccountingApi
    from xero_python.api_client import ApiClient
    from xero_python.api_client.configuration import Configuration
    from xero_python.api_client.oauth2 import OAuth2Token
    from xero_python.identity import IdentityApi

    expected, client = TASK["expected"]["xero"], TASK["registered"]["xero"]
    company, accounts, journals = (expected[it] for it in ("company", "accounts", "journals"))
    since = datetime.fromisoformat(expected["since"].replace("Z", "+00:00"))
    scopes = ["offline_access", "accounting.settings.read", "accounting.manualjournals.read"]
    tenant = company["companyId"]
    oauth = OAuth2Token(client_id=client["client_id"], client_secret=client["client_secret"])
    kept = {}
    api_client = ApiClient(
        Configuration(oauth2_token=oauth),
        oauth2_token_getter=lambda: kept,
        oauth2_token_saver=lambda token: kept.update(token),
    )
    accounting, identity = AccountingApi(api_client), IdentityApi(api_client)

    @step("tokens by body")
    def _():
        # xero-python leaves the trade of a code to the program's OAuth library.
        session = OAuth2Session(
            client["client_id"], redirect_uri=client["redirect_uri"], scope=scopes
        )
        url, _ = session.authorization_url("https://login.xero.com/identity/connect/authorize")
        token = session.fetch_token(
            "https://identity.xero.com/connect/token",
            authorization_response=consent(url, expected["companies"]).replace("http:", "https:"),
            client_secret=client["client_secret"],
            include_client_id=True,
        )
        fields = ("access_token", "refresh_token", "expires_in", "expires_at", "token_type")
        kept.update({name: token[name] for name in fields}, scope=scopes)

    @step("connections")
    def _():
        names = [connection.tenant_name for connection in identity.get_connections()]
        equal(sorted(names), sorted(expected["companyNames"]))

    @step("company")
    def _():
        [found] = accounting.get_organisations(tenant).organisations
        equal((found.name, found.base_currency.value), (company["name"], company["currency"]))

    @step("accounts")
    def _():
        found = accounting.get_accounts(tenant).accounts
        equal(len(found), accounts["all"])
        equal(len([it for it in found if it.name is None]), accounts["withoutAName"])

    @step("accounts by filter")
    def _():
        active = accounting.get_accounts(tenant, where='Status=="ACTIVE"', order="Code ASC")
        equal(len(active.accounts), accounts["active"])
        banks = accounting.get_accounts(tenant, where='Type=="BANK"').accounts
        equal([it.account_id for it in banks], accounts["bankIds"])

    @step("an account by id")
    def _():
        [found] = accounting.get_account(tenant, accounts["child"]["id"]).accounts
        equal(found.name, accounts["child"]["name"])

    @step("accounts modified since")
    def _():
        found = accounting.get_accounts(tenant, if_modified_since=since).accounts
        equal([it.account_id for it in found], accounts["changedIds"])

    def print_of(journal):
        lines = [it for it in journal.journal_lines if it.line_amount > 0]
        is_beside = journal.line_amount_types.value.lower() == "exclusive"
        taxes = [it.tax_amount for it in lines] if is_beside else []
        return fingerprint(journal.narration, [it.line_amount for it in lines] + taxes)

    def posted(found):
        return sorted(print_of(it) for it in found if it.status == "POSTED")

    def read(**query):
        found, page = [], 1
        while True:
            listed = accounting.get_manual_journals(tenant, page=page, page_size=100, **query)
            found += listed.manual_journals
            if len(listed.manual_journals) < 100:
                return found
            page += 1

    @step("journals by page with their taxes")
    def _():
        equal(posted(read()), journals["posted"])

    @step("journals by filter and in order")
    def _():
        dates = "Date>=DateTime(2026, 03, 01) AND Date<DateTime(2026, 04, 01)"
        found = read(where='Status=="POSTED" AND ' + dates, order="Date DESC")
        equal(posted(found), journals["inMarch"])
        equal([it.date for it in found], sorted((it.date for it in found), reverse=True))

    @step("journals modified since")
    def _():
        equal(posted(read(if_modified_since=since)), journals["changed"])

    @step("a journal by id")
    def _():
        listed = accounting.get_manual_journals(tenant, page=1, page_size=1).manual_journals[0]
        [found] = accounting.get_manual_journal(tenant, listed.manual_journal_id).manual_journals
        equal(print_of(found), print_of(listed))

    @step("refresh by body")
    def _():
        before = kept["refresh_token"]
        oauth.update_token(**kept)
        assert oauth.refresh_access_token(api_client)
        assert kept["refresh_token"] != before
        equal(len(accounting.get_organisations(tenant).organisations), 1)

    @step("one of the connections ended")
    def _():
        [other] = [it for it in identity.get_connections() if it.tenant_id != tenant]
        identity.delete_connection(other.id)
        equal([it.tenant_id for it in identity.get_connections()], [tenant])

    @step("revoke")
    def _():
        last = dict(kept)
        oauth.update_token(**kept)
        assert oauth.revoke_access_token(api_client)
        kept.update(last)
        refused(lambda: accounting.get_organisations(tenant), "401")


def connect_to_intuit():
    """Intuit's client with the user's tokens; it reads the discovery document when it is made."""
    from intuitlib.client import AuthClient
    from intuitlib.enums import Scopes

    client = TASK["registered"]["quickbooks"]
    words = (client["client_id"], client["client_secret"], client["redirect_uri"])
    intuit = AuthClient(*words, "production")
    url = intuit.get_authorization_url([Scopes.ACCOUNTING], state_token="the state")
    callback = consent(url, [TASK["expected"]["quickbooks"]["company"]["id"]])
    query = parse_qs(urlsplit(callback).query)
    intuit.get_bearer_token(query["code"][0], realm_id=query["realmId"][0])
    return intuit


def drive_intuit():
    made = {}

    @step("discovery and tokens by header")
    def _():
        intuit = made["intuit"] = connect_to_intuit()
        equal(intuit.token_endpoint, "https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer")
        equal(intuit.realm_id, TASK["expected"]["quickbooks"]["company"]["companyId"])
        equal(intuit.expires_in, 3600)

    @step("refresh")
    def _():
        intuit = made["intuit"]
        before = intuit.refresh_token
        intuit.refresh()
        assert intuit.refresh_token != before
        intuit.refresh(before)

    @step("revoke")
    def _():
        intuit = made["intuit"]
        last = intuit.refresh_token
        assert intuit.revoke()
        refused(lambda: intuit.refresh(last), "invalid_grant")


def drive_quickbooks():
    from quickbooks import QuickBooks
    from quickbooks.cdc import change_data_capture
    from quickbooks.objects import Account, CompanyInfo, JournalEntry, Preferences

    expected = TASK["expected"]["quickbooks"]
    company, accounts, journals = (expected[it] for it in ("company", "accounts", "journals"))
    intuit = connect_to_intuit()
    client = QuickBooks(
        auth_client=intuit,
        refresh_token=intuit.refresh_token,
        company_id=company["companyId"],
        minorversion=75,
    )

    def print_of(entry):
        details = [(it.Amount, it.JournalEntryLineDetail) for it in entry.Line]
        debits = [(amount, it) for amount, it in details if it.PostingType == "Debit"]
        amounts = [amount for amount, _ in debits] + [it.TaxAmount for _, it in debits]
        return fingerprint(entry.PrivateNote, amounts)

    def prints(entries):
        return sorted(map(print_of, entries))

    def pages(kind, size, **query):
        found, start = [], 1
        while True:
            listed = kind.filter(start_position=start, max_results=size, qb=client, **query)
            found += listed
            if len(listed) < size:
                return found
            start += size

    def ids_of(found):
        return [it.Id for it in found]

    @step("company")
    def _():
        equal(CompanyInfo.get(company["companyId"], qb=client).CompanyName, company["name"])
        currency = Preferences.get(qb=client).CurrencyPrefs.HomeCurrency
        equal(currency.value, company["currency"])

    @step("accounts by page queried in a body")
    def _():
        equal(len(set(ids_of(pages(Account, 300)))), accounts["active"])
        every = Account.where("Active IN (true, false)", max_results=1000, qb=client)
        equal(len(every), accounts["all"])
        equal(len(Account.all(order_by="Name DESC", max_results=7, qb=client)), 7)

    @step("accounts by filter")
    def _():
        banks = Account.filter(AccountType="Bank", Active=True, qb=client)
        checking = [it for it in banks if it.AccountSubType == "Checking"]
        equal(ids_of(checking), accounts["bankIds"])
        equal(ids_of(Account.choose(accounts["bankIds"], qb=client)), accounts["bankIds"])

    @step("an account by id")
    def _():
        found = Account.get(accounts["child"]["id"], qb=client)
        equal((found.Name, found.SubAccount), (accounts["child"]["name"], True))
        equal(found.ParentRef.value, accounts["child"]["parentId"])
        refused(lambda: Account.get("987654", qb=client), "ObjectNotFound")

    @step("counts")
    def _():
        equal(JournalEntry.count(qb=client), len(journals["posted"]))
        equal(Account.count("Active IN (true, false)", qb=client), accounts["all"])

    @step("journals by page with their taxes")
    def _():
        found = pages(JournalEntry, 50, order_by="TxnDate")
        equal(prints(found), journals["posted"])
        equal(len([it for it in found if it.TxnTaxDetail.TaxLine]), journals["taxed"])

    @step("journals by filter and in order")
    def _():
        where = "TxnDate >= '2026-03-01' AND TxnDate < '2026-04-01'"
        found = JournalEntry.where(where, order_by="TxnDate DESC", qb=client)
        equal(prints(found), journals["inMarch"])
        dates = [it.TxnDate for it in found]
        equal(dates, sorted(dates, reverse=True))

    @step("a journal by id")
    def _():
        [listed] = JournalEntry.all(max_results=1, qb=client)
        equal(print_of(JournalEntry.get(listed.Id, qb=client)), print_of(listed))

    @step("journals modified since")
    def _():
        where = "MetaData.LastUpdatedTime > '%s'" % expected["since"]
        equal(prints(JournalEntry.where(where, qb=client)), journals["changed"])

    @step("changes with deletions")
    def _():
        since = datetime.fromisoformat(expected["since"].replace("Z", "+00:00"))
        changes = change_data_capture([Account, JournalEntry], since, qb=client)
        equal(ids_of(changes.Account), accounts["changedIds"])
        entries = list(changes.JournalEntry)
        deleted = [it for it in entries if getattr(it, "status", None) == "Deleted"]
        equal(len(deleted), journals["deleted"])
        equal(prints(it for it in entries if it not in deleted), journals["changed"])

    @step("revoke")
    def _():
        assert intuit.revoke()
        refused(lambda: CompanyInfo.get(company["companyId"], qb=client), "Authorization")


DRIVERS = {
    "xero-python": drive_xero,
    "intuit-oauth": drive_intuit,
    "python-quickbooks": drive_quickbooks,
}

if __name__ == "__main__":
    DRIVERS[TASK["client"]]()
