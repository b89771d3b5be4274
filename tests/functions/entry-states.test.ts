// Every sequence of steps of an entry and its reversals, compared with a plain model. Each step is
// tried once from each reachable state.

import { expect, test } from 'vitest';
import { readRows } from '#shared/sheets/day-sheet.ts';
import { dueDatePlace } from '#shared/table/due-keys.ts';
import { type Key, tenantKey } from '#shared/table/keys.ts';
import { euroEntry } from '../support/builders/requests.ts';
import { openTenantCalls, type Reply } from '../support/harnesses/calls.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';
import { isWhole, openSlice } from '../support/slices.ts';

/** The maximum number of steps. */
const longest = 7;

/** Entries have the first day as their date, and the second as their accrual date. */
const [firstDay, secondDay] = ['2026-03-20', '2026-03-26'];
const today = ({ isLater }: Pick<State, 'isLater'>) => (isLater ? '2026-03-28' : '2026-03-24');

type Entry = {
  name: string | null;
  status: 'posted' | 'scheduled' | 'cancelled';
  day: string;
  /** Its place on its day, or 0 if it is not posted. */
  place: number;
  hasAccrual: boolean;
  reverses: number | null;
  reversedBy: number | null;
};
/** Entries of the first day by number. */
type State = { isLater: boolean; lock: string; entries: Entry[] };

type Step =
  | { do: 'create' | 'reverse'; accrual: boolean; name?: string }
  | { do: 'cancel' | 'reverse'; of: 'entry' | 'reversal'; accrual?: boolean }
  | { do: 'wait' | 'post what is due' }
  | { do: 'lock'; until: string };

const steps = {
  post: { do: 'create', accrual: false },
  schedule: { do: 'create', accrual: true },
  reverse: { do: 'reverse', accrual: false },
  'reverse later': { do: 'reverse', accrual: true },
  'reverse later by a name': { do: 'reverse', accrual: true, name: 'reversal' },
  'reverse the reversal': { do: 'reverse', of: 'reversal' },
  cancel: { do: 'cancel', of: 'entry' },
  'cancel the reversal': { do: 'cancel', of: 'reversal' },
  wait: { do: 'wait' },
  'post what is due': { do: 'post what is due' },
  'lock the first day': { do: 'lock', until: firstDay },
  'lock both days': { do: 'lock', until: secondDay },
  unlock: { do: 'lock', until: '2026-01-01' },
} as const satisfies Record<string, Step>;
type StepName = keyof typeof steps;

/** The code of a refusal, `replayed` or `done`. */
type Answer = string;

const entryName = 'entry';
const originalOf = ({ entries }: State): Entry | undefined =>
  entries.find(({ name }) => name === entryName);
const lastReversal = ({ entries }: State): number =>
  entries.findLastIndex(({ reverses }) => reverses !== null);

/** Puts an entry on its day. */
const count = (state: State, entry: Entry): void => {
  const places = state.entries.map((it) => (it.day === entry.day ? it.place : 0));
  entry.status = 'posted';
  entry.place = Math.max(0, ...places) + 1;
};

const add = (
  state: State,
  { accrual, ...given }: Pick<Entry, 'name' | 'reverses'> & { accrual: boolean },
): void => {
  const day = accrual ? secondDay : firstDay;
  const entry: Entry = {
    ...given,
    day,
    hasAccrual: accrual,
    status: 'scheduled',
    place: 0,
    reversedBy: null,
  };
  if (day <= today(state) || !accrual) count(state, entry);
  state.entries.push(entry);
};

const create = (state: State, { accrual }: { accrual: boolean }): Answer => {
  if (originalOf(state)) return 'replayed';
  if ((accrual ? secondDay : firstDay) <= state.lock) return 'validation_failed';
  add(state, { name: entryName, accrual, reverses: null });
  return 'done';
};

const reverse = (
  state: State,
  { of = 'entry', accrual = false, name }: { of?: string; accrual?: boolean; name?: string },
): Answer => {
  const { entries } = state;
  const place =
    of === 'entry' ? entries.findIndex((it) => it.name === entryName) : lastReversal(state);
  const original = entries[place];
  if (original === undefined) return 'journal_entry_not_found';
  const isNameUsed = name !== undefined && entries.some((it) => it.name === name);
  if (isNameUsed || original.reversedBy !== null) return 'replayed';
  if (original.reverses !== null) return 'entry_is_a_reversal';
  if (original.status !== 'posted') return 'entry_not_posted';
  const day = accrual ? secondDay : firstDay;
  if (day <= state.lock || day < original.day) return 'validation_failed';
  original.reversedBy = entries.length;
  add(state, { name: name ?? null, accrual, reverses: place });
  return 'done';
};

