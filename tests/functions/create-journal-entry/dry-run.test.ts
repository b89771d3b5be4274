import { beforeAll, describe, expect, test } from 'vitest';
import { sheetKey, tenantKey } from '#shared/table/keys.ts';
import { fullRows } from '../../support/builders/full-sheets.ts';
import { euroEntry } from '../../support/builders/requests.ts';
import { openTenantCalls, type Reply } from '../../support/harnesses/calls.ts';
import { jsonHeaders, problemsOf } from '../../support/readers/replies.ts';

const { ledger, name, send } = await openTenantCalls();
let stranger: string;
/** A date with so many accounts that no other fits. */
const fullDate = '2026-03-02';
const lockDate = '2026-02-28';

beforeAll(async () => {
  stranger = (await ledger.newOwner('bob@example.com')).userId;
  await ledger.seed({
    ...sheetKey(name, { series: 'MJ', date: fullDate }),
    lastSequence: 1,
    revision: 1,
    counted: 1,
    head: 'f'.repeat(64),
    rows: fullRows(),
  });
  await ledger.table.update({
    update: tenantKey(name),
    expression: 'SET lockDate = :date',
    values: { ':date': lockDate },
  });
});

const postMany = (journal_entries: object[], further: object = {}) =>
  send('createEntries', { journal_entries, ...further });

/** Sends a request as a dry run, which writes nothing, and then for real. */
const tryAndSend = async (send: (further: object) => Promise<Reply>) => {
  const before = await ledger.scan();
  const tried = await send({ dry_run: true });
  expect(await ledger.scan()).toEqual(before);
  return { tried, sent: await send({ dry_run: false }) };
};

const ways: [string, (entry: object) => (further: object) => Promise<Reply>][] = [
  ['create', (entry) => (further) => send('createEntry', { ...entry, ...further })],
  ['create_many', (entry) => (further) => postMany([entry], further)],
];

describe.each(ways)('a dry run of %s', (way, sending) => {
  const at = way === 'create' ? '' : '/journal_entries/0';
  const entryOf = ({ body }: Reply) =>
    way === 'create' ? body.data : body.data.journal_entries[0];

  test.each([
    ['posted', euroEntry({ metadata: { source: 'shop' } })],
    ['scheduled', euroEntry({ accrual_date: '2026-04-01' })],
    ['in another currency', euroEntry({ transactionCurrency: 'USD' })],
  ])('returns the entry without writing: %s', async (_, entry) => {
    const { tried, sent } = await tryAndSend(sending(entry));
    const unmade = { journal_entry_id: null, journal_number: null, posting_sequence: null };
    const times = { created_at: null, posted_at: null, hash: null };
    expect([tried.status, tried.headers]).toEqual([200, jsonHeaders]);
    expect(entryOf(tried)).toEqual({ ...entryOf(sent), ...unmade, ...times });
  });

  test('does not use up the external_id, and returns the original of a repeat', async () => {
    const entry = euroEntry({ external_id: `tried by ${way}` });
    const { sent } = await tryAndSend(sending(entry));
    expect(sent.headers).not.toHaveProperty('Idempotent-Replayed');
    const again = await tryAndSend(sending({ ...entry, memo: 'Other' }));
    expect(again.tried).toEqual(again.sent);
    expect(again.tried.headers).toMatchObject({
      'Idempotent-Replayed': 'true',
      'Idempotency-Mismatch': `${at}/memo`,
    });
  });

  test.each<[string, () => object, string]>([
    ['lines without accounts', () => ({ entries: [{}, {}] }), 'required'],
    ['a user that the tenant is not linked to', () => ({ user_id: stranger }), 'user_not_linked'],
    ['a locked period', () => ({ date: lockDate }), 'period_locked'],
    ['an accrual into it', () => ({ accrual_date: lockDate }), 'period_locked'],
    ['a date without room', () => ({ date: fullDate }), 'date_full'],
  ])('finds the same problems: %s', async (_, changes, code) => {
    const { tried, sent } = await tryAndSend(sending(euroEntry(changes())));
    expect(problemsOf(tried)).toEqual(problemsOf(sent));
    expect([tried.status, problemsOf(tried)[0]]).toEqual([422, expect.stringContaining(code)]);
  });
});

test('a full date is reported for the first entry on it', async () => {
  const onFull = { date: '2026-03-23', accrual_date: fullDate };
  const reply = await postMany([euroEntry(), euroEntry(onFull), euroEntry(onFull)]);
  expect(problemsOf(reply)).toEqual(['date_full /journal_entries/1/accrual_date']);
});

test('problems of a locked period are reported for each entry', async () => {
  const reply = await postMany([
    euroEntry({ date: lockDate }),
    euroEntry({ date: lockDate, accrual_date: '2026-03-01' }),
    euroEntry({ accrual_date: lockDate, user_id: stranger }),
  ]);
  expect(problemsOf(reply)).toEqual([
    'period_locked /journal_entries/0/date /journal_entries/2/accrual_date',
    'user_not_linked /journal_entries/2/user_id',
  ]);
});
