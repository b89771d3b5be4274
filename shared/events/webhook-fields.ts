// The fields of requests about webhooks.

import * as z from 'zod/mini';
import { domainUrl, newId, rule, text } from '../fields.ts';
import { type EventType, eventTypes } from './event-types.ts';
import { maximumUrlLength } from './webhooks.ts';

const maximumTenants = 50;

export const webhookId = newId(40).check(z.describe('Id of the webhook.'));

export const webhookUrl = newId(maximumUrlLength).check(
  z.describe('An https URL on port 443, of a public address.'),
);

export const webhookDescription = text(200).check(z.describe('A note for you.'));

/** The reply names the known types. */
const eventType = z.string().check(
  rule<string>('event_type_unknown', (it) => (eventTypes as readonly string[]).includes(it), {
    known: eventTypes.join(', '),
  }),
  z.meta({ enum: [...eventTypes] }),
);

export const webhookTypes = z
  .pipe(
    z.array(eventType).check(z.minLength(1), z.maxLength(eventTypes.length)),
    z.transform((types) => [...new Set(types)] as EventType[]),
  )
  .check(z.describe('Only events of these types.'));

export const webhookTenants = z
  .array(domainUrl)
  .check(z.minLength(1), z.maxLength(maximumTenants), z.describe('Only events of these tenants.'));
