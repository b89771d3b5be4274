// Reversals of one entry that come at once, through the gateway as `npm start` starts it.

import { expect, test } from 'vitest';
import { ada, dollarEntry, manualTenant } from '../support/builders/requests.ts';
import { callApi, makeDataFolder, startService } from '../support/processes/service.ts';

test('32 reversals of one entry make one and 31 replays, and none is refused', async () => {
  const folder = await makeDataFolder();
  const service = await startService({ dataFolder: folder.path });
  const post = (path: string, body: object) => callApi(service.demo, path, { body });
  const user = await post('users/ensure/', ada);
  const owner = { user_id: user.body.data.user_id };
  const tenant = await post('tenants/create/', { ...manualTenant, ...owner });
  const domain_url = tenant.body.data.tenant_domain_url;
  const entry = { ...dollarEntry, domain_url, external_id: 'reversed' };
  expect((await post('journal_entries/create/', entry)).status).toBe(200);
  const reversal = { domain_url, original_external_id: 'reversed', date: dollarEntry.date };
  const replies = await Promise.all(
    Array.from({ length: 32 }, () => post('journal_entries/reverse/', reversal)),
  );
  await service.stop();
  await folder.remove();
  expect(replies.map(({ status }) => status)).toEqual(Array(32).fill(200));
  expect(new Set(replies.map(({ body }) => body.data.journal_entry_id)).size).toBe(1);
  const replayed = replies.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true');
  expect(replayed).toHaveLength(31);
}, 120_000);
