// The fields of requests that name types of events.

import * as z from 'zod/mini';
import { rule } from '../fields.ts';
import { type EventType, eventTypes } from './event-types.ts';

const isEventType = (text: string): text is EventType =>
  (eventTypes as readonly string[]).includes(text);

/** The reply names the known types. */
const known = { known: eventTypes.join(', ') };

/** Types in a query, separated by commas. */
export const eventTypeList = z.pipe(
  z.string().check(
    rule<string>('event_type_unknown', (text) => text.split(',').every(isEventType), known),
    z.describe('Only events of these types, separated by commas.'),
  ),
  z.transform((text) => text.split(',') as EventType[]),
);
