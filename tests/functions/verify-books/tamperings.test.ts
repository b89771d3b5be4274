// What somebody does who can write to the table but has no key of the authenticators, and what
// notices it: a request, the verification, or a digest that the customer has stored. The reference
// shows this table.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { openRecordedBooks } from '#shared/operator/recorded-books.store.ts';
import { openRecordedTotals } from '#shared/operator/recorded-totals.store.ts';
import { verifyTenant } from '#shared/verification/verify-tenant.service.ts';
import { entryOfMove } from '../../support/builders/moves.ts';
import { openTenantCalls } from '../../support/harnesses/calls.ts';
import { openCarrying } from '../../support/harnesses/instances.ts';
import { openVerifiedTable } from '../../support/harnesses/verifying.ts';
import type { RawItem } from '../../support/readers/item-kinds.ts';
import { openSlice } from '../../support/slices.ts';

const { ledger, name, call, post, send } = await openTenantCalls();
const { table: verifiedTable, altered } = openVerifiedTable(ledger);

const first = { ...entryOfMove({ date: '2026-03-20', amount: '5.00' }), external_id: 'first' };
const once = { headers: { 'Idempotency-Key': 'once' } };
const ofYear = { from: '2026-01-01', to: '2026-12-31' };

/** Requests that read what may be altered. */
const requests = {
  entry: () => send('listEntries', {}),
  scheduled: () => send('getEntry', { journal_number: 'MJ-20260321-0001' }),
  repeat: () => send('createEntry', first, once),
  ledger: () => send('getAccountLedger', { account: '1010', ...ofYear }),
  report: () => send('getTrialBalance', ofYear),
  equity: () => send('getChangesInEquity', ofYear),
  chart: () => send('listAccounts', {}),
  tenant: () => send('getTenant', {}),
  audit: () => send('listChanges', {}),
};
type Request = keyof typeof requests;

/** What notices an alteration, besides the verification: a request that reads it, or a digest. */
type Noticed = Request | 'all' | 'digest' | 'nothing';

type Change = (item: RawItem, items: ReadonlyMap<string, RawItem>) => RawItem;
type Tampering = [title: string, sk: string, change: Change | 'removed', noticed: Noticed];

const put =
  (changes: RawItem): Change =>
  (item) => ({ ...item, ...changes });
const without =
  (...fields: string[]): Change =>
  (item) =>
    Object.fromEntries(Object.entries(item).filter(([field]) => !fields.includes(field)));
const lineOf =
  (changes: RawItem): Change =>
  (item) => {
    const [line = {}, ...others] = item.lines as RawItem[];
    return { ...item, lines: [{ ...line, ...changes }, ...others] };
  };
const rowsOf =
  (amount: string | RegExp, other: string): Change =>
  (item) => ({ ...item, rows: String(item.rows).replace(amount, other) });
const copyOf =
  (source: string): Change =>
  ({ sk }, items) => ({ ...items.get(source), sk });

const entry = 'ENTRY#2026-03-20#MJ#000000001';
const second = 'ENTRY#2026-03-20#MJ#000000002';
const scheduled = 'ENTRY#2026-03-21#MJ#000000001';
const revaluation = 'ENTRY#2026-03-23#RV#000000001';
const sheet = 'SEQUENCE#2026-03-20#MJ';
const totals = 'CARRIED#2026-02-28#001';
const marker = `SCHEDULED#2026-09-01#${scheduled}`;
const onceKey = 'IDEMPOTENCY#once';
const otherId = '2d25b440-0000-8020-8000-000000000000';

