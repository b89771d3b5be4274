// The fields of requests that name types of events.

import * as z from 'zod/mini';
import { rule } from '../fields.ts';
import { type EventType, eventTypes } from './event-types.ts';

const isEventType = (text: string): text is EventType =>
  (eventTypes as readonly string[]).includes(text);

/** The rule that all types in a text are known. The reply names the known ones. */
const allKnown = (typesIn: (text: string) => string[]) =>
  rule<string>('event_type_unknown', (text) => typesIn(text).every(isEventType), {
    known: eventTypes.join(', '),
  });

/** Types in a query, separated by commas. */
export const eventTypeList = z.pipe(
  z.string().check(
    allKnown((text) => text.split(',')),
    z.describe('Only events of these types, separated by commas.'),
  ),
  z.transform((text) => text.split(',') as EventType[]),
);

const eventType = z.string().check(
  allKnown((text) => [text]),
  z.meta({ enum: [...eventTypes] }),
);

/** Types in a body. */
export const eventTypeArray = z
  .pipe(
    z.array(eventType).check(z.minLength(1), z.maxLength(eventTypes.length)),
    z.transform((types) => [...new Set(types)] as EventType[]),
  )
  .check(z.describe('Only events of these types.'));
