// `npm run synth [folder]`: creates the templates of all stages, without an AWS account. It fails
// on findings of CDK's rules and cdk-nag.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { deployedStages } from '../manifest/stages.ts';
import { bundleAll } from './bundles.ts';
import { createStageApp } from './stage-app.ts';

const [folder = 'cdk.out'] = process.argv.slice(2);
const bundles = await bundleAll(join(folder, 'bundles'));

for (const stage of deployedStages) {
  const { app } = createStageApp(stage, { bundles, outdir: join(folder, stage.name) });
  const sizes = app.synth().stacks.map(({ stackName, template, templateFullPath }) => {
    const resources = Object.keys(template.Resources).length;
    const kilobytes = Math.ceil(statSync(templateFullPath).size / 1000);
    return `${stackName} (${resources} resources, ${kilobytes} kB)`;
  });
  console.log(`${stage.name}: ${sizes.join(', ')}`);
}
