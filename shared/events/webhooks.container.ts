// The dependencies of the endpoints of webhooks.

import { randomBytes } from 'node:crypto';
import type { Table } from '../table/table.ts';
import { openWebhooks } from './webhooks.store.ts';

/** Adds the dependencies of webhooks to those of the API. */
export const withWebhooks = <Api extends { table: Table }>(api: Api) => ({
  ...api,
  webhooks: openWebhooks(api.table),
  random: randomBytes,
});
