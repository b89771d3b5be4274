// The callback address that the platforms know, as deployments have noted it. It is in the table,
// since that outlives the functions, and with them the address.

import * as z from 'zod/mini';
import { callbackAddressKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const CallbackAddress = z.object({ callbackUrl: z.string(), since: z.string() });
export type CallbackAddress = z.infer<typeof CallbackAddress>;

export type CallbackAddresses = ReturnType<typeof openCallbackAddresses>;

export const openCallbackAddresses = (table: Table) => ({
  find: async (): Promise<CallbackAddress | undefined> => {
    const item = await table.get(callbackAddressKey);
    return item && CallbackAddress.parse(item);
  },

  /** Puts an address in the place of the one before. */
  record: async (address: CallbackAddress): Promise<void> => {
    await table.update({
      update: callbackAddressKey,
      expression: 'SET callbackUrl = :callbackUrl, since = :since',
      values: { ':callbackUrl': address.callbackUrl, ':since': address.since },
    });
  },
});
