import { expect, test } from 'vitest';
import { resealTokens, retireSecret } from '#infra/ops/commands/secret-versions.ts';
import { rotateSecret, setSecret } from '#infra/ops/commands/secrets.ts';
import { commands } from '#infra/ops/commands/webhooks.ts';
import { findOrCreateApplication } from '#shared/applications/issue-api-key.service.ts';
import { openFeed } from '#shared/events/feed.store.ts';
import { createWebhook } from '#shared/events/webhook-creation.service.ts';
import { openSealing } from '#shared/sealing.ts';
import { webhookSealBinding } from '#shared/table/event-keys.ts';
import { refusalOf, useOperator } from '../../support/harnesses/operator.ts';

const operator = useOperator({ each: true });
const secret = 'webhook-sealing-keys';
const application = 'Bookings';

/** A webhook of the application. `sealing` is that of a newly started function. */
const addWebhook = async () => {
  const { dependencies, database, openKeys } = operator;
  const { clock, webhooks } = dependencies;
  const owner = await findOrCreateApplication(dependencies, application);
  const { applicationId } = owner.application;
  const sealing = openSealing(openKeys(secret));
  const created = await createWebhook(
    {
      webhooks,
      feed: openFeed(database.table, { clock }),
      webhookSealing: sealing,
      random: dependencies.random,
      clock,
    },
    applicationId,
    { url: 'https://a.example/hook?key=hunter2', description: null, types: null, tenants: null },
  );
  const { webhookId } = created.webhook;
  return { applicationId, webhookId, secret: created.secret };
};

const fill = () => setSecret.run(operator.dependencies, { secret });

test('webhooks are listed by host, disabled, forbidden and allowed again', async () => {
  await fill();
  const { applicationId, webhookId } = await addWebhook();
  const { dependencies } = operator;
  const row = {
    webhook_id: webhookId,
    host: 'a.example',
    status: 'active',
    disabled_reason: null,
    delivered_through: 0,
    parked: 0,
    dropped: 0,
    failing_since: null,
    next_attempt_at: null,
    last_status_code: null,
    last_error: null,
  };
  const report = { application, application_id: applicationId, forbidden: false };
  expect(await commands.list.run(dependencies, { application })).toEqual({
    ...report,
    webhooks: [row],
  });
  const disabled = { ...row, status: 'disabled', disabled_reason: 'disabled_by_operator' };
  const options = { application, webhook: webhookId };
  expect(await commands.disable.run(dependencies, options)).toEqual({
    ...report,
    webhooks: [disabled],
  });
  for (const [command, forbidden] of [
    [commands.forbid, true],
    [commands.allow, false],
  ] as const) {
    expect(await command.run(dependencies, { application })).toMatchObject({ forbidden });
  }
});

test('an unknown webhook is not disabled', async () => {
  await fill();
  await addWebhook();
  const options = { application, webhook: 'wh_0123456789abcdef' };
  expect(await refusalOf(commands.disable.run(operator.dependencies, options))).toBe(
    '"Bookings" has no webhook wh_0123456789abcdef',
  );
});

test('a sealing key is retired after all secrets of webhooks are resealed', async () => {
  await fill();
  await setSecret.run(operator.dependencies, { secret: 'token-sealing-keys' });
  const { applicationId, webhookId, ...old } = await addWebhook();
  await rotateSecret.run(operator.dependencies, { secret });
  const retire = () =>
    retireSecret.run(operator.dependencies, { secret, version: '1', loseLiveKeys: false });
  operator.clock.now = new Date();
  expect(await refusalOf(retire())).toMatch(/^functions can still seal under version 1 until /);
  operator.clock.now = new Date(Date.now() + 11 * 60_000);
  expect(await refusalOf(retire())).toBe(
    `the secrets of 1 webhooks are sealed under version 1: ${webhookId} (${applicationId}); ` +
      'run secrets reseal first',
  );
  expect(await resealTokens.run(operator.dependencies, {})).toMatchObject({
    webhooks: 1,
    webhooks_resealed: 1,
    failed: [],
  });
  expect(await retire()).toMatchObject({ retired: '1', versions: ['2'] });
  const [webhook] = (await operator.dependencies.webhooks.find(applicationId)).webhooks;
  const binding = webhookSealBinding({ applicationId, webhookId });
  const sealed = webhook?.secrets.map((it) => it.sealed) ?? [];
  const sealing = openSealing(operator.openKeys(secret));
  expect(await Promise.all(sealed.map((it) => sealing.open(it, binding)))).toEqual([old.secret]);
});
