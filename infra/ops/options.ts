// The options and arguments of commands: how each is named in the help, and which texts it accepts.
// A rule follows the option's name, as in "--at must be a time". It must not repeat the text, which
// could be an API key.

import { readKeyId } from '#shared/applications/api-keys.ts';
import { isRedirectUrl, maximumRedirectUrlLength } from '#shared/connections/redirect-urls.ts';
import { readEntryId } from '#shared/entries/entry-ids.ts';
import { isCalendarDate } from '#shared/money/dates.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { prefixPattern } from '#shared/tenants/domain-names.ts';
import type { SecretName } from '../manifest/function-row.ts';

/** A kind of text that options accept. */
type Kind<Value> = {
  /** What the help calls the text. */
  value: string;
  purpose: string;
  rule: string;
  /** Resolves to `undefined` if the text breaks the rule. */
  read: (text: string) => Value | undefined | Promise<Value | undefined>;
};

/** One option, or one argument without a name, of a command. */
export type Parameter<Value = unknown> = Kind<Value> & {
  isRequired: boolean;
  isOperand?: true;
  isRepeatable?: true;
};
/** An option without a value. It is `true` if the operator passes it. */
export type Flag = { isFlag: true; purpose: string };

export type Parameters = Readonly<Record<string, Parameter | Flag>>;

type Required<Value> = Parameter<Value> & { isRequired: true };
type ValueOf<P> = P extends Parameter<infer Value> ? Value : boolean;
type RequiredNames<P extends Parameters> = {
  [Name in keyof P]: P[Name] extends { isRequired: true } ? Name : never;
}[keyof P];

/** The options of a command as its `run` gets them. */
export type Values<P extends Parameters> = { [Name in RequiredNames<P>]: ValueOf<P[Name]> } & {
  [Name in Exclude<keyof P, RequiredNames<P>>]?: ValueOf<P[Name]> | undefined;
};

export const required = <Value>(kind: Kind<Value>, purpose = kind.purpose): Required<Value> => ({
  ...kind,
  purpose,
  isRequired: true,
});

export const optional = <Value>(
  kind: Kind<Value>,
  purpose = kind.purpose,
): Parameter<Value> & { isRequired: false } => ({ ...kind, purpose, isRequired: false });

/** A required argument without a name. */
export const operand = <Value>(kind: Kind<Value>): Required<Value> & { isOperand: true } => ({
  ...required(kind),
  isOperand: true,
});

/** An option that can be passed several times. */
export const repeatable = <Value>(kind: Kind<Value>, purpose: string) => ({
  ...(kind as unknown as Kind<Value[]>),
  purpose,
  isRequired: false as const,
  isRepeatable: true as const,
});

export const flag = (purpose: string): Flag => ({ isFlag: true, purpose });

/** A kind whose value is the text itself. */
const text = (value: string, purpose: string, rule: string, pattern: RegExp): Kind<string> => ({
  value,
  purpose,
  rule,
  read: (it) => (pattern.test(it) ? it : undefined),
});

const oneOf = <Name extends string>(
  value: string,
  purpose: string,
  names: readonly Name[],
): Kind<Name> => ({
  value,
  purpose: `${purpose}: ${names.join(', ')}`,
  rule: `must be one of ${names.join(', ')}`,
  read: (it) => names.find((name) => name === it),
});

const wholeNumber = (purpose: string, rule: string): Kind<number> => ({
  value: 'n',
  purpose,
  rule,
  read: (it) => (/^[1-9]\d{0,3}$/.test(it) ? Number(it) : undefined),
});

/** Compared without case; stored with it. */
export const applicationName: Kind<string> = {
  value: 'name',
  purpose: "the application's name, in any case",
  rule: 'must have 1 to 100 characters and no control characters',
  read: (it) => /^\P{Cc}{1,100}$/u.exec(it.trim().normalize('NFC'))?.[0],
};

export const tenantPrefix: Kind<string> = {
  value: 'prefix',
  purpose: "the tenant's domain prefix",
  rule: "must be a tenant's prefix, not its domain",
  read: (it) => (prefixPattern.test(it.toLowerCase()) ? it.toLowerCase() : undefined),
};

export const keyId: Kind<string> = {
  value: 'key-id',
  purpose: 'the 24 digits between lk_ and the next underscore',
  rule: 'must be a key id: the 24 hexadecimal digits between lk_ and the next underscore',
  read: (it) => (readKeyId(it) ? it : undefined),
};

