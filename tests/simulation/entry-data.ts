// Entries of the table as a reply would show them.

import { shownEntry } from '../support/readers/entry-hashes.ts';
import { type RawItem, sortItems } from '../support/readers/item-kinds.ts';
import { readEntry } from '../support/readers/stored-entries.ts';

/** The fields of an entry in a reply. */
export type Data = Record<string, unknown>;
export type ShownEntry = { item: RawItem; data: Data };

/** The entries of the table with what replies would show of them. */
export const shownIn = (items: readonly RawItem[]): ShownEntry[] => {
  const sorted = sortItems(items);
  return sorted.all('entry').flatMap((found) => {
    const { entry } = readEntry(sorted, found);
    return entry ? [{ item: found.item, data: shownEntry(entry) }] : [];
  });
};

/** The tenant in whose partition an item is: its application and its prefix. */
export const tenantPlaceOf = ({ pk }: RawItem): string => {
  const [, applicationId = '', schema = ''] = /^APP#([^#]+)#TENANT#(.+)$/.exec(String(pk)) ?? [];
  return `${applicationId} ${schema.replaceAll('_', '-')}`;
};

/** Whether an entry was asked for, and not imported. */
export const isManual = ({ platformReference }: RawItem): boolean =>
  platformReference === undefined;

/** What the model knows of an entry: not its key, the classes of its lines, the hash's version. */
export const modelledOf = ({
  created_with_key: _key,
  hash_version: _version,
  transactions,
  ...data
}: Data): Data => ({
  ...data,
  transactions: (transactions as Data[]).map(({ line_class: _class, ...line }) => line),
});
