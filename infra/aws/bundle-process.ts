// Bundles every function into the folder of its argument, in a process of its own.

import { recordBundles, removeRecord } from './bundle-cache.ts';
import { bundleWithInputs, functionNames } from './bundles.ts';

const [folder = ''] = process.argv.slice(2);
await removeRecord(folder);
const { inputs } = await bundleWithInputs(functionNames, folder);
await recordBundles(folder, inputs);