/** Parsed to UTC with milliseconds, as stored. */
export const timestamp: Kind<string> = {
  value: 'time',
  purpose: 'a time such as 2027-01-31T18:00:00Z, or a date (00:00 UTC)',
  rule: 'must be a time such as 2027-01-31T18:00:00Z, or a date (00:00 UTC)',
  read: (it) => {
    const [, date = '', time] =
      /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(it) ?? [];
    const moment = new Date(time ? it : `${date}T00:00:00Z`);
    if (!isCalendarDate(date) || Number.isNaN(moment.getTime())) return undefined;
    const utc = moment.toISOString();
    return /^\d{4}-/.test(utc) ? utc : undefined;
  },
};

export const dayCount = wholeNumber(
  'days from now',
  'must be a whole number of days from 1 to 9999',
);
export const entryLimit = wholeNumber(
  'the maximum number of rows',
  'must be a whole number from 1 to 9999',
);

export const calendarDate: Kind<string> = {
  value: 'date',
  purpose: 'a date, written YYYY-MM-DD',
  rule: 'must be a calendar date, written YYYY-MM-DD',
  read: (it) => (isCalendarDate(it) ? it : undefined),
};

export const entryId: Kind<string> = {
  value: 'id',
  purpose: "the entry's journal_entry_id",
  rule: 'must be an entry id',
  read: (it) => (readEntryId(it) ? it : undefined),
};

export const journalNumber: Kind<string> = {
  value: 'number',
  purpose: "the entry's journal number, such as MJ-20260323-0001",
  rule: 'must be a journal number such as MJ-20260323-0001',
  read: async (it) => {
    const { readJournalNumber } = await import('#shared/entries/journal-entry.ts');
    return readJournalNumber(it) ? it : undefined;
  },
};

/** A caller's own key: an `external_id` or an `Idempotency-Key`. */
export const callerKey: Kind<string> = {
  value: 'key',
  purpose: 'the key that the caller sent',
  rule: 'must have 1 to 255 characters',
  read: (it) => /^.{1,255}$/su.exec(it.normalize('NFC'))?.[0],
};

export const exportFormat = oneOf('format', 'the format', ['hledger', 'csv']);

export const currency = text(
  'code',
  'a currency code such as USD',
  'must be a currency code of three capital letters',
  /^[A-Z]{3}$/,
);

export const rate: Kind<string> = {
  value: 'rate',
  purpose: 'units of the currency for one euro',
  rule: 'must be a positive decimal: units of the currency for one euro',
  read: async (it) => ((await import('#shared/rates/ecb-files.ts')).isRate(it) ? it : undefined),
};

export const reason: Kind<string> = {
  value: 'text',
  purpose: 'why, for the record',
  rule: 'must have 1 to 500 characters and no control characters',
  read: (it) => /^\P{Cc}{1,500}$/u.exec(it.trim())?.[0],
};

export const redirectUrl: Kind<string> = {
  value: 'url',
  purpose: 'a redirect URL',
  rule:
    'must be an https URL (http for localhost) without a user name, a fragment or the ' +
    'parameters status, domain_url, error, code and state',
  read: (it) => (it.length <= maximumRedirectUrlLength && isRedirectUrl(it) ? it : undefined),
};

export const anyText = text('text', '', 'must not be empty', /./su);

export const webAddress: Kind<string> = {
  value: 'url',
  purpose: 'the address of the API',
  rule: 'must start with https:// or http://',
  read: (it) => (/^https?:$/.test(URL.parse(it)?.protocol ?? '') ? it : undefined),
};

// DynamoDB Developer Guide, "Supported data types and naming rules".
export const tableName = text(
  'name',
  'the name of a table',
  'must be a table name, not an ARN',
  /^[A-Za-z0-9_.-]{3,255}$/,
);

export const file = text('file', 'an XML or CSV file', 'must be the name of a file', /./su);

/** The secrets that hold keys by version. */
export const versionedSecrets = [
  'api-key-pepper',
  'token-sealing-keys',
  'oauth-state-keys',
] as const satisfies readonly SecretName[];

export type VersionedSecret = (typeof versionedSecrets)[number];

export const secretNames = [...versionedSecrets, 'platform-clients'] as const;

export const secret = oneOf('secret', 'the secret', secretNames);

export const versionedSecret = oneOf('secret', 'the secret', versionedSecrets);

export const keyVersion = text('version', 'the version', 'must not be empty', /./su);

const slots: Record<Slot, true> = { platform_a: true, platform_b: true, platform_c: true };
export const slotNames = Object.keys(slots) as Slot[];

export const slot = oneOf('slot', "the platform's slot", slotNames);

/** Client ids are printable (RFC 6749 appendix A). */
export const clientId = text(
  'id',
  'the client id that the platform issued',
  'must have 1 to 200 printable characters',
  /^[\x20-\x7e]{1,200}$/,
);
