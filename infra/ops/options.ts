// The values that the operator's options take. An error completes a sentence that starts with the
// option, such as "--at is required", and never repeats the value, which could be an API key.

import * as z from 'zod/mini';
import { readKeyId } from '#shared/domain/api-keys.ts';
import { isCalendarDate } from '#shared/domain/dates.ts';
import { prefixPattern } from '#shared/domain/domain-names.ts';
import { isRate } from '#shared/domain/ecb-files.ts';
import { readEntryId } from '#shared/domain/entries/entry-ids.ts';
import { readJournalNumber } from '#shared/domain/entries/journal-entry.ts';
import { isRedirectUrl, maximumRedirectUrlLength } from '#shared/domain/redirect-urls.ts';
import { slotNames } from '#shared/platforms/slots.ts';
import { secretNames, versionedSecrets } from './stage-secrets.ts';

const given = z.string({ error: 'is required' });

/** An application's name. Its case is kept, and ignored in comparison. */
export const applicationName = given.check(
  z.trim(),
  z.normalize('NFC'),
  z.refine((name) => /^\P{Cc}{1,100}$/u.test(name), {
    error: 'takes 1 to 100 characters, none of them a control character',
  }),
);

export const keyId = given.check(
  z.refine((text) => readKeyId(text) !== undefined, {
    error: 'takes the id of a key: the 24 hexadecimal digits between lk_ and the next underscore',
  }),
);

const momentError = 'takes a time such as 2027-01-31T18:00:00Z, or a date for its start in UTC';

/** A moment, as the table keeps it: in UTC, to the millisecond. */
export const moment = z.pipe(
  given,
  z.pipe(
    z.union([z.iso.date(), z.iso.datetime({ offset: true })], { error: momentError }),
    z.pipe(
      z.transform((text: string) => new Date(text).toISOString()),
      z.iso.datetime({ error: momentError }),
    ),
  ),
);

export const dayCount = z.pipe(
  given.check(z.regex(/^[1-9]\d{0,3}$/, { error: 'takes a whole number of days from 1 to 9999' })),
  z.transform(Number),
);

export const calendarDate = given.check(
  z.refine(isCalendarDate, { error: 'takes a date of the calendar, written YYYY-MM-DD' }),
);

export const entryId = given.check(
  z.refine((text) => readEntryId(text) !== undefined, { error: 'takes the id of an entry' }),
);

export const journalNumber = given.check(
  z.refine((text) => readJournalNumber(text) !== undefined, {
    error: 'takes a journal number such as MJ-20260323-0001',
  }),
);

/** What a caller named something by. */
export const callersName = given.check(
  z.normalize('NFC'),
  z.refine((text) => /^.{1,255}$/su.test(text), { error: 'takes 1 to 255 characters' }),
);

export const exportFormat = z.enum(['hledger', 'csv'], { error: 'takes hledger or csv' });

export const currency = given.check(
  z.regex(/^[A-Z]{3}$/, { error: 'takes the three capital letters of a currency' }),
);

export const rate = given.check(
  z.refine(isRate, { error: 'takes units of the currency for one euro: a positive decimal' }),
);

/** Why something is done, for those who look at it later. */
export const reason = given.check(
  z.trim(),
  z.refine((text) => /^\P{Cc}{1,500}$/u.test(text), {
    error: 'takes 1 to 500 characters, none of them a control character',
  }),
);

export const redirectUrl = given.check(
  z.refine((text) => text.length <= maximumRedirectUrlLength && isRedirectUrl(text), {
    error:
      'takes an https URL (http for localhost) without user name, fragment and the parameters ' +
      'status, domain_url, error, code and state',
  }),
);

/** Where an API is, without what paths follow. */
export const webAddress = given.check(
  z.refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
    error: 'takes an address that starts with https:// or http://',
  }),
);

export const tableName = given.check(
  // DynamoDB Developer Guide, "Supported data types and naming rules".
  z.regex(/^[A-Za-z0-9_.-]{3,255}$/, { error: 'takes the name of a table, not its ARN' }),
);

export const entryLimit = z.pipe(
  given.check(z.regex(/^[1-9]\d{0,3}$/, { error: 'takes a whole number from 1 to 9999' })),
  z.transform(Number),
);

export const file = given;

export const secret = z.enum(secretNames, { error: `is one of ${secretNames.join(', ')}` });

export const versionedSecret = z.enum(versionedSecrets, {
  error: `is one of ${versionedSecrets.join(', ')}`,
});

export const keyVersion = given;

export const slot = z.enum(slotNames, { error: `takes one of ${slotNames.join(', ')}` });

/** What a platform knows us by is printable (RFC 6749 appendix A). */
export const clientId = given.check(
  z.regex(/^[\x20-\x7e]{1,200}$/, { error: 'takes 1 to 200 printable characters' }),
);

export const tenantPrefix = z.pipe(
  given,
  z.pipe(
    z.transform((text: string) => text.toLowerCase()),
    z.string().check(z.regex(prefixPattern, { error: "takes a tenant's prefix, not its domain" })),
  ),
);
