// A migration step converts the items of one kind to the next stored format.

import type { Action, Item } from './table.ts';

/** The actions of one transaction. */
export type Conversion = readonly Action[];

/**
 * The service keeps running during a migration, and a killed migration starts again at the first
 * item. So each action requires that the item has not changed since it was read, and a converted
 * item needs no actions.
 */
export type MigrationStep = {
  /** A description for the operator. */
  name: string;
  /** Starts the step for one pass over the table. `convert` gets each item of the pass once. */
  start: () => {
    /** The conversion of an item. It is empty for a converted item or one of another kind. */
    convert: (item: Item) => Conversion;
    /**
     * Further conversions after the last item, for example counts, in the order of their
     * transactions. None after a second run.
     */
    finish?: () => readonly Conversion[];
  };
};
