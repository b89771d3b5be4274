// From an empty account to a stage that serves an application, by the commands of operations.md.

import assert from 'node:assert/strict';
import { stackNameOf, stackNames } from '#infra/manifest/names.ts';
import { slotNames } from '#shared/platforms/slots.ts';
import { shippedRatesPath } from '../../support/builders/ecb-files.ts';
import { sandboxClients } from '../../support/servers/sandbox.ts';
import type { Emulator } from '../emulator.ts';
import type { Report } from '../report.ts';
import { runSchedule } from './calls.ts';
import { type Deployed, redirectUrl } from './deployed.ts';

/** Types of resources that LocalStack does not know and has passed over. */
export const leftOutTypes = (log: string): string[] =>
  [...new Set([...log.matchAll(/No resource provider found for "([\w:]+)"/g)].map(([, it]) => it))]
    .map(String)
    .sort();

const deployStacks = async ({ commands, aws, stage, localStack }: Emulator, report: Report) => {
  await report.step('cdk bootstrap', commands.bootstrap);
  const before = localStack.log().length;
  await report.step('npm run deploy', async () => {
    await commands.deploy();
    for (const stack of stackNames) {
      const name = stackNameOf(stage, stack);
      const resources = await aws.resourcesOf(name);
      const made = resources.filter(({ status }) => status === 'CREATE_COMPLETE');
      report.note(`${name}: ${made.length} of ${resources.length} resources CREATE_COMPLETE`);
      assert.equal(made.length, resources.length);
    }
    const leftOut = leftOutTypes(localStack.log().slice(before));
    if (leftOut.length > 0) report.note(`passed over by LocalStack: ${leftOut.join(', ')}`);
  });
  return aws.outputsOf(stackNameOf(stage, 'service'));
};

const fillSecrets = async ({ commands }: Emulator): Promise<void> => {
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
  const { commands, stage, localStack, outside } = emulator;
  report.heading(`Deploying the stage ${stage}`);
  const { BaseUrl = '', CallbackUrl = '' } = await deployStacks(emulator, report);
  outside.registerCallback(CallbackUrl);
  await report.step('ops: secrets and clients of the platforms', () => fillSecrets(emulator));
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
