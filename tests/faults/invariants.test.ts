// What looks for violations finds each of them: a table that is well, and everything that could be
// wrong with it, planted one at a time.

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { openAccounts } from '#shared/accounts/accounts.store.ts';
import { openImportedJournals } from '#shared/imports/imported-journals.store.ts';
import { makeImportedJournal } from '#shared/imports/imported-journals.ts';
import { entryOf } from '../support/builders/platform-journal.ts';
import { testQuotas } from '../support/builders/quotas.ts';
import { tokenFields } from '../support/builders/requests.ts';
import {
  ledgerTime,
  openSmallLedger,
  randomIds,
  smallChart,
} from '../support/builders/small-ledger.ts';
import { testSuffix } from '../support/builders/tenants.ts';
import { apiEvent, lambdaContext, readResult } from '../support/events/lambda-events.ts';
import { type Instance, openInstance } from '../support/harnesses/instances.ts';
import { account, journal } from '../support/harnesses/tenant-imports.ts';
import { noHash } from '../support/readers/entry-hashes.ts';
import { findViolations } from '../support/readers/invariants.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';
import { openFakePlatform } from '../support/servers/fake-platform.ts';
import { entries, startOfAuthorization } from './scenarios.ts';

const ledger = await openSmallLedger();
const { applicationId, user } = ledger;
const fake = openFakePlatform();
const connected = { applicationId, schemaName: `acme_works_${testSuffix}` };

const send = async (
  handler: Instance['createEntry'],
  event: APIGatewayProxyEvent,
): Promise<void> => {
  expect(readResult(await handler(event, lambdaContext())).status).toBe(200);
};

/** A table with something of every kind in it. */
const fill = async (): Promise<RawItem[]> => {
  const { table, scan } = await ledger.copy();
  const { platforms } = fake;
  const clock = () => new Date(ledgerTime);
  const ids = { ...randomIds, newSuffix: () => testSuffix };
  const instance = openInstance({ table, clock, ids, platforms, keys: ledger.keys });
  for (const body of Object.values(entries)) {
    await send(instance.createEntry, apiEvent({ applicationId, body }));
  }
  const body = {
    user_id: user.userId,
    platform: 'platform_a',
    cash_flow_method: 'direct',
    ...tokenFields(fake.issueTokens()),
    platform_company_id: fake.company.companyId,
  };
  const headers = { 'Idempotency-Key': 'key-1' };
  await send(instance.createTenant, apiEvent({ applicationId, body, headers }));
  await send(instance.initiate, startOfAuthorization(ledger));
  const accounts = ['1', '2'].map((id) => account(id, { code: `100${id}` }));
  await openAccounts(table, testQuotas).record(connected, accounts);
  const { lines, ...imported } = journal('journal-1');
  const posted = makeImportedJournal(
    {
      ...imported,
      currency: 'EUR',
      lines: lines.map((line, place) => ({
        ...line,
        account: { ...account('1'), code: `100${place + 1}`, isCash: false },
      })),
    },
    { tenantCurrency: 'EUR', createdAt: ledgerTime },
  );
  await openImportedJournals(table).record(connected, [{ journal: entryOf(posted), origin: {} }]);
  return scan();
};

const items = await fill();
const options = { chartCodes: smallChart.map(({ code }) => code) };

const itemOf = (sk: RegExp): RawItem => items.find((item) => sk.test(String(item.sk))) ?? {};

/** The items with these changed: fields to set, a change to make, or `null` to take them away. */
type Change = RawItem | ((item: RawItem) => RawItem) | null;

/** Changes the items of this sort key (and this partition, if one is given). */
const plant = (sk: RegExp, change: Change, pk = /./): RawItem[] => {
  const isMeant = (item: RawItem): boolean => sk.test(String(item.sk)) && pk.test(String(item.pk));
  expect(items.filter(isMeant), 'what is to be wrong is there').not.toEqual([]);
  const changed = (item: RawItem): RawItem[] => {
    if (change === null) return [];
    return [typeof change === 'function' ? change(structuredClone(item)) : { ...item, ...change }];
  };
  return items.flatMap((item) => (isMeant(item) ? changed(item) : [item]));
};

const firstLine =
  (changed: RawItem): Change =>
  (item) => {
    const [line, ...lines] = item.lines as RawItem[];
    return { ...item, lines: [{ ...line, ...changed }, ...lines] };
  };
const movedTo =
  (pk: string): Change =>
  (item) => ({ ...item, pk });

const rowsWith =
  (pattern: RegExp, text: string): Change =>
  (item) => ({ ...item, rows: String(item.rows).replace(pattern, text) });

const first = /^ENTRY#2026-03-23#MJ#000000001$/;
const second = /^ENTRY#2026-03-23#MJ#000000002$/;
const scheduled = /^ENTRY#2026-03-23#MJ#000000003$/;
const earlier = /^ENTRY#2026-03-23#MJ#000000004$/;
const long = /^ENTRY#2026-03-23#MJ#000000005$/;
const sheet = /^SEQUENCE#2026-03-23#MJ$/;
const earlierSheet = /^SEQUENCE#2026-03-20#MJ$/;
const acme = /#TENANT#acme_k7m2xq$/;
const works = /#TENANT#acme_works_k7m2xq$/;

