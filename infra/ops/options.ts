// Schemas of the operator's option values. An error message follows the option's name, as in "--at
// is required". It must not repeat the value, which could be an API key.

import * as z from 'zod/mini';
import { readKeyId } from '#shared/applications/api-keys.ts';
import { isRedirectUrl, maximumRedirectUrlLength } from '#shared/connections/redirect-urls.ts';
import { readEntryId } from '#shared/entries/entry-ids.ts';
import { readJournalNumber } from '#shared/entries/journal-entry.ts';
import { isCalendarDate } from '#shared/money/dates.ts';
import { slotNames } from '#shared/platforms/slots.ts';
import { isRate } from '#shared/rates/ecb-files.ts';
import { prefixPattern } from '#shared/tenants/domain-names.ts';
import { secretNames, versionedSecrets } from './stage-secrets.ts';

const requiredText = z.string({ error: 'is required' });

/** Compared without case; stored with it. */
export const applicationName = requiredText.check(
  z.trim(),
  z.normalize('NFC'),
  z.refine((name) => /^\P{Cc}{1,100}$/u.test(name), {
    error: 'must have 1 to 100 characters and no control characters',
  }),
);

export const keyId = requiredText.check(
  z.refine((text) => readKeyId(text) !== undefined, {
    error: 'must be a key id: the 24 hexadecimal digits between lk_ and the next underscore',
  }),
);

const timestampError = 'must be a time such as 2027-01-31T18:00:00Z, or a date (00:00 UTC)';

/** Parsed to UTC with milliseconds, as stored. */
export const timestamp = z.pipe(
  requiredText,
  z.pipe(
    z.union([z.iso.date(), z.iso.datetime({ offset: true })], { error: timestampError }),
    z.pipe(
      z.transform((text: string) => new Date(text).toISOString()),
      z.iso.datetime({ error: timestampError }),
    ),
  ),
);

export const dayCount = z.pipe(
  requiredText.check(
    z.regex(/^[1-9]\d{0,3}$/, { error: 'must be a whole number of days from 1 to 9999' }),
  ),
  z.transform(Number),
);

export const calendarDate = requiredText.check(
  z.refine(isCalendarDate, { error: 'must be a calendar date, written YYYY-MM-DD' }),
);

export const entryId = requiredText.check(
  z.refine((text) => readEntryId(text) !== undefined, { error: 'must be an entry id' }),
);

export const journalNumber = requiredText.check(
  z.refine((text) => readJournalNumber(text) !== undefined, {
    error: 'must be a journal number such as MJ-20260323-0001',
  }),
);

/** A caller's own key: an `external_id` or an `Idempotency-Key`. */
export const callerKey = requiredText.check(
  z.normalize('NFC'),
  z.refine((text) => /^.{1,255}$/su.test(text), { error: 'must have 1 to 255 characters' }),
);

export const exportFormat = z.enum(['hledger', 'csv'], { error: 'must be hledger or csv' });

export const currency = requiredText.check(
  z.regex(/^[A-Z]{3}$/, { error: 'must be a currency code of three capital letters' }),
);

export const rate = requiredText.check(
  z.refine(isRate, { error: 'must be a positive decimal: units of the currency for one euro' }),
);

export const reason = requiredText.check(
  z.trim(),
  z.refine((text) => /^\P{Cc}{1,500}$/u.test(text), {
    error: 'must have 1 to 500 characters and no control characters',
  }),
);

export const redirectUrl = requiredText.check(
  z.refine((text) => text.length <= maximumRedirectUrlLength && isRedirectUrl(text), {
    error:
      'must be an https URL (http for localhost) without a user name, a fragment or the ' +
      'parameters status, domain_url, error, code and state',
  }),
);

export const webAddress = requiredText.check(
  z.refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
    error: 'must start with https:// or http://',
  }),
);

export const tableName = requiredText.check(
  // DynamoDB Developer Guide, "Supported data types and naming rules".
  z.regex(/^[A-Za-z0-9_.-]{3,255}$/, { error: 'must be a table name, not an ARN' }),
);

export const entryLimit = z.pipe(
  requiredText.check(z.regex(/^[1-9]\d{0,3}$/, { error: 'must be a whole number from 1 to 9999' })),
  z.transform(Number),
);

export const file = requiredText;

export const secret = z.enum(secretNames, { error: `must be one of ${secretNames.join(', ')}` });

export const versionedSecret = z.enum(versionedSecrets, {
  error: `must be one of ${versionedSecrets.join(', ')}`,
});

export const keyVersion = requiredText;

export const slot = z.enum(slotNames, { error: `must be one of ${slotNames.join(', ')}` });

/** Client ids are printable (RFC 6749 appendix A). */
export const clientId = requiredText.check(
  z.regex(/^[\x20-\x7e]{1,200}$/, { error: 'must have 1 to 200 printable characters' }),
);

export const tenantPrefix = z.pipe(
  requiredText,
  z.pipe(
    z.transform((text: string) => text.toLowerCase()),
    z
      .string()
      .check(z.regex(prefixPattern, { error: "must be a tenant's prefix, not its domain" })),
  ),
);
