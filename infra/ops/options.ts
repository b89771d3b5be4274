// The options and arguments of commands: how the help names them, and which texts they accept.

import { plans, readKeyId } from '#shared/applications/api-keys.ts';
import { readEntryId } from '#shared/entries/entry-ids.ts';
import { isCalendarDate } from '#shared/money/dates.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import type { Publisher } from '#shared/rates/exchange-rates.ts';
import { prefixPattern } from '#shared/tenants/domain-names.ts';
import { secretNames, versionedSecrets } from '../manifest/function-row.ts';

/** A kind of text that options accept. */
type Kind<Value> = {
  /** What the help calls the text. */
  value: string;
  /** What the text must be. It follows "must be" in a message, which does not repeat the text. */
  is: string;
  /** Resolves to `undefined` if the text is something else. */
  read: (text: string) => Value | undefined | Promise<Value | undefined>;
};

/** An option, or an argument without a name. */
export type Parameter<Value = unknown> = Kind<Value> & {
  purpose: string;
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

export const required = <Value>(kind: Kind<Value>, purpose = kind.is): Required<Value> => ({
  ...kind,
  purpose,
  isRequired: true,
});

export const optional = <Value>(kind: Kind<Value>, purpose = kind.is) => ({
  ...kind,
  purpose,
  isRequired: false as const,
});

/** A required argument without a name. */
export const operand = <Value>(kind: Kind<Value>, purpose = kind.is) => ({
  ...required(kind, purpose),
  isOperand: true as const,
});

/** An option that can be passed several times. */
export const repeatable = <Value>(kind: Kind<Value>, purpose: string) => ({
  ...optional(kind as unknown as Kind<Value[]>, purpose),
  isRepeatable: true as const,
});

export const flag = (purpose: string): Flag => ({ isFlag: true, purpose });

/** A kind whose value is the text, or the text as `normalize` changes it. */
const text = (
  value: string,
  is: string,
  test: RegExp | ((text: string) => unknown),
  normalize = (it: string): string => it,
): Kind<string> => ({
  value,
  is,
  read: async (it) => {
    const normalized = normalize(it);
    const passes = test instanceof RegExp ? test.test(normalized) : await test(normalized);
    return passes ? normalized : undefined;
  },
});

const oneOf = <Name extends string>(value: string, names: readonly Name[]): Kind<Name> => ({
  value,
  is: `one of ${names.join(', ')}`,
  read: (it) => names.find((name) => name === it),
});

export const count: Kind<number> = {
  value: 'n',
  is: 'a whole number from 1 to 9999',
  read: (it) => (/^[1-9]\d{0,3}$/.test(it) ? Number(it) : undefined),
};

/** Compared without case; stored with it. */
export const applicationName = text(
  'name',
  'a name of 1 to 100 characters, without control characters',
  /^\P{Cc}{1,100}$/u,
  (it) => it.trim().normalize('NFC'),
);

export const tenantPrefix = text(
  'prefix',
  "a tenant's prefix, not its domain",
  prefixPattern,
  (it) => it.toLowerCase(),
);

export const keyId = text(
  'key-id',
  'a key id: the 24 hexadecimal digits between lk_ and the next underscore',
  readKeyId,
);

export const webhookId = text('webhook-id', 'the id of a webhook: wh_…', /^wh_[\w-]{16}$/);

/** Parsed to UTC with milliseconds, as stored. */
export const timestamp: Kind<string> = {
  value: 'time',
  is: 'a time such as 2027-01-31T18:00:00Z, or a date (00:00 UTC)',
  read: (it) => {
    const [, date = '', time] =
      /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(it) ?? [];
    const moment = new Date(time ? it : `${date}T00:00:00Z`);
    if (!isCalendarDate(date) || Number.isNaN(moment.getTime())) return undefined;
    const utc = moment.toISOString();
    return /^\d{4}-/.test(utc) ? utc : undefined;
  },
};

export const calendarDate = text('date', 'a calendar date, written YYYY-MM-DD', isCalendarDate);

export const entryId = text('id', 'an entry id', readEntryId);

export const journalNumber = text(
  'number',
  'a journal number such as MJ-20260323-0001',
  async (it) => (await import('#shared/entries/journal-entry.ts')).readJournalNumber(it),
);

/** A caller's own key: an `external_id` or an `Idempotency-Key`. */
export const callerKey = text('key', 'a key of 1 to 255 characters', /^.{1,255}$/su, (it) =>
  it.normalize('NFC'),
);

export const exportFormat = oneOf('format', ['hledger', 'csv']);

export const plan = oneOf('plan', plans);

export const currency = text('code', 'a currency code of three capital letters', /^[A-Z]{3}$/);

export const publisher = oneOf<Publisher>('publisher', ['ecb', 'nbp']);

export const rate = text(
  'rate',
  'a positive decimal: units of the currency for one euro',
  async (it) => (await import('#shared/rates/ecb-files.ts')).isRate(it),
);

export const reason = text(
  'text',
  'a text of 1 to 500 characters, without control characters',
  /^\P{Cc}{1,500}$/u,
  (it) => it.trim(),
);

export const redirectUrl = text(
  'url',
  'an https URL (http for localhost) without a user name, a fragment or the parameters status, ' +
    'domain_url, error, code and state',
  async (it) => {
    const { isRedirectUrl, maximumRedirectUrlLength } = await import(
      '#shared/connections/redirect-urls.ts'
    );
    return it.length <= maximumRedirectUrlLength && isRedirectUrl(it);
  },
);

export const webAddress = text('url', 'an address that starts with https:// or http://', (it) =>
  /^https?:$/.test(URL.parse(it)?.protocol ?? ''),
);

// DynamoDB Developer Guide, "Supported data types and naming rules".
export const tableName = text('name', 'a table name, not an ARN', /^[A-Za-z0-9_.-]{3,255}$/);

export const anyText = text('text', 'a text', /./su);

export type VersionedSecret = (typeof versionedSecrets)[number];

export const secret = oneOf('secret', secretNames);

export const versionedSecret = oneOf('secret', versionedSecrets);

const slots: Record<Slot, true> = { platform_a: true, platform_b: true, platform_c: true };
export const slotNames = Object.keys(slots) as Slot[];

export const slot = oneOf('slot', slotNames);

/** Client ids are printable (RFC 6749 appendix A). */
export const clientId = text(
  'id',
  'a text of 1 to 200 printable characters',
  /^[\x20-\x7e]{1,200}$/,
);
