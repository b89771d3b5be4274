// Entry point of carry-totals.

import { openBackground } from '#shared/background/background.container.ts';
import { openCarryForward } from '#shared/sheets/carry-forward.store.ts';
import { openVerifications } from '#shared/verification/verifications.store.ts';
import { createHandler } from './handler.ts';

const background = openBackground('carry-totals', {});

export const handler = createHandler({
  ...background,
  carryForward: openCarryForward(background.table),
  verifications: openVerifications(background.table),
});
