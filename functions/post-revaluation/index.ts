// Entry point of post-revaluation.

import { openRevaluationsApi } from '#shared/revaluations/revaluations.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openRevaluationsApi('post-revaluation'));
