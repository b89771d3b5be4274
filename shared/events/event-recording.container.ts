// Wires the recording of events.

import { openDueWork } from '../background/due-index.store.ts';
import type { Slots } from '../platforms/slots.ts';
import type { Table } from '../table/table.ts';
import type { Telemetry } from '../telemetry.ts';
import { type EventRecording, openEventRecording } from './event-recording.service.ts';
import { openFeedRecording } from './feed-recording.store.ts';
import { openHeldChanges } from './held-changes.store.ts';

export const openEventRecordingOf = (
  table: Table,
  tools: Telemetry & { slots: Slots; clock: () => Date },
): EventRecording =>
  openEventRecording({
    ...tools,
    feedRecording: openFeedRecording(table, tools),
    heldChanges: openHeldChanges(table),
    dueWork: openDueWork(table),
  });
