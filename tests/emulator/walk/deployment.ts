// From an empty account to a stage that serves an application, by the commands of operations.md.

import assert from 'node:assert/strict';
import { stackNameOf } from '#infra/manifest/names.ts';
import { slotNames } from '#shared/platforms/slots.ts';
import { shippedRatesPath } from '../../support/builders/ecb-files.ts';
import { sandboxClients } from '../../support/servers/sandbox.ts';
import type { Commands } from '../commands.ts';
import type { Emulator } from '../emulator.ts';
import { limitationsIn } from '../limitations.ts';
import type { Report } from '../report.ts';
import { runSchedule } from './calls.ts';
import { type Deployed, redirectUrl } from './deployed.ts';

/** Deploys by the commands of a version. @returns the outputs of the service stack */
export const deployStacks = async (
  { aws, stage, localStack }: Emulator,
  { report, commands }: { report: Report; commands: Commands },
) => {
  const before = localStack.log().length;
  await commands.deploy();
  const all = Object.keys(await aws.stacks()).filter((it) => it.startsWith(`ledger-${stage}-`));
  assert.ok(all.includes(stackNameOf(stage, 'service')));
  for (const name of all) {
    const resources = await aws.resourcesOf(name);
    const made = resources.filter(({ status }) => /^(CREATE|UPDATE)_COMPLETE$/.test(status));
    report.note(`${name}: ${made.length} of ${resources.length} resources complete`);
    assert.equal(made.length, resources.length);
  }
  for (const remark of limitationsIn(localStack.log().slice(before))) report.note(remark);
  return aws.outputsOf(stackNameOf(stage, 'service'));
};

const fillSecrets = async (commands: Commands): Promise<void> => {
  const before: { secret: string; state: string }[] = (await commands.ops('secrets show')).secrets;
  for (const { secret, state } of before) {
    const isOfKeys = secret !== 'platform-clients';
    if (isOfKeys && state !== 'filled') await commands.ops(`secrets set ${secret}`);
  }
  for (const slot of slotNames) {
    const { client_id, client_secret } = sandboxClients[slot];
    const words = ['secrets', 'set', 'platform-clients', '--slot', slot, '--client-id', client_id];
    await commands.ops(words, client_secret);
  }
  const { secrets, platform_clients } = await commands.ops('secrets show');
  const states = [...secrets, ...platform_clients].map(({ state }) => state);
  assert.deepEqual(new Set(states), new Set(['filled']));
};

export const deployStage = async (emulator: Emulator, report: Report): Promise<Deployed> => {
  const { stage, localStack, outside, released } = emulator;
  const commands = released ?? emulator.commands;
  const what = released ? `${stage} by the last release` : stage;
  report.heading(`Deploying the stage ${what}`);
  await report.step('cdk bootstrap', emulator.commands.bootstrap);
  const { BaseUrl = '', CallbackUrl = '' } = await report.step('npm run deploy', () =>
    deployStacks(emulator, { report, commands }),
  );
  outside.registerCallback(CallbackUrl);
  await report.step('ops: secrets and clients of the platforms', () => fillSecrets(commands));
  const key = await report.step('ops: an application and its key', async () => {
    await commands.ops('applications create --application shop');
    await commands.ops(`applications redirect-urls --application shop --add ${redirectUrl}`);
    return commands.ops('keys create --application shop');
  });
  await report.step('exchange rates: by the function, then the same by ops', async () => {
    await runSchedule(emulator, 'refresh-exchange-rates');
    const { days, added, differing_dates } = await commands.ops(`rates load ${shippedRatesPath}`);
    assert.deepEqual([days > 0, added, differing_dates], [true, 0, []]);
    report.note(`${days} days`);
  });
  const apiId = new URL(BaseUrl).host.split('.')[0];
  return {
    api: {
      base_url: `${localStack.endpoint}/_aws/execute-api/${apiId}/${stage}`,
      api_key: key.api_key,
    },
    callbackUrl: CallbackUrl,
    applicationId: key.application_id,
  };
};
