// Entry point of CDK: the stacks of the stage that LEDGER_STAGE names.

import { Annotations } from 'aws-cdk-lib';
import { bundleAll } from './bundles.ts';
import { createStageApp } from './deployment.ts';
import { deployedStages, noPlatform } from './stages.ts';

const stage = deployedStages.find(({ name }) => name === process.env.LEDGER_STAGE);
if (stage === undefined) {
  const names = deployedStages.map(({ name }) => name).join(' or ');
  console.error(`Say which stage: set LEDGER_STAGE to ${names}.`);
  process.exit(1);
}
const { app, service } = createStageApp(stage, { bundles: await bundleAll('cdk.out/bundles') });
if (Object.values(stage.deployment.platformBaseUrls).includes(noPlatform)) {
  Annotations.of(service).addWarningV2(
    'ledger:no-platform',
    'Some platform slots have no platform behind them: they cannot be connected yet.',
  );
}
app.synth();
