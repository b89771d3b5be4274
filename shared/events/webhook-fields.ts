// The fields of requests about webhooks.

import * as z from 'zod/mini';
import { domainUrl, newId, text } from '../fields.ts';
import { maximumUrlLength } from './webhooks.ts';

const maximumTenants = 50;

export const webhookId = newId(40).check(z.describe('Id of the webhook.'));

export const webhookUrl = newId(maximumUrlLength).check(
  z.describe('An https URL on port 443, of a public address.'),
);

export const webhookDescription = text(200).check(z.describe('A note for you.'));

export const webhookTenants = z
  .array(domainUrl)
  .check(z.minLength(1), z.maxLength(maximumTenants), z.describe('Only events of these tenants.'));