const tamperings: Tampering[] = [
  ['the memo of an entry', entry, put({ memo: 'Gift' }), 'entry'],
  ['the amounts of a line', entry, lineOf({ debit: '7.00', reportingDebit: '7.00' }), 'entry'],
  ['the account of a line', entry, lineOf({ account: '1000' }), 'entry'],
  ['the class of a line', entry, lineOf({ lineClass: 'investing' }), 'entry'],
  ['the key that created an entry', entry, put({ createdWithKey: 'other' }), 'entry'],
  ['the time of posting', entry, put({ postedAt: '2020-01-01T00:00:00.000Z' }), 'entry'],
  ['the metadata of an entry', entry, put({ metadata: { approved: 'yes' } }), 'entry'],
  ['the exchange rate of an entry', entry, put({ exchangeRate: '2.00000000000' }), 'entry'],
  ['the hash of an entry', entry, put({ hash: 'f'.repeat(64) }), 'entry'],
  ['the place of an entry on its date', entry, put({ postingSequence: 2 }), 'entry'],
  ['an entry without its authenticator', entry, without('mac', 'metadata'), 'entry'],
  ['an entry in the place of another', second, copyOf(entry), 'entry'],
  ['an entry that is removed', second, 'removed', 'ledger'],
  ['an entry that is marked as reversed', entry, put({ reversedBy: otherId }), 'nothing'],
  [
    'the currency that a revaluation adjusts',
    revaluation,
    lineOf({ revaluedCurrency: 'GBP' }),
    'entry',
  ],
  [
    'the amounts of a revaluation',
    revaluation,
    lineOf({ debit: '7.00', bookDebit: '7.00' }),
    'entry',
  ],
  ['an amount of a scheduled entry', scheduled, lineOf({ debit: '900.00' }), 'entry'],
  [
    'a scheduled entry that is marked as cancelled',
    scheduled,
    put({ status: 'cancelled' }),
    'entry',
  ],
  ['a scheduled entry that is taken off its date', marker, 'removed', 'nothing'],
  ['one row of a day sheet', sheet, rowsOf('44c', '3e8'), 'report'],
  ['the rows of a day sheet, still balanced', sheet, rowsOf(/44c/g, '3e8'), 'report'],
  ['the head of a day sheet', sheet, put({ head: 'f'.repeat(64) }), 'report'],
  ['the number of entries of a day sheet', sheet, put({ counted: 1 }), 'report'],
  ['the last number of a day sheet', sheet, put({ lastSequence: 7 }), 'report'],
  ['a day sheet without its authenticator', sheet, without('mac'), 'report'],
  ['a day sheet that is removed', sheet, 'removed', 'digest'],
  ['totals carried forward, still balanced', totals, rowsOf(/64/g, '96'), 'report'],
  ['the hashes of carried months', 'CARRIED', put({ hashes: '' }), 'digest'],
  ['the guard of an external_id that is removed', 'EXT#first', 'removed', 'nothing'],
  [
    'the guard of an external_id, for another entry',
    'EXT#first',
    put({ entrySk: second }),
    'repeat',
  ],
  ['the guard of an Idempotency-Key that is removed', onceKey, 'removed', 'nothing'],
  [
    'the guard of an Idempotency-Key, for another entry',
    onceKey,
    put({ entrySk: second }),
    'repeat',
  ],
  ['the type of an account', 'ACCOUNT#4010', put({ type: 'expense' }), 'chart'],
  ['the class of an account', 'ACCOUNT#1500', put({ cashFlow: 'operating' }), 'chart'],
  ['the status of an account', 'ACCOUNT#4010', put({ status: 'archived' }), 'chart'],
  ['the currency of the tenant', 'TENANT', put({ currency: 'USD' }), 'all'],
  ['the lock of the tenant', 'TENANT', put({ lockDate: '2025-01-31' }), 'nothing'],
  ['the fiscal year of the tenant', 'TENANT', put({ financialYearEnd: '06-30' }), 'nothing'],
  ['who made a change', 'HISTORY#000000002', put({ actorId: 'other' }), 'audit'],
  ['the last change that is removed', 'HISTORY#000000002', 'removed', 'nothing'],
  ['the count of changes', 'COUNT#ACCOUNTS', put({ changes: 1 }), 'nothing'],
];

const pk = `APP#${name.applicationId}#TENANT#${name.schemaName}`;
const readItems = async () =>
  new Map((await ledger.scan()).filter((it) => it.pk === pk).map((it) => [String(it.sk), it]));

const verify = () =>
  verifyTenant(name, {
    books: openRecordedBooks(verifiedTable, altered),
    recordedTotals: async () => openRecordedTotals(verifiedTable),
    sleep: async () => {},
    repair: false,
    isStopped: () => false,
  });

let digest: unknown;
beforeAll(async () => {
  await post({ date: '2026-02-10', amount: '1.00' });
  await openCarrying(ledger.table)('2026-03-24T01:00:00.000Z');
  await send('createEntry', { ...first, metadata: { source: 'feed' } }, once);
  await post({ date: '2026-03-20', amount: '6.00' });
  await post({ date: '2026-03-21', accrual_date: '2026-09-01', amount: '9.00' });
  await post({ date: '2026-03-22', amount: '7.00', currency: 'USD' });
  await call('postRevaluation', { as_of: '2026-03-23' });
  await call('updateTenant', { lock_date: '2026-01-31' });
  digest = (await requests.report()).body.data.digest;
});