const cancel = (state: State, { of }: { of: string }): Answer => {
  const entry = of === 'entry' ? originalOf(state) : state.entries[lastReversal(state)];
  if (entry === undefined) return 'journal_entry_not_found';
  if (entry.status === 'cancelled') return 'replayed';
  if (entry.status === 'posted') return 'entry_not_scheduled';
  entry.status = 'cancelled';
  const original = entry.reverses === null ? undefined : state.entries[entry.reverses];
  if (original) original.reversedBy = null;
  return 'done';
};

const lock = (state: State, { until }: { until: string }): Answer => {
  if (until >= today(state)) return 'validation_failed';
  const isDue = state.entries.some((it) => it.status === 'scheduled' && it.day <= until);
  // Only a lock that moves forward checks for due entries.
  if (isDue && until > state.lock) return 'scheduled_entries_due';
  state.lock = until;
  return 'done';
};

/** The model's reply to a step, and its state after the step. */
const expectedOf = (before: State, name: StepName): { answer: Answer; state: State } => {
  const state = structuredClone(before);
  const step: Step = steps[name];
  const answer = (() => {
    if (step.do === 'create') return create(state, step);
    if (step.do === 'reverse') return reverse(state, step);
    if (step.do === 'cancel') return cancel(state, step);
    if (step.do === 'lock') return lock(state, step);
    if (step.do === 'wait') state.isLater = true;
    else {
      const due = state.entries.filter((it) => it.status === 'scheduled' && it.day <= today(state));
      for (const entry of due) count(state, entry);
    }
    return 'done';
  })();
  return { answer, state };
};

const draw = openSlice();
const { ledger, name: firstName, time, send } = await openTenantCalls();

const itemsOf = (schemaName: string): Promise<RawItem[]> =>
  ledger.table.query({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': tenantKey({ applicationId: 'app1', schemaName }).pk },
  });

/** The item in the books of another tenant. */
const movedTo = (schemaName: string, item: RawItem): RawItem => {
  const key: Key = { ...tenantKey({ applicationId: 'app1', schemaName }), sk: String(item.sk) };
  const isTenant = item.schemaName !== undefined;
  const isDue = item.due_sk !== undefined;
  return {
    ...item,
    ...key,
    ...(isTenant && { schemaName, prefix: schemaName }),
    ...(isDue && dueDatePlace(key)),
  };
};

/** The state that the stored items describe. */
const stateOf = (items: readonly RawItem[], { isLater }: Pick<State, 'isLater'>) => {
  const stored = items.filter(({ kind }) => kind === 'entry');
  const placeOf = (id: unknown): number | null => {
    const place = stored.findIndex(({ entryId }) => entryId === id);
    return id === undefined ? null : place;
  };
  const entries = stored.map(
    (it): Entry => ({
      name: (it.externalId as string | null) ?? null,
      status: it.status as Entry['status'],
      day: String(it.accrualDate ?? it.date),
      place: Number(it.postingSequence ?? 0),
      hasAccrual: it.accrualDate !== null,
      reverses: placeOf(it.reverses),
      reversedBy: placeOf(it.reversedBy),
    }),
  );
  const lockDate = items.find(({ sk }) => sk === 'TENANT')?.lockDate;
  return { isLater, lock: String(lockDate ?? '2026-01-01'), entries };
};

