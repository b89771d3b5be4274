// Follows every change of a connection or an import, since a violation can lie in who changed which
// state. Also keeps the images of imports for the table's stream, which delivers them any number of
// times and in any order.

import { isDeepStrictEqual } from 'node:util';
import type { Key } from '#shared/table/keys.ts';
import type { TableCall } from '../support/dynamodb/table-calls.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';
import { unless } from '../support/readers/violations.ts';
import type { Operation } from './requests.ts';

type WireKey = { pk?: { S?: string }; sk?: { S?: string } };
type WireAction = { Put?: { Item: WireKey }; Update?: { Key: WireKey } };

/** The items that a call may have changed. */
const keysWritten = ({ operation, request }: TableCall): Key[] => {
  const { TransactItems = [], Key } = request as { TransactItems?: WireAction[]; Key?: WireKey };
  const updated = operation === 'UpdateItem' && Key ? [Key] : [];
  const written = TransactItems.flatMap(({ Put, Update }) => Put?.Item ?? Update?.Key ?? []);
  return [...updated, ...written].map(({ pk, sk }) => ({ pk: pk?.S ?? '', sk: sk?.S ?? '' }));
};

/** `leasedBy` is the number of the operation that leased the import before the change. */
type Change = {
  before: RawItem;
  after: RawItem;
  operation: Operation;
  leasedBy: number | undefined;
};
type Found = RawItem | undefined;

/** The states that may follow each state of an import. Another import may always replace it. */
const nextStates: Record<string, string[]> = {
  requested: ['requested', 'running', 'complete', 'failed'],
  running: ['running', 'requested', 'waiting', 'complete', 'failed'],
  waiting: ['requested', 'complete', 'failed'],
};

/** Tokens change with their version. The version never decreases. */
const connectionViolations = ({ before, after }: Change): string[] => {
  const [from, to] = [Number(before.version), Number(after.version)];
  const isSame = before.sealedTokens === after.sealedTokens;
  return [
    ...unless(to >= from, `the connection of ${after.pk} goes from version ${from} to ${to}`),
    ...unless(isSame || to !== from, `${after.pk} has other tokens of the same version ${to}`),
  ];
};

const importViolations = ({ before, after, operation, leasedBy }: Change): string[] => {
  const { request, number } = operation;
  const isOfOther = request.kind === 'import' && request.image.importId !== after.importId;
  const [from, to] = [String(before.status), String(after.status)];
  const isAnother = before.importId !== after.importId;
  const isTaken = from === 'running' && to === 'running' && before.runId !== after.runId;
  const hasLost = request.kind === 'import' && from === 'running' && leasedBy !== number;
  const mayFollow = isAnother ? to === 'requested' : nextStates[from]?.includes(to);
  return [
    ...unless(!isOfOther, `an import of ${after.pk} is changed by the run of another`),
    ...unless(!isTaken, `a running import of ${after.pk} is taken by another run`),
    ...unless(!hasLost, `an import of ${after.pk} is changed by a run that has lost its lease`),
    ...unless(mayFollow ?? false, `an import of ${after.pk} goes from ${from} to ${to}`),
  ];
};

const kinds: Record<string, (change: Change) => string[]> = {
  CONNECTION: connectionViolations,
  IMPORT: importViolations,
};

/** The same value, with its fields in one order: the engine shows them in any. */
const ordered = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, content]) => [name, ordered(content)]));
};

export type ChangeRecorder = ReturnType<typeof openChangeRecorder>;

export const openChangeRecorder = (get: (key: Key) => Promise<RawItem | undefined>) => {
  const seen = new Map<string, RawItem>();
  const images = new Map<string, RawItem>();
  /** The number of the operation that leased an import, by the id of its run. */
  const leases = new Map<unknown, number>();

  const violationsOfChange = (
    violationsOf: (change: Change) => string[],
    { before, after, operation }: Pick<Change, 'after' | 'operation'> & { before: Found },
  ): string[] => {
    if (before?.runId !== after.runId) leases.set(after.runId, operation.number);
    const leasedBy = leases.get(before?.runId);
    return before ? violationsOf({ before, after, operation, leasedBy }) : [];
  };
  const violations: string[] = [];
  return {
    violations: (): readonly string[] => violations,
    /** The image of every requested import, for the stream. */
    images: (): readonly RawItem[] => [...images.values()],

    /** Examines the changes of a call. No other call runs in the meantime. */
    follow: async (call: TableCall, operation: Operation): Promise<void> => {
      for (const key of keysWritten(call)) {
        const violationsOf = kinds[key.sk];
        if (violationsOf === undefined) continue;
        const after = ordered(await get(key)) as RawItem | undefined;
        const place = `${key.pk} ${key.sk}`;
        const before = seen.get(place);
        if (after === undefined || isDeepStrictEqual(before, after)) continue;
        seen.set(place, after);
        violations.push(...violationsOfChange(violationsOf, { before, after, operation }));
        const isRequested = key.sk === 'IMPORT' && after.status === 'requested';
        const text = JSON.stringify(after);
        if (isRequested && !images.has(text)) images.set(text, after);
      }
    },
  };
};
