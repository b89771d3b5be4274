// The altered items that a reader has met, for verification, which reports them and reads on.

import type { AlteredItem } from './authenticators.ts';
import { type Key, keyText } from './keys.ts';

export type AlteredItems = ReturnType<typeof openAlteredItems>;

export const openAlteredItems = () => {
  const altered = new Map<string, AlteredItem>();
  return {
    add: (item: AlteredItem): void => void altered.set(keyText(item.key), item),
    /** Returns the altered items of a partition, and forgets them. */
    take: (pk: Key['pk']): AlteredItem[] => {
      const ofPartition = [...altered.values()].filter(({ key }) => key.pk === pk);
      for (const { key } of ofPartition) altered.delete(keyText(key));
      return ofPartition;
    },
  };
};
