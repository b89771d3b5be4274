// The table's stream, as far as a function listens to it: the image of every import that was asked
// for. Whoever looks may bring an image any number of times, and in any order.

import type { Key } from '#shared/store/keys.ts';
import type { TableCall } from '../support/dynamodb/table-calls.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';
import { keysWritten } from './written-keys.ts';

/** The same value, with its fields in one order: the engine shows them in any. */
const ordered = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, content]) => [name, ordered(content)]));
};

export type Stream = ReturnType<typeof openStream>;

export const openStream = (get: (key: Key) => Promise<RawItem | undefined>) => {
  const images: RawItem[] = [];
  const known = new Set<string>();
  return {
    images: (): readonly RawItem[] => images,

    /** Looks at what a call has changed. Nothing else goes on meanwhile. */
    follow: async (call: TableCall): Promise<void> => {
      for (const key of keysWritten(call, 'IMPORT')) {
        const item = ordered(await get(key)) as RawItem | undefined;
        const text = JSON.stringify(item);
        if (item?.status !== 'requested' || known.has(text)) continue;
        known.add(text);
        images.push(item);
      }
    },
  };
};
