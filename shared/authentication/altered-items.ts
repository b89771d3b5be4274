// The altered items that a reader has met, for verification, which reports them and reads on.

import type { AlteredItem } from './authenticators.ts';

const textOf = ({ pk, sk }: AlteredItem['key']): string => `${pk}\n${sk}`;

export type AlteredItems = ReturnType<typeof openAlteredItems>;

export const openAlteredItems = () => {
  const altered = new Map<string, AlteredItem>();
  return {
    add: (item: AlteredItem): void => void altered.set(textOf(item.key), item),
    /** Returns the altered items of a partition, and forgets them. */
    take: (pk: string): AlteredItem[] => {
      const ofPartition = [...altered.values()].filter(({ key }) => key.pk === pk);
      for (const { key } of ofPartition) altered.delete(textOf(key));
      return ofPartition;
    },
  };
};
