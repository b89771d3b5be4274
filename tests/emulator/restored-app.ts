// The stage as its row binds it to a restored table, whose name and stream label are the arguments:
// an app for CDK.

import { bundleAll } from '#infra/aws/bundles.ts';
import { createStageApp } from '#infra/aws/stage-app.ts';
import { deployedStages } from '#infra/manifest/stages.ts';

const [name = '', streamLabel = ''] = process.argv.slice(2);
const stage = deployedStages.find((it) => it.name === process.env.LEDGER_STAGE);
if (stage === undefined) throw new Error('LEDGER_STAGE names no stage that is deployed');
const deployment = { ...stage.deployment, restoredTable: { name, streamLabel } };
const bundles = await bundleAll('cdk.out/bundles');
createStageApp({ ...stage, deployment }, { bundles }).app.synth();
