// Sees every change of a connection or an import as it is made, and says which of them nobody may
// make: what matters there is who changed what from which state, and the end may not show it.

import { isDeepStrictEqual } from 'node:util';
import type { Key } from '#shared/store/keys.ts';
import type { TableCall } from '../support/dynamodb/table-calls.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';
import type { Operation } from './requests.ts';
import { keysWritten } from './written-keys.ts';
import { unless } from './wrongs.ts';

type Change = { before: RawItem; after: RawItem; operation: Operation };

/** How an import may go on, but for another that takes its place. */
const nextStates: Record<string, string[]> = {
  requested: ['requested', 'running', 'complete', 'failed'],
  running: ['running', 'requested', 'waiting', 'complete', 'failed'],
  waiting: ['requested', 'complete', 'failed'],
};

/** Tokens change with their version, which only goes up. */
const wrongsOfConnection = ({ before, after }: Change): string[] => {
  const [from, to] = [Number(before.version), Number(after.version)];
  const isSame = before.sealedTokens === after.sealedTokens;
  return [
    ...unless(to >= from, `the connection of ${after.pk} goes from version ${from} to ${to}`),
    ...unless(isSame || to !== from, `${after.pk} has other tokens of the same version ${to}`),
  ];
};

const wrongsOfImport = ({ before, after, operation: { request } }: Change): string[] => {
  const isOfOther = request.kind === 'import' && request.image.importId !== after.importId;
  const [from, to] = [String(before.status), String(after.status)];
  const isAnother = before.importId !== after.importId;
  const isTaken = from === 'running' && to === 'running' && before.due_sk !== after.due_sk;
  const mayFollow = isAnother ? to === 'requested' : nextStates[from]?.includes(to);
  return [
    ...unless(!isOfOther, `an import of ${after.pk} is changed by the run of another`),
    ...unless(!isTaken, `a running import of ${after.pk} is taken by another run`),
    ...unless(mayFollow ?? false, `an import of ${after.pk} goes from ${from} to ${to}`),
  ];
};

const kinds: Record<string, (change: Change) => string[]> = {
  CONNECTION: wrongsOfConnection,
  IMPORT: wrongsOfImport,
};

export type Witness = ReturnType<typeof openWitness>;

export const openWitness = (get: (key: Key) => Promise<RawItem | undefined>) => {
  const seen = new Map<string, RawItem>();
  const wrongs: string[] = [];
  return {
    /** Everything that was wrong so far. */
    wrongs: (): readonly string[] => wrongs,

    /** Looks at what a call has changed. Nothing else goes on meanwhile. */
    follow: async (call: TableCall, operation: Operation): Promise<void> => {
      for (const [sort, wrongsOf] of Object.entries(kinds)) {
        for (const key of keysWritten(call, sort)) {
          const after = await get(key);
          const before = seen.get(`${key.pk} ${sort}`);
          if (after === undefined || isDeepStrictEqual(before, after)) continue;
          seen.set(`${key.pk} ${sort}`, after);
          if (before) wrongs.push(...wrongsOf({ before, after, operation }));
        }
      }
    },
  };
};
