// The CDK app: the stacks of the stage in LEDGER_STAGE.

import { Annotations } from 'aws-cdk-lib';
import { missingOf } from '../manifest/missing-settings.ts';
import { deployedStages } from '../manifest/stages.ts';
import { bundleAll } from './bundles.ts';
import { readDeployedService } from './deployed-service.ts';
import { createStageApp } from './stage-app.ts';

const stage = deployedStages.find(({ name }) => name === process.env.LEDGER_STAGE);
if (stage === undefined) {
  const names = deployedStages.map(({ name }) => name).join(' or ');
  console.error(`Set LEDGER_STAGE to ${names}.`);
  process.exit(1);
}
const { app, service } = createStageApp(stage, {
  bundles: await bundleAll('cdk.out/bundles'),
  deployed: readDeployedService(),
});
for (const [id, warning] of Object.entries(missingOf(stage))) {
  Annotations.of(service).addWarningV2(`ledger:${id}`, warning);
}
app.synth();
