// A step of a migration: how items of one kind get from the earlier stored format to the next.

import type { Action, Item } from './table.ts';

/** Actions that are carried out together, or not at all. */
export type Conversion = readonly Action[];

/**
 * The service runs while the table is migrated, and a migration that was killed starts again at the
 * first item. So every action has a condition that holds only while the item is as it was read, and
 * an item that is converted already gives no actions.
 */
export type MigrationStep = {
  /** What the step does, as an operator reads it. */
  name: string;
  /** Starts the step for one pass over the table. It sees every item of the pass once. */
  start: () => {
    /** What has to be done to an item; nothing for an item of another kind. */
    convert: (item: Item) => Conversion;
    /**
     * What a step that counts has to write once it has seen every item: only for what lacks it, so
     * that a second run has nothing to write.
     */
    finish?: () => readonly Conversion[];
  };
};
