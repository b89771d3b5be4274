// What a caller writes with a generated client: it compiles, and what the document forbids does
// not.

/** With the functions of @hey-api/openapi-ts. */
export const useOfFunctions = `import { createTenant, getUserProfile } from './sdk';
import { createClient, createConfig } from './sdk/client';

const client = createClient(createConfig({ baseUrl: 'http://localhost:3000', auth: 'key' }));

export const namesOf = async (email: string): Promise<string[]> => {
  const { data, error } = await getUserProfile({ client, body: { email } });
  if (data === undefined) throw new Error(error?.error.code);
  return data.data.tenants.map(({ company_name }) => company_name);
};

const company = { cash_flow_method: 'direct', company_name: 'A', currency: 'EUR' } as const;
export const byHand = () =>
  createTenant({ client, body: { user_id: '7', platform: 'manual', ...company } });
export const withoutTokens = () =>
  // @ts-expect-error A company of this platform needs its tokens.
  createTenant({ client, body: { user_id: 7, platform: 'platform_a', ...company } });
`;

/** With the package of openapi-python-client: every module of it is read. */
export const useOfPackage = `import importlib
import pkgutil

import accounting_ledger_client as package
from accounting_ledger_client.models import JournalLine

for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(module.name)

line = {"account": "1010", "debit": "1.00"}
assert JournalLine.from_dict(line).to_dict() == line
`;
