// The metadata keys of a tenant by which entries can be listed.

import * as z from 'zod/mini';

/** Each key of an entry is one more write in its transaction, which can have a hundred. */
export const maximumIndexedKeys = 3;

export type MetadataPair = { key: string; value: string };

/** An indexed key. Entries with a `createdAt` at or after `from` are in the index. */
export const IndexedKey = z.object({ key: z.string(), from: z.string() });
export type IndexedKey = z.infer<typeof IndexedKey>;

type Index = { indexedMetadata?: readonly IndexedKey[] | undefined };

/** The keys of a new tenant, which has no entries without them. */
export const firstIndexedKeys = (keys: readonly string[], createdAt: string): IndexedKey[] =>
  keys.map((key) => ({ key, from: createdAt }));

/** @param options.from when every post uses the new keys */
export const changedIndexedKeys = (
  keys: readonly string[],
  { from, indexedMetadata = [] }: { from: string } & Index,
): IndexedKey[] => keys.map((key) => indexedMetadata.find((it) => it.key === key) ?? { key, from });

/** The keys under which an entry with this metadata is listed. */
export const indexedKeysOf = (
  metadata: Readonly<Record<string, string>>,
  { indexedMetadata = [] }: Index,
): { indexed?: string[] } => {
  const indexed = indexedMetadata.flatMap(({ key }) => (Object.hasOwn(metadata, key) ? key : []));
  return indexed.length === 0 ? {} : { indexed };
};

/** When the index of a key begins, if it lacks entries of the tenant. */
export const startOfIndex = (
  { from }: IndexedKey,
  { createdAt }: { createdAt: string },
): string | undefined => (from > createdAt ? from : undefined);
