// A CDK app of the stage after an operator changed its row in infra/manifest/stages.ts.

import { bundleAll } from '#infra/aws/bundles.ts';
import { readDeployedService } from '#infra/aws/deployed-service.ts';
import { createStageApp } from '#infra/aws/stage-app.ts';
import { deployedStages } from '#infra/manifest/stages.ts';
import { withChanges } from './changed-settings.ts';

const stage = deployedStages.find(({ name }) => name === process.env.LEDGER_STAGE);
if (stage === undefined) throw new Error('LEDGER_STAGE names no stage that is deployed');
const changed = { ...stage, settings: withChanges(stage.settings) };
const bundles = await bundleAll('cdk.out/bundles');
createStageApp(changed, { bundles, deployed: readDeployedService() }).app.synth();
