// The walk: from an empty account to a stage that serves, what it promises, and back to nothing.

import type { Emulator } from '../main.ts';
import type { Report } from '../report.ts';
import { deployStage } from './deployment.ts';

export const walk = async (emulator: Emulator, report: Report): Promise<void> => {
  await deployStage(emulator, report);
};
