// From an empty account to a stage that serves an application, by the commands of operations.md.

import { stackNameOf } from '#infra/names.ts';
import type { Emulator } from '../main.ts';
import type { Report } from '../report.ts';

export const deployStage = async (
  { commands, aws, stage }: Emulator,
  report: Report,
) => {
  report.heading(`Deploying the stage ${stage}`);
  await report.step('cdk bootstrap', commands.bootstrap);
  await report.step('npm run deploy', () => commands.deploy());
  console.log(await aws.stacks());
  for (const stack of ['data', 'service'] as const) {
    const resources = await aws.resourcesOf(stackNameOf(stage, stack));
    console.log(stack, resources.length, resources.filter((it) => it.status !== 'CREATE_COMPLETE'));
    console.log(await aws.outputsOf(stackNameOf(stage, stack)));
  }
};