test('a table that is well has no violations, and holds something of every kind', () => {
  expect(findViolations(items, options)).toEqual([]);
  const sorts = items.map(({ sk }) => String(sk)).join('\n');
  const kinds = ['KEY#', 'STATE', 'IDEMPOTENCY', 'REF#', 'EXT#', 'LINES#', 'ACCOUNTID#', 'IMPORT'];
  for (const kind of kinds) expect(sorts).toContain(kind);
});

/** What is said, where these items are changed. */
type Row = [said: RegExp, sk: RegExp, change: Change, pk?: RegExp];

const planted: Row[] = [
  [/not the form/, /^USER$/, { userId: 7 }],
  [/has the content of/, /^ACCOUNT#1010$/, { code: '1011' }],
  [/cash in one statement/, /^ACCOUNT#1010$/, { subtype: 'current_asset' }],
  [/is not what APPS/, /^APP$/, { name: 'Other' }],
  [/is not what/, /^USERID$/, null],
  [/of another id/, /^USERID$/, movedTo(`APP#${applicationId}#USERID#77`)],
  [/no password/, /^PASSWORD$/, null],
  [/\(password\) is there without/, /^USER$/, null],
  [/\(tenant link\) is there without/, /^TENANT$/, null, acme],
  [/linked to no user/, /^TENANT#acme_k7m2xq$/, null],
  [/own its domain/, /^DOMAIN$/, null, /acme_k7m2xq$/],
  [/own its domain/, /^DOMAIN$/, { applicationId: 'app2' }, /acme_k7m2xq$/],
  [/of its chart lacks 1/, /^ACCOUNT#4010$/, null],
  [/connected in part/, /^CONNECTION$/, null],
  [/connected in part/, /^IMPORT$/, null],
  [/connected in part/, /^COMPANY$/, null],
  [/connected elsewhere/, /^CONNECTION$/, { companyId: 'other' }],
  [/as its tokens ask for/, /^CONNECTION$/, { due_pk: undefined }],
  [/due index does not show/, /^IMPORT$/, { due_sk: undefined }],
  [/its tenant is importing/, /^IMPORT$/, { status: 'complete' }],
  [/its tenant active/, /^TENANT$/, { status: 'active' }, works],
  [/tenant's import has failed/, /^TENANT$/, { status: 'import_failed' }, works],
  [/does not agree/, /^ACCOUNT#1001$/, { platformAccountId: '9' }],
  [/is not what its id leads to/, /^ACCOUNTID#1$/, { code: '1002' }],
  [/\(repeat\) is there without/, /^IDEMPOTENCY$/, { schemaName: 'gone' }],
  [/\(pending authorization\) is there without/, /^STATE$/, { email: 'nobody@example.com' }],
  [/has the content of RATES/, /^2026-03-20$/, { date: '2026-03-21' }, /^RATES$/],
  [/no business in the due index/, /^TENANT$/, { due_pk: 'DUE#1' }, acme],
  [/numbers 1, 3, 4, 5$/, second, null],
  [/says 6, and has 5/, sheet, { lastSequence: 6 }],
  [/is missing/, sheet, null],
  [/is missing/, earlierSheet, null],
  [/not the form of a sheet/, sheet, { rows: 7 }],
  [/says 1, and has 0 entries/, earlierSheet, { lastSequence: 1 }],
  [/revision 0, after 1 to 5 changes/, sheet, { revision: 0 }],
  [/revision 6, after 1 to 5 changes/, sheet, { revision: 6 }],
  [/counts 4, and is that of 3/, sheet, { counted: 4 }],
  [/posting sequences 1, 3, 3/, second, { postingSequence: 3 }],
  [/a hash that is not its/, first, { memo: 'Changed' }],
  [/a hash that is not its/, long, { hash: noHash }],
  [/not the last of its chain/, sheet, { head: noHash }],
  [/in the row of 1010 USD/, sheet, rowsWith(/^1010\tUSD\t\d+/m, '1010\tUSD\t1')],
  [/has undefined in the row of 4010/, sheet, rowsWith(/\n4010\t\t.*/, '')],
  [/in the row of 4010, and/, sheet, rowsWith(/^(4010\t\t.*\t)\d.*$/m, '$1')],
  [/rows that cannot be read/, sheet, rowsWith(/$/, '\n1010\t\t1\t\t')],
  [/rows that cannot be read/, sheet, rowsWith(/$/, '\n1020\t\t1e3\t\t')],
  [/no place among what counts/, first, { hash: undefined }],
  [/counts already/, scheduled, { hash: noHash }],
  [/not named by .*SCHEDULED#2026-04-01/, /^SCHEDULED#/, null],
  [/not named by .*ACCRUAL#2026-03-20/, /^ACCRUAL#/, null],
  [
    /no entry that is posted for 2026-03-21/,
    /^ACCRUAL#/,
    (item) => ({ ...item, sk: `${item.sk}`.replace('2026-03-20', '2026-03-21') }),
  ],
  [
    /no entry that is posted for 2026-04-01/,
    /^SCHEDULED#/,
    (item) => ({ ...item, sk: `${item.sk}`.replace('SCHEDULED', 'ACCRUAL') }),
  ],
  [/not the form of its kind/, /^ACCRUAL#/, { status: 'posted' }],
  [/has an id that says/, first, { entryId: '9ad8dd45-7df4-4f0b-8ab6-1e3c2d7a4b11' }],
  [/has an id that says .*"sequence":2/, first, { entryId: itemOf(second).entryId }],
  [/says of cash/, /^ACCOUNT#1010$/, { cashFlow: 'operating' }],
  [/says of cash/, /^ACCOUNT#4010$/, { cashFlow: 'cash' }],
  [/has book debits of/, earlier, firstLine({ bookDebit: '0.01' })],
  [/has a book amount of/, earlier, { bookExchangeRate: '0.87236633322' }],
  [/book side too many in 1/, earlier, firstLine({ bookCredit: '1.00' })],
  [/lacks book amounts/, earlier, { bookAmount: undefined }],
  [/lacks book amounts/, earlier, firstLine({ bookDebit: undefined })],
  [/beside the same ones/, first, { bookCurrency: 'EUR' }],
  [/has books in JPY/, earlier, { bookCurrency: 'JPY' }],
  [/has a reporting rate of/, earlier, { exchangeRate: '1.00000000001' }],
  [/is called MJ-20260323-0009/, first, { journalNumber: 'MJ-20260323-0009' }],
  [/is not what .*EXT#/, /^EXT#invoice-42$/, null],
  [/no entry that names it/, /^EXT#invoice-42$/, { entrySk: itemOf(second).sk }],
  [/is not what .*EXT#/, second, { externalId: 'invoice-42' }],
  [/no entry that names it/, /^REF#/, { entrySk: 'X' }],
  [/is not what .*REF#/, /^REF#/, null],
  [/has debits of/, first, firstLine({ debit: '66.68' })],
  [/has reporting debits of/, first, firstLine({ reportingDebit: '0.01' })],
  [/has credits of/, first, { transactionAmount: '100.01' }],
  [/which is not/, first, { exchangeRate: '0.87236633322' }],
  [/one side in line 1/, first, firstLine({ credit: '66.67' })],
  [/one side in line 1/, first, firstLine({ debit: '0.00', reportingDebit: '0.00' })],
  [/other lines than/, /#LINES#0*1$/, null],
  [/other lines than/, /#LINES#0*1$/, (item) => ({ ...item, sk: `${item.sk}`.replace('1', '2') })],
  [/other lines than/, long, { lineCount: 100 }],
  [/\(further lines\) is there without/, long, null],
  [/account 9999, which is not there/, first, firstLine({ account: '9999' })],
  [/more than one entry/, second, { entryId: itemOf(first).entryId }],
  [/in the due index by itself/, scheduled, { due_sk: '2026-04-02#x' }],
  [/for a date that is not due/, /^DUEDATE#/, null],
  [/elsewhere in the due index/, /^DUEDATE#/, { due_pk: 'DUE-DATE#9' }],
  [/elsewhere in the due index/, /^DUEDATE#/, { due_sk: '2026-04-02#x' }],
  [/not the form of its kind/, /^DUEDATE#/, { revision: 0 }],
  [/moment at which it was posted/, scheduled, { postedAt: ledgerTime }],
  [/has no place among what counts/, scheduled, { status: 'posted' }],
  [/nobody knows when/, first, { postedAt: null }],
  [/was posted later/, first, { postedAt: '2026-03-25T00:00:00.000Z' }],
  [/not the form of an entry/, first, { lines: 7 }],
];

test.each(planted)('%s is found where %s is wrong: %o', (said, sk, change, pk) => {
  expect(findViolations(plant(sk, change, pk), options)).toContainEqual(
    expect.stringMatching(said),
  );
});

test.each<[RegExp, RawItem]>([
  [/of no kind/, { pk: 'APP#1#USER', sk: 'X' }],
  [/there without/, { pk: `APP#${applicationId}#TENANT#gone`, sk: 'ACCOUNT#1' }],
  [/leads to another name/, { pk: 'APPS', sk: 'other', applicationId }],
  [
    /connected in part/,
    { ...itemOf(/^COMPANY$/), pk: `APP#${applicationId}#COMPANY#platform_a#2` },
  ],
])('%s is found where an item is too many', (said, item) => {
  expect(findViolations([...items, item], options)).toContainEqual(expect.stringMatching(said));
});

test('an entry that was due before the last run, and is not posted, is found', () => {
  const found = (dueUntil: string) => findViolations(items, { ...options, dueUntil });
  expect(found('2026-03-31')).toEqual([]);
  expect(found('2026-04-01')).toEqual([expect.stringMatching(/was due on 2026-04-01/)]);
});
