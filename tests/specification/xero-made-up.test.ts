import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { PageRequest, Platform } from '#shared/platforms/platform.ts';
import { createXero } from '#shared/platforms/xero/xero.ts';
import { reasonOf } from '../support/harnesses/adapters.ts';
import { startForwarding, startPrism } from './prism.ts';

/**
 * Replies that Prism generates from Xero's document, each from another seed. Xero may never send
 * such replies, but none of their records may end an import.
 */
const document = 'tests/data/xero/xero-accounting.yaml';
const seeds = 200;

/**
 * Prism fills in all fields and generates dates that are words. Therefore every second seed removes
 * fields (the document requires only Narration), and two of four use the date of its example.
 */
const kindOf = (seed: number) => ({ isSparing: seed % 2 === 0, hasDates: seed % 4 < 2 });
const oneFieldOf = 15;

/** Numbers from 0 to 1, by the linear congruence of Numerical Recipes. */
const randomFrom = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
};

const Records = z.optional(z.array(z.unknown()));
const Reply = z.looseObject({ Accounts: Records, ManualJournals: Records });
type Reply = z.output<typeof Reply>;

/** The requested page is the last one, because this test is not about pages. */
const pagination = { page: 1, pageSize: 1000, pageCount: 1, itemCount: 1 };

const edited = (body: string, seed: number): Reply => {
  const { isSparing, hasDates } = kindOf(seed);
  const random = randomFrom(seed);
  return Reply.parse(
    JSON.parse(body, (name, value) => {
      if (name === '' || /^\d+$/.test(name) || name === 'Narration') return value;
      if (isSparing && random() < 1 / oneFieldOf) return undefined;
      if (name === 'pagination') return pagination;
      return hasDates && name === 'Date' ? '/Date(1553126400000+0000)/' : value;
    }),
  );
};

const stops: (() => unknown)[] = [];
let seed = 0;
/** The replies to the requests for one page. */
let replies: Reply[] = [];
let platform: Platform;

beforeAll(async () => {
  const madeUp = await startPrism({ document });
  const routed = await startForwarding({
    route: (path) => {
      const url = new URL(path.replace('/api.xero.com/api.xro/2.0', ''), madeUp.url);
      url.searchParams.set('__seed', String(seed));
      return url.href;
    },
    edit: (body) => {
      const reply = edited(body, seed);
      replies.push(reply);
      return JSON.stringify(reply);
    },
  });
  stops.push(madeUp.stop, routed.stop);
  const client = { clientId: 'ledger', clientSecret: 'Secret-Client' };
  platform = createXero({ ...client, baseUrlOverride: routed.url });
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

const page: PageRequest = {
  cursor: null,
  rows: 1000,
  modifiedSince: null,
  timeoutMilliseconds: 10_000,
};
/** Another company for each seed, because the adapter caches a company's tax account. */
const access = () => ({
  companyId: `fe79f7dd-b6d4-4a92-ba7b-${seed.toString(16).padStart(12, '0')}`,
  dataCenter: null,
  accessToken: 'Secret-Access',
});

const isDeleted = (record: unknown): boolean =>
  z.object({ Status: z.literal('DELETED') }).safeParse(record).success;

/** The outcomes for the accounts of a page. Only a deleted account may be missing. */
const accountsRead = async (): Promise<string[]> => {
  const { accounts, refused, assumptions } = await platform.accountPage(access(), page);
  const listed = replies[0]?.Accounts ?? [];
  const found = accounts.length + refused.length;
  expect(found).toBeGreaterThanOrEqual(listed.filter((record) => !isDeleted(record)).length);
  expect(found).toBeLessThanOrEqual(listed.length);
  return [
    ...accounts.map(() => 'account'),
    ...assumptions.map(() => 'account of an assumed type'),
    ...refused.map(() => 'refused account'),
  ];
};

/** The outcomes for the journals of a page. None may be missing. */
const journalsRead = async (): Promise<string[]> => {
  const { journals, refused } = await platform.journalPage(access(), page);
  expect(journals.length + refused.length).toBe(replies[0]?.ManualJournals?.length);
  const results = await Promise.all(journals.map(({ read }) => read(access(), page)));
  return [
    ...results.map(({ state }) => `${state} journal`),
    ...refused.map(() => 'journal without an id'),
  ];
};

/** Only a reply without its list is refused as a whole. */
const outcomesOf = async (read: () => Promise<string[]>): Promise<string[]> => {
  replies = [];
  const reading = read();
  await reading.catch(() => {});
  const isList = ({ Accounts, ManualJournals }: Reply) => Accounts ?? ManualJournals;
  return replies.every(isList) ? reading : [`no list: ${await reasonOf(reading)}`];
};

test(`no record of ${seeds} replies ends an import`, { timeout: 90_000 }, async () => {
  const outcomes = new Set<string>();
  for (seed = 1; seed <= seeds; seed += 1) {
    for (const read of [accountsRead, journalsRead]) {
      for (const outcome of await outcomesOf(read)) outcomes.add(outcome);
    }
  }
  expect([...outcomes].sort()).toEqual([
    'account',
    'account of an assumed type',
    'journal without an id',
    'no list: reply_not_understood',
    'not_posted journal',
    'posted journal',
    'refused account',
    'refused journal',
    'voided journal',
  ]);
});
