// The walk: from an empty account to a serving stage, and back to an empty account.

import type { Emulator } from '../emulator.ts';
import type { Report } from '../report.ts';
import { checkFunctions, walkBackground } from './background.ts';
import { tearDown, walkChanges } from './changes.ts';
import { walkConnections } from './connections.ts';
import { deployStage } from './deployment.ts';
import { walkEndpoints } from './endpoints.ts';
import { walkRefusals } from './refusals.ts';
import { walkRestore } from './restore.ts';

export const walk = async (emulator: Emulator, report: Report): Promise<void> => {
  const deployed = await deployStage(emulator, report);
  const walked = { deployed, report };
  await walkEndpoints(emulator, walked);
  await walkRefusals(emulator, walked);
  await walkConnections(emulator, walked);
  await walkBackground(emulator, walked);
  await walkChanges(emulator, walked);
  await walkRestore(emulator, walked);
  await checkFunctions(emulator, report);
  await tearDown(emulator, report);
};
