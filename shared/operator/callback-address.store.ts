// Stores the callback address that is registered at the platforms. The table keeps it when the
// functions, and their address with them, are deleted.

import * as z from 'zod/mini';
import { updateAction } from '../table/field-updates.ts';
import { callbackAddressKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const CallbackAddress = z.object({ callbackUrl: z.string(), since: z.string() });
export type CallbackAddress = z.infer<typeof CallbackAddress>;

export const openCallbackAddresses = (table: Table) => ({
  find: async (): Promise<CallbackAddress | undefined> => {
    const item = await table.get(callbackAddressKey);
    return item && CallbackAddress.parse(item);
  },

  /** Replaces the address. */
  record: async (address: CallbackAddress): Promise<void> => {
    await table.update(updateAction(callbackAddressKey, { set: address }));
  },
});
