// The walk: from an empty account to a stage that serves, what it promises, and back to nothing.

import type { Emulator } from '../emulator.ts';
import type { Report } from '../report.ts';
import { deployStage } from './deployment.ts';
import { walkEndpoints } from './endpoints.ts';
import { walkRefusals } from './refusals.ts';

export const notShown = '';

export const walk = async (emulator: Emulator, report: Report): Promise<void> => {
  const deployed = await deployStage(emulator, report);
  await walkEndpoints(emulator, { deployed, report });
  await walkRefusals(emulator, { deployed, report });
};