describe('somebody alters', () => {
  test.each(openSlice()(tamperings, 12))('%s', async (_, sk, change, noticed) => {
    const items = await readItems();
    const item = items.get(sk);
    if (item === undefined) throw new Error(`there is no item ${sk}`);
    if (change === 'removed')
      await ledger.table.consume({ pk, sk }, { condition: 'sk = :sk', values: { ':sk': sk } });
    else await ledger.tamper(change(item, items));
    const refused: string[] = [];
    for (const [title, request] of Object.entries(requests)) {
      if (noticed === 'nothing' && title === 'repeat') continue;
      if ((await request()).status === 500) refused.push(title);
    }
    const { status, body } = await requests.report();
    const { differences } = await verify();
    await ledger.tamper(item);
    expect(differences).not.toEqual([]);
    if (noticed === 'all') expect(refused).toEqual(Object.keys(requests));
    else if (noticed === 'nothing' || noticed === 'digest') expect(refused).toEqual([]);
    else expect(refused).toContain(noticed);
    expect(refused.includes('equity')).toBe(refused.includes('report'));
    if (status === 200) expect(body.data.digest === digest).toBe(noticed !== 'digest');
    expect(await verify()).toMatchObject({ differences: [] });
  });
});

describe('the verification finds that the guard of an Idempotency-Key is removed, of', () => {
  const [date, dollars] = ['2026-03-23', { transactionCurrency: 'USD', exchange_rate: '0.9' }];
  const move = { ...entryOfMove({ date, amount: '8.00' }), ...dollars };
  const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });
  const post = (key: string) => call('createEntry', move, keyed(key));
  const postMany = (key: string, ...entries: object[]) =>
    call('createEntries', { journal_entries: entries }, keyed(key));
  const batch = () => postMany('batch', { ...move, external_id: 'known' }, move);
  /** The first entry was recorded with another key. */
  const mixed = () => postMany('mixed', { ...move, external_id: 'known' }, move);
  /** How many of the entries of the sheet were recorded with a key, and how many remain. */
  type Counts = [expected: string, found: string];
  test.each<[key: string, write: () => Promise<unknown>, counts: Counts]>([
    ['batch', batch, ['2', '0']],
    [
      'reversal',
      () => call('reverseEntry', { journal_number: 'MJ-20260323-0001', date }, keyed('reversal')),
      ['3', '2'],
    ],
    [
      'revaluation',
      () => call('postRevaluation', { as_of: '2026-03-24' }, keyed('revaluation')),
      ['1', '0'],
    ],
    [
      'scheduled',
      () => call('createEntry', { ...move, accrual_date: '2026-09-01' }, keyed('scheduled')),
      ['4', '3'],
    ],
    ['combined', () => Promise.all(['other', 'combined'].map(post)), ['6', '5']],
    ['mixed', mixed, ['7', '6']],
  ])('%s', async (key, write, counts) => {
    await write();
    const sk = `IDEMPOTENCY#${key}`;
    const guard = (await readItems()).get(sk);
    await ledger.table.consume({ pk, sk }, { condition: 'sk = :sk', values: { ':sk': sk } });
    const { differences } = await verify();
    await ledger.tamper(guard ?? {});
    expect(differences.map(({ expected, found }) => [expected, found])).toEqual([counts]);
    expect(await verify()).toMatchObject({ differences: [] });
  });
});

const columns: Readonly<Record<Noticed, string>> = {
  entry: 'requests that read the entry',
  scheduled: 'requests that read the entry',
  repeat: 'the repeated request',
  ledger: 'the account ledger',
  report: 'reports and posts',
  equity: 'reports and posts',
  chart: 'requests that read the account',
  tenant: 'requests that read the tenant',
  audit: 'the list of changes',
  all: 'all requests',
  digest: 'a stored digest differs',
  nothing: '',
};

test('the reference has the table', () => {
  const reference = readFileSync('infra/docs/reports.md', 'utf8');
  const rows = tamperings.map(([title, , , noticed]) => `| ${title} | ${columns[noticed]} | yes |`);
  expect(reference).toContain(rows.join('\n'));
  expect(rows.length).toBeGreaterThanOrEqual(30);
});
