// The walk: from an empty account to a serving stage, and back to an empty account. Development is
// used before it changes. Production was deployed by the last release, changes, and is used then.

import type { Emulator } from '../emulator.ts';
import type { Report } from '../report.ts';
import { checkFunctions, walkBackground } from './background.ts';
import { tearDown, walkChanges } from './changes.ts';
import { walkConnections } from './connections.ts';
import type { Deployed } from './deployed.ts';
import { deployStage } from './deployment.ts';
import { walkEndpoints } from './endpoints.ts';
import { walkRefusals } from './refusals.ts';
import { walkRestore } from './restore.ts';
import { walkUpgrade } from './upgrade.ts';

type Walked = { deployed: Deployed; report: Report };

const walkOperations = async (emulator: Emulator, walked: Walked): Promise<void> => {
  await walkChanges(emulator, walked);
  await walkRestore(emulator, walked);
};

export const walk = async (emulator: Emulator, report: Report): Promise<void> => {
  const deployed = await deployStage(emulator, report);
  const walked = { deployed, report };
  if (emulator.released) {
    await walkUpgrade(emulator, walked);
    await walkOperations(emulator, walked);
  }
  await walkEndpoints(emulator, walked);
  await walkRefusals(emulator, walked);
  await walkConnections(emulator, walked);
  await walkBackground(emulator, walked);
  if (!emulator.released) await walkOperations(emulator, walked);
  await checkFunctions(emulator, report);
  await tearDown(emulator, report);
};
