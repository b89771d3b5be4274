// Programs that use a generated client. Calls that the document forbids do not compile.

/** With the functions of @hey-api/openapi-ts. */
export const useOfFunctions = `import { createTenant, getCashFlow, getUserProfile } from './sdk';
import { createClient, createConfig } from './sdk/client';

const client = createClient(createConfig({ baseUrl: 'http://localhost:3000', auth: 'key' }));

export const namesOf = async (email: string): Promise<string[]> => {
  const { data, error } = await getUserProfile({ client, body: { email } });
  if (data === undefined) throw new Error(error?.error.code);
  return data.data.tenants.map(({ company_name }) => company_name);
};

export const profitOf = async (domain_url: string): Promise<string | undefined> => {
  const { data } = await getCashFlow({ client, query: { domain_url, method: 'indirect' } });
  const operating = data?.data.operating;
  return operating?.method === 'indirect' ? operating.profit : undefined;
};

const company = { cash_flow_method: 'direct', company_name: 'A', currency: 'EUR' } as const;
export const byHand = () =>
  createTenant({ client, body: { user_id: '7', platform: 'manual', ...company } });
export const withoutTokens = () =>
  // @ts-expect-error A company of this platform needs its tokens.
  createTenant({ client, body: { user_id: 7, platform: 'platform_a', ...company } });
`;

/**
 * With the package of openapi-python-client: every module of it is read. The argument is the path
 * of a file with replies of a later version.
 */
export const useOfPackage = `import importlib
import pkgutil

import accounting_ledger_client as package
from accounting_ledger_client.models import JournalLine

for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(module.name)

from accounting_ledger_client.models import CashFlow, DirectOperatingCashFlows
from accounting_ledger_client.models import IndirectOperatingCashFlows

nothing = {"accounts": [], "total": "0.00"}
section = {"separate_items": {}, **nothing}
direct = {"method": "direct", **section}
indirect = {
    "method": "indirect", "profit": "0.00", "items_of_other_sections": nothing,
    "movements": nothing, "without_cash": "0.00", "separate_items": {}, "total": "0.00",
}
models = [(direct, DirectOperatingCashFlows), (indirect, IndirectOperatingCashFlows)]
for operating, model in models:
    reply = {
        "tenant_domain_url": "acme", "company_name": "Acme", "currency": "EUR",
        "made_at": "2026-03-24T12:00:00.000Z", "coverage": "all_entries",
        "covered_from": None, "covered_to": None, "checked_at": None,
        "digest": "0" * 64, "entries_digest": "0" * 64, "from": "2026-01-01", "to": "2026-03-31",
        "operating": operating,
        "investing": section, "financing": section, "transfers": nothing,
        "effect_of_exchange_rates": "0.00", "unclassified": nothing, "net_change": "0.00",
        "opening_cash": "0.00", "closing_cash": "0.00", "cash_accounts": [],
        "non_cash_transactions": nothing,
    }
    assert isinstance(CashFlow.from_dict(reply).operating, model)

# Replies of a later version, with a field and words that this version does not know.
import json
import sys

for name, reply in json.load(open(sys.argv[1])):
    read = getattr(importlib.import_module("accounting_ledger_client.models"), name)
    written = json.dumps(read.from_dict(reply).to_dict())
    for part in ("a_word_of_the_next_version", "a_field_of_the_next_version"):
        assert written.count(part) == json.dumps(reply).count(part), (name, part)

line = {"account": "1010", "debit": "1.00"}
assert JournalLine.from_dict(line).to_dict() == line
`;
