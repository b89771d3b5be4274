// Drives npm's node-quickbooks, the client of QuickBooks Online that most programs for Node.js use.

import { deepEqual, equal, ok } from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { consent, expected, load, registered, step, sumOf } from './program.ts';

const QuickBooks = load('node-quickbooks');
const OAuthClient = load('intuit-oauth');
const { company, accounts, journals, trialBalance, since } = expected.quickbooks;
const { client_id: clientId, client_secret: clientSecret, redirect_uri } = registered.quickbooks;

await step('discovery', async () => {
  QuickBooks.TOKEN_URL = undefined;
  QuickBooks.setOauthVersion('2.0', false);
  for (let tries = 0; QuickBooks.TOKEN_URL === undefined && tries < 100; tries += 1)
    await pause(50);
  equal(QuickBooks.TOKEN_URL, 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer');
  equal(QuickBooks.REVOKE_URL, 'https://developer.api.intuit.com/v2/oauth2/tokens/revoke');
});

/** It cannot exchange a code; programs use intuit-oauth for that. */
const connect = async () => {
  const options = { clientId, clientSecret, environment: 'production', redirectUri: redirect_uri };
  const client = new OAuthClient(options);
  const url = client.authorizeUri({ scope: [OAuthClient.scopes.Accounting], state: 'the state' });
  await client.createToken(await consent({ url, companies: [company.id] }));
  const { access_token, refresh_token, realmId } = client.getToken();
  const words = [clientId, clientSecret, access_token, false, realmId, false, false, 75, '2.0'];
  return new QuickBooks(...words, refresh_token);
};

const quickbooks = await connect();

/** Calls a method of the client, which takes a callback. The result can contain a fault. */
// biome-ignore lint/suspicious/noExplicitAny: the client has no types.
const call = (method: string, ...words: unknown[]): Promise<any> =>
  new Promise((resolve, reject) => {
    quickbooks[method](...words, (error: unknown, found: unknown) =>
      error ? reject(error) : resolve(found),
    );
  });

type Line = {
  Amount: number;
  JournalEntryLineDetail: { PostingType: string; TaxAmount?: number; AccountRef?: object };
};
type Entry = {
  TxnDate: string;
  Id: string;
  PrivateNote: string;
  Line: Line[];
  TxnTaxDetail: { TaxLine?: unknown[] };
};

const fingerprints = (entries: readonly Entry[] = []): string[] =>
  entries
    .map(({ PrivateNote, Line }) => {
      const debits = Line.filter((line) => line.JournalEntryLineDetail.PostingType === 'Debit');
      const amounts = debits.flatMap((line) => [
        line.Amount,
        line.JournalEntryLineDetail.TaxAmount,
      ]);
      return `${PrivateNote} ${sumOf(amounts)}`;
    })
    .toSorted();

const findAccounts = async (criteria: unknown) =>
  (await call('findAccounts', criteria)).QueryResponse.Account ?? [];
const findEntries = async (criteria: unknown): Promise<Entry[]> =>
  (await call('findJournalEntries', criteria)).QueryResponse.JournalEntry ?? [];
const idsOf = (found: { Id: string }[]) => found.map(({ Id }) => Id);

await step('company', async () => {
  equal((await call('getCompanyInfo', company.companyId)).CompanyName, company.name);
  const { CurrencyPrefs } = await call('getPreferences');
  equal(CurrencyPrefs.HomeCurrency.value, company.currency);
});

await step('accounts by page', async () => {
  const criteria = [
    { field: 'Active', value: [true, false], operator: 'IN' },
    { field: 'fetchAll', value: true },
    { field: 'limit', value: 300 },
  ];
  const found = await findAccounts(criteria);
  equal(new Set(idsOf(found)).size, accounts.all);
  const nameless = found.filter(({ Name }: { Name?: string }) => Name === undefined);
  equal(nameless.length, accounts.withoutAName);
  equal((await findAccounts({ fetchAll: true })).length, accounts.active);
});

await step('accounts by filter', async () => {
  const { bankIds, child } = accounts;
  const banks = await findAccounts({ AccountType: 'Bank', AcctNum: ['1010', '1020', '1000'] });
  deepEqual(
    idsOf(banks.filter((found: { AccountSubType: string }) => found.AccountSubType === 'Checking')),
    bankIds,
  );
  const like = [
    { field: 'FullyQualifiedName', value: `%:${child.name}`, operator: 'LIKE' },
    { field: 'desc', value: 'Id' },
  ];
  const [found] = await findAccounts(like);
  deepEqual([found.Id, found.SubAccount, found.ParentRef.value], [child.id, true, child.parentId]);
});

await step('an account by id', async () => {
  equal((await call('getAccount', accounts.child.id)).Name, accounts.child.name);
  const refused = await call('getAccount', '987654').catch((error) => error.response?.data);
  equal(refused.Fault.Error[0].code, '610');
});

await step('counts', async () => {
  const counted = async (method: string, criteria: object) =>
    (await call(method, [{ count: true }, criteria])).QueryResponse.totalCount;
  equal(await counted('findJournalEntries', { field: 'limit', value: 10 }), journals.posted.length);
  const bank = { field: 'Active', value: [true, false], operator: 'IN' };
  equal(await counted('findAccounts', bank), accounts.all);
});

await step('journals by page with their taxes', async () => {
  const found = await findEntries({ fetchAll: true, limit: 50, asc: 'TxnDate' });
  deepEqual(fingerprints(found), journals.posted);
  const taxed = found.filter(({ TxnTaxDetail }) => TxnTaxDetail.TaxLine !== undefined);
  equal(taxed.length, journals.taxed);
  const lines = found.flatMap(({ Line }) => Line);
  const lacking = lines.filter((line) => line.JournalEntryLineDetail.AccountRef === undefined);
  equal(lacking.length, journals.withoutAnAccount);
});

await step('journals by filter and in order', async () => {
  const found = await findEntries([
    { field: 'TxnDate', value: '2026-03-01', operator: '>=' },
    { field: 'TxnDate', value: '2026-04-01', operator: '<' },
    { field: 'desc', value: 'TxnDate' },
  ]);
  deepEqual(fingerprints(found), journals.inMarch);
  const dates = found.map(({ TxnDate }) => TxnDate);
  deepEqual(dates, dates.toSorted().toReversed());
});

await step('a journal by id', async () => {
  const [listed] = await findEntries({ limit: 1 });
  deepEqual(await call('getJournalEntry', listed?.Id), listed);
});

await step('journals modified since', async () => {
  const found = await findEntries([
    { field: 'MetaData.LastUpdatedTime', value: since, operator: '>' },
  ]);
  deepEqual(fingerprints(found), journals.changed);
});

await step('changes with deletions', async () => {
  const entities = ['Account', 'JournalEntry'];
  const { CDCResponse } = await call('changeDataCapture', entities, new Date(since));
  const [changedAccounts, changedEntries] = CDCResponse[0].QueryResponse;
  deepEqual(idsOf(changedAccounts.Account), accounts.changedIds);
  const all: (Entry & { status?: string })[] = changedEntries.JournalEntry;
  const deleted = all.filter(({ status }) => status === 'Deleted');
  equal(deleted.length, journals.deleted);
  deepEqual(fingerprints(all.filter(({ status }) => status === undefined)), journals.changed);
});

type ReportRow = { group?: string; ColData?: { value: string; id: string }[] };

await step('trial balance', async () => {
  const period = { start_date: '2026-01-01', end_date: '2026-02-28' };
  const report = await call('reportTrialBalance', { ...period, accounting_method: 'Accrual' });
  const found = report.Rows.Row.flatMap(({ ColData: cells }: ReportRow) => {
    const [account, debit, credit] = cells ?? [];
    if (account === undefined) return [];
    return [[account.id, (Number(debit?.value || 0) - Number(credit?.value || 0)).toFixed(3)]];
  });
  deepEqual(Object.fromEntries(found), trialBalance);
});

await step('refresh', async () => {
  const { refreshToken } = quickbooks;
  await call('refreshAccessToken');
  ok(quickbooks.refreshToken !== refreshToken);
  equal((await call('getCompanyInfo', company.companyId)).CompanyName, company.name);
});

await step('revoke', async () => {
  const { token, realmId } = quickbooks;
  await call('revokeAccess', true);
  Object.assign(quickbooks, { token, realmId });
  const refused = await call('getPreferences').catch((error) => error.response?.status);
  equal(refused, 401);
});
