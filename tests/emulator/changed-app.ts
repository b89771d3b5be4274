// The stage with a changed row, as an operator changes it in infra/stages.ts: an app for CDK.

import { createStageApp } from '#infra/aws/stage-app.ts';
import { bundleAll } from '#infra/bundles.ts';
import { deployedStages } from '#infra/stages.ts';
import { changedSettings } from './changed-settings.ts';

const stage = deployedStages.find(({ name }) => name === process.env.LEDGER_STAGE);
if (stage === undefined) throw new Error('LEDGER_STAGE names no stage that is deployed');
const changed = { ...stage, settings: { ...stage.settings, ...changedSettings } };
const { app } = createStageApp(changed, { bundles: await bundleAll('cdk.out/bundles') });
app.synth();
