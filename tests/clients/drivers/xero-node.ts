// Drives npm's xero-node, Xero's own client.

import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { consent, expected, load, registered, step, sumOf } from './program.ts';

const { XeroClient } = load('xero-node');

const { company, companies, companyNames, accounts, journals, trialBalance, since } = expected.xero;
const { client_id: clientId, client_secret: clientSecret, redirect_uri } = registered.xero;
const tenantId = company.companyId;

const xero = new XeroClient({
  clientId,
  clientSecret,
  redirectUris: [redirect_uri],
  state: 'the state',
  httpTimeout: 20_000,
  scopes: [
    ...['openid', 'profile', 'email', 'offline_access'],
    ...['accounting.settings.read', 'accounting.manualjournals.read'],
    'accounting.reports.trialbalance.read',
  ],
});
const api = xero.accountingApi;

type Line = { lineAmount: number; taxAmount?: number };
type Journal = {
  narration: string;
  date: string;
  lineAmountTypes: string;
  journalLines: Line[];
  status: string;
};

const fingerprints = (found: Journal[]): string[] =>
  found
    .filter(({ status }) => status === 'POSTED')
    .map(({ narration, lineAmountTypes, journalLines }) => {
      const debits = journalLines.filter(({ lineAmount }) => lineAmount > 0);
      const taxes = lineAmountTypes === 'Exclusive' ? debits.map(({ taxAmount }) => taxAmount) : [];
      return `${narration} ${sumOf([...debits.map(({ lineAmount }) => lineAmount), ...taxes])}`;
    })
    .toSorted();

const idsOf = (found: { accountID: string }[]) => found.map(({ accountID }) => accountID);
const connectionNames = () =>
  xero.tenants.map(({ tenantName }: { tenantName: string }) => tenantName).toSorted();

await step('discovery', async () => {
  await xero.initialize();
  const { token_endpoint, revocation_endpoint } = xero.openIdClient.issuer.metadata;
  equal(token_endpoint, 'https://identity.xero.com/connect/token');
  equal(revocation_endpoint, 'https://identity.xero.com/connect/revocation');
});

await step('tokens by header with an id token', async () => {
  const url = await xero.buildConsentUrl();
  const tokens = await xero.apiCallback(await consent({ url, companies }));
  equal(tokens.claims().aud, clientId);
  // It counts down.
  ok(tokens.expires_in > 1700 && tokens.expires_in <= 1800);
});

await step('connections', async () => {
  await xero.updateTenants();
  deepEqual(connectionNames(), companyNames.toSorted());
});

await step('company', async () => {
  const [{ name, baseCurrency }] = (await api.getOrganisations(tenantId)).body.organisations;
  deepEqual([name, baseCurrency], [company.name, company.currency]);
});

await step('accounts', async () => {
  const found = (await api.getAccounts(tenantId)).body.accounts;
  equal(found.length, accounts.all);
  const nameless = found.filter(({ name }: { name?: string }) => name === undefined);
  equal(nameless.length, accounts.withoutAName);
});

await step('accounts by filter', async () => {
  const active = await api.getAccounts(tenantId, undefined, 'Status=="ACTIVE"');
  equal(active.body.accounts.length, accounts.active);
  const banks = await api.getAccounts(tenantId, undefined, 'Type=="BANK"');
  deepEqual(idsOf(banks.body.accounts), accounts.bankIds);
});

await step('an account by id', async () => {
  const { id, name } = accounts.child;
  const { body } = await api.getAccount(tenantId, id);
  deepEqual(
    body.accounts.map((found: { name: string }) => found.name),
    [name],
  );
});

await step('accounts modified since', async () => {
  const { body } = await api.getAccounts(tenantId, new Date(since));
  deepEqual(idsOf(body.accounts), accounts.changedIds);
});

const read = async (
  query: { modifiedSince?: Date; where?: string; order?: string },
  pageSize: number,
): Promise<Journal[]> => {
  const found: Journal[] = [];
  for (let page = 1; ; page += 1) {
    const { modifiedSince, where, order } = query;
    const words = [tenantId, modifiedSince, where, order, page, pageSize] as const;
    const { manualJournals } = (await api.getManualJournals(...words)).body;
    found.push(...manualJournals);
    if (manualJournals.length < pageSize) return found;
  }
};

await step('journals by page with their taxes', async () => {
  const found = await read({}, 100);
  deepEqual(fingerprints(found), journals.posted);
  equal(found.filter(({ status }) => status === 'DRAFT').length, journals.drafts);
});

await step('journals by filter and in order', async () => {
  const where = 'Status=="POSTED" AND Date>=DateTime(2026, 03, 01) AND Date<DateTime(2026, 04, 01)';
  const found = await read({ where, order: 'Date DESC' }, 100);
  deepEqual(fingerprints(found), journals.inMarch);
  const dates = found.map(({ date }) => Date.parse(date));
  deepEqual(
    dates,
    dates.toSorted((one, other) => other - one),
  );
});

await step('journals modified since', async () => {
  const found = await read({ modifiedSince: new Date(since) }, 100);
  deepEqual(fingerprints(found), journals.changed);
});

await step('a journal by id', async () => {
  const { body } = await api.getManualJournals(tenantId, undefined, undefined, undefined, 1, 1);
  const [listed] = body.manualJournals;
  const found = (await api.getManualJournal(tenantId, listed.manualJournalID)).body;
  deepEqual(fingerprints(found.manualJournals), fingerprints([listed]));
});

type Cell = { value: string; attributes?: { id: string; value: string }[] };
type Section = { rows?: { rowType: string; cells: Cell[] }[] };

await step('trial balance', async () => {
  const { reports } = (await api.getReportTrialBalance(tenantId, '2026-02-28', false)).body;
  const rows = reports[0].rows.flatMap((section: Section) => section.rows ?? []);
  const found = rows
    .filter(({ rowType }: { rowType: string }) => rowType === 'Row')
    .map(({ cells }: { cells: Cell[] }) => {
      const id = cells[0]?.attributes?.find((attribute) => attribute.id === 'account')?.value;
      const balance = Number(cells[3]?.value || 0) - Number(cells[4]?.value || 0);
      return [id, balance.toFixed(3)];
    });
  deepEqual(Object.fromEntries(found), trialBalance);
});

await step('refresh', async () => {
  const before = xero.readTokenSet().refresh_token;
  await xero.refreshToken();
  ok(xero.readTokenSet().refresh_token !== before);
  await xero.refreshWithRefreshToken(clientId, clientSecret, xero.readTokenSet().refresh_token);
  equal((await api.getOrganisations(tenantId)).body.organisations.length, 1);
});

const other = xero.tenants.find((tenant: { tenantId: string }) => tenant.tenantId !== tenantId);

await step('a call too many of an organisation', async () => {
  const calls = async () => {
    for (let made = 0; made < 60; made += 1) await api.getOrganisations(other.tenantId);
  };
  const { response } = JSON.parse(await calls().catch((refusal) => refusal));
  equal(response.statusCode, 429);
  equal(response.headers['x-rate-limit-problem'], 'minute');
  ok(response.headers['retry-after'] > 0);
});

await step('one of the connections ended', async () => {
  await xero.disconnect(other.id);
  await xero.updateTenants(false);
  deepEqual(connectionNames(), [company.name]);
});

await step('revoke', async () => {
  await xero.revokeToken();
  await rejects(api.getOrganisations(tenantId), (error) => String(error).includes('401'));
});