/** The other items of the entries: sheets, markers, due dates and guards. */
const furtherOf = (items: readonly RawItem[]) => ({
  sheets: items
    .filter(({ sk }) => String(sk).startsWith('SEQUENCE#'))
    .map((it) => ({
      day: String(it.sk).split('#')[1],
      lastSequence: it.lastSequence,
      counted: it.counted,
      bank: readRows(String(it.rows))
        .filter(({ account }) => ['=1010', '2'].includes(account))
        .map(({ debit, credit }) => [debit.toFixed(), credit.toFixed()]),
    })),
  markers: items.map(({ sk }) => String(sk)).filter((sk) => /^(ACCRUAL|SCHEDULED)#/.test(sk)),
  /** The scheduled entries whose date is in the due index. */
  due: items
    .filter(({ status }) => status === 'scheduled')
    .filter(({ accrualDate }) => items.some(({ sk }) => sk === `DUEDATE#${accrualDate}`))
    .map(({ sk }) => sk),
  names: items.map(({ sk }) => String(sk)).filter((sk) => sk.startsWith('EXT#')),
});

const expectedFurther = ({ entries }: State): ReturnType<typeof furtherOf> => {
  const sortOf = (it: Entry) =>
    `ENTRY#${firstDay}#MJ#${String(entries.indexOf(it) + 1).padStart(9, '0')}`;
  const markers = entries.flatMap((it) => {
    if (!it.hasAccrual || it.status === 'cancelled') return [];
    return `${it.status === 'posted' ? 'ACCRUAL' : 'SCHEDULED'}#${it.day}#${sortOf(it)}`;
  });
  const sheets = [firstDay, secondDay].flatMap((day) => {
    const counted = entries.filter((it) => it.status === 'posted' && it.day === day);
    const lastSequence = day === firstDay ? entries.length : 0;
    if (counted.length === 0 && lastSequence === 0) return [];
    const reversals = counted.filter(({ reverses }) => reverses !== null).length;
    const sides = [counted.length - reversals, reversals].map((times) => String(times));
    const bank = counted.length === 0 ? [] : [sides];
    return [{ day, lastSequence, counted: counted.length, bank }];
  });
  return {
    sheets,
    markers: markers.sort(),
    due: entries.filter(({ status }) => status === 'scheduled').map(sortOf),
    names: entries.flatMap(({ name }) => (name === null ? [] : [`EXT#${name}`])).sort(),
  };
};

const answerOf = ({ status, headers, body }: Reply): Answer => {
  if (status !== 200) return body.error.code;
  return headers['Idempotent-Replayed'] ? 'replayed' : 'done';
};

/** Takes a step in books with this state. */
const take = async (schemaName: string, name: StepName, state: State): Promise<Answer> => {
  const inBooks = { domain_url: schemaName };
  const step: Step = steps[name];
  time.now = `${today(state)}T12:00:00.000Z`;
  const reversalNumber = `MJ-20260320-${String(lastReversal(state) + 1).padStart(4, '0')}`;
  const named = (of: 'entry' | 'reversal' = 'entry', field = 'external_id') =>
    of === 'entry' ? { [field]: entryName } : { journal_number: reversalNumber };
  const accrual = 'accrual' in step && step.accrual ? { accrual_date: secondDay } : {};
  if (step.do === 'create') {
    const entry = euroEntry({ date: firstDay, external_id: entryName });
    return answerOf(await send('createEntry', { ...inBooks, ...entry, ...accrual }));
  }
  if (step.do === 'reverse') {
    const of = 'of' in step ? step.of : 'entry';
    const external_id = 'name' in step ? step.name : null;
    const body = { ...named(of, 'original_external_id'), date: firstDay, external_id };
    return answerOf(await send('reverseEntry', { ...inBooks, ...body, ...accrual }));
  }
  if (step.do === 'cancel') {
    return answerOf(await send('cancelEntry', { ...inBooks, ...named(step.of) }));
  }
  if (step.do === 'lock') {
    return answerOf(await send('updateTenant', { ...inBooks, lock_date: step.until }));
  }
  if (step.do === 'post what is due' && secondDay <= today(state)) {
    // A late index can list entries that are posted already.
    const { pk } = tenantKey({ applicationId: 'app1', schemaName });
    const due = (await itemsOf(schemaName)).filter(
      ({ kind, accrualDate }) => kind === 'entry' && accrualDate === secondDay,
    );
    await ledger.scheduledEntries.post(
      due.map(({ sk }) => ({ pk, sk: String(sk), postingDate: secondDay })),
      time.now,
    );
  }
  return 'done';
};

test(`an entry behaves like the model for ${longest} steps`, async () => {
  const isKept = ({ sk }: RawItem) =>
    !/^(ACCOUNT#(?!1010$|4010$)|IMPORT|CONNECTION)/.test(String(sk));
  const start = (await itemsOf(firstName.schemaName)).filter(isKept);
  const first: State = { isLater: false, lock: '2026-01-01', entries: [] };
  const known = new Set([JSON.stringify(first)]);
  let reached = [{ state: first, items: start, path: [] as StepName[] }];
  let taken = 0;
  for (let depth = 0; depth < longest && reached.length > 0; depth += 1) {
    const next: typeof reached = [];
    for (const { state, items, path } of reached) {
      for (const name of Object.keys(steps) as StepName[]) {
        taken += 1;
        const schemaName = `books${taken}`;
        await ledger.seed(...items.map((item) => movedTo(schemaName, item)));
        const expected = expectedOf(state, name);
        const answer = await take(schemaName, name, state);
        const after = await itemsOf(schemaName);
        const told = [...path, name].join(', ');
        const found = { answer, ...stateOf(after, expected.state), ...furtherOf(after) };
        expect(found, told).toEqual({
          answer: expected.answer,
          ...expected.state,
          ...expectedFurther(expected.state),
        });
        const key = JSON.stringify(expected.state);
        if (known.has(key)) continue;
        known.add(key);
        next.push({ state: expected.state, items: after, path: [...path, name] });
      }
    }
    reached = draw(next, 2);
  }
  expect(known.size).toBeGreaterThan(isWhole ? 130 : 10);
}, 300_000);
