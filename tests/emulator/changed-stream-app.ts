// The stage with another view type of the table's stream, which gives the table another stream: an
// app for CDK, which must not be deployed.

import type { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { bundleAll } from '#infra/aws/bundles.ts';
import { createStageApp } from '#infra/aws/stage-app.ts';
import { deployedStages } from '#infra/manifest/stages.ts';

const stage = deployedStages.find(({ name }) => name === process.env.LEDGER_STAGE);
if (stage === undefined) throw new Error('LEDGER_STAGE names no stage that is deployed');
const { app, data } = createStageApp(stage, { bundles: await bundleAll('cdk.out/bundles') });
const table = data.node.findChild('table').node.defaultChild as CfnTable;
table.streamSpecification = { streamViewType: 'NEW_AND_OLD_IMAGES' };
app.synth();
