// Entry point of resume-deliveries.

import { openRecordingFunction } from '#shared/events/event-recording.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openRecordingFunction('resume-deliveries'));
