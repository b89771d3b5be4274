// Entry point of record-events.

import { openRecordingFunction } from '#shared/events/event-recording.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openRecordingFunction('record-events'));
