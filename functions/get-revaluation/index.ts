// Entry point of get-revaluation.

import { openRevaluationsApi } from '#shared/revaluations/revaluations.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openRevaluationsApi('get-revaluation'));
