// The keys of the table. Only the files *keys.ts of this folder write a pk or an sk.
// The key of everything that an application owns contains the application id. So one application
// cannot read another's items, even by mistake.
//
//   access pattern                         pk                          sk
//   -------------------------------------  --------------------------  -------------------------
//   authorize a key (batch of 3)           APP#<app>                   APP, KEY#<key id>
//     the day of its last use              APP#<app>#KEYUSE            KEY#<key id>
//   used units of a minute                 APP#<app>#BUDGET            <minute>
//   list an application's keys             APP#<app>                   begins with KEY#
//   count of its tenants                   APP#<app>#QUOTA             TENANTS
//     its tenants, the oldest first        list-keys.ts
//   list applications                      APPS                        <name>
//   ensure a user                          APP#<app>#USER#<email>      USER
//     its password, not read by anything   APP#<app>#PASSWORD#<email>  PASSWORD
//   profile: user, links to its tenants    APP#<app>#USER#<email>      USER, TENANT#<schema>
//   a user by id                           APP#<app>#USERID#<id>       USERID
//   a tenant                               APP#<app>#TENANT#<schema>   TENANT
//   accounts of an entry (batch)           APP#<app>#TENANT#<schema>   ACCOUNT#<code>
//   count of its accounts, its history     APP#<app>#TENANT#<schema>   COUNT#ACCOUNTS
//   accounts by the platform's id (batch)  APP#<app>#TENANT#<schema>   ACCOUNTID#<account id>
//   sheet of a date and series             APP#<app>#TENANT#<schema>   SEQUENCE#<date>#<series>
//     its totals, carried forward          APP#<app>#TENANT#<schema>   carried-keys.ts
//   the last verification of its books     APP#<app>#TENANT#<schema>   VERIFICATION
//     entries that wait                    APP#<app>#TENANT#<schema>   inbox-keys.ts
//   an entry, in date and number order     APP#<app>#TENANT#<schema>   ENTRY#<date>#<series>#<n>
//     its lines after the first hundred    APP#<app>#TENANT#<schema>   ENTRY#<...>#LINES#<n>
//     what serves lists of entries         APP#<app>#TENANT#<schema>   list-keys.ts
//     a date with scheduled entries        APP#<app>#TENANT#<schema>   DUEDATE#<date>
//   an entry by external_id                APP#<app>#TENANT#<schema>   EXT#<external id>
//   an entry by Idempotency-Key            APP#<app>#TENANT#<schema>   IDEMPOTENCY#<key>
//   an imported journal (batch)            APP#<app>#TENANT#<schema>   REF#<platform's reference>
//     count of later revisions             APP#<app>#TENANT#<schema>   COUNT#REVISIONS
//     listed by a complete import          APP#<app>#TENANT#<schema>   LISTED#<pass>#<cursor>
//   comparison with its platform           APP#<app>#TENANT#<schema>   COMPARISON
//     a report of the platform             APP#<app>#TENANT#<schema>   REPORT#<date|LAST>#<part>
//   its history                            APP#<app>#TENANT#<schema>   history-keys.ts
//     until format 5: changes of its lock  APP#<app>#TENANT#<schema>   LOCK#<moment>#<random>
//   platform tokens, sealed                APP#<app>#TENANT#<schema>   CONNECTION
//   a connection to be confirmed           APP#<app>#TENANT#<schema>   PENDING-CONNECTION
//   the requested import, its progress     APP#<app>#TENANT#<schema>   IMPORT
//     the pace of all imports, of an app   IMPORTS#PACE                ALL, <app>
//   the tenant of a connected company      APP#<app>#COMPANY#<p>#<id>  COMPANY
//   a tenant creation, by Idempotency-Key  APP#<app>#IDEMPOTENCY#<key> IDEMPOTENCY
//   the tenant of a prefix                 DOMAIN#<schema>             DOMAIN
//   a pending authorization                STATE#<hash>                STATE
//     its consent, until a company is chosen  STATE#<hash>             STATE
//   last rates on or before a date         RATES, RATES#NBP            <date>
//     their version, first dates (batch)   RATES#STATE                 STATE
//     corrections of a day's rates         RATES#<date>                <currency>#<version>
//   operators' changes, by time            AUDIT#<month>               <moment>#<audit id>
//   the months with changes                AUDIT                       <month>
//   the stored format, the last releases   DEPLOYMENT                  FORMAT, RELEASES
//
//   index "due", event feeds               due-keys.ts, event-keys.ts

import { createHash } from 'node:crypto';
import type { EntryPlace, JournalSeries } from '../entries/journal-entry.ts';

/** The primary key of an item. */
export type Key = { pk: string; sk: string };

/** A key as text, for maps of items. */
export const keyText = ({ pk, sk }: Key): string => `${pk}\n${sk}`;

export const keyOfItem = ({ pk, sk }: Record<string, unknown>): Key => ({
  pk: String(pk),
  sk: String(sk),
});

export const ownedBy = (applicationId: string): string => `APP#${applicationId}`;

export const applicationKey = (applicationId: string): Key => ({
  pk: ownedBy(applicationId),
  sk: 'APP',
});

export const apiKeyKey = (owner: { applicationId: string; keyId: string }): Key => ({
  pk: ownedBy(owner.applicationId),
  sk: `${apiKeyPrefix}${owner.keyId}`,
});
export const apiKeyPrefix = 'KEY#';

/**
 * The last use of a key. A function writes it, so it has another partition than the application,
 * which only operators write.
 */
export const keyUseKey = (owner: { applicationId: string; keyId: string }): Key => ({
  pk: `${ownedBy(owner.applicationId)}#KEYUSE`,
  sk: apiKeyKey(owner).sk,
});

/** An application's used units in a minute. Functions write it, so it has its own partition. */
export const budgetKey = (place: { applicationId: string; minute: string }): Key => ({
  pk: `${ownedBy(place.applicationId)}#BUDGET`,
  sk: place.minute,
});

/** Until when the budget of all imports, or of the imports of an application, is used. */
export const importPacePartition = 'IMPORTS#PACE';
export const importPaceKey = (owner: 'ALL' | { applicationId: string }): Key => ({
  pk: importPacePartition,
  sk: owner === 'ALL' ? owner : owner.applicationId,
});

export const tenantCountSort = 'TENANTS';
export const tenantCountKey = (applicationId: string): Key => ({
  pk: `${ownedBy(applicationId)}#QUOTA`,
  sk: tenantCountSort,
});

export const applicationNamePartition = 'APPS';
export const applicationNameKey = (name: string): Key => ({
  pk: applicationNamePartition,
  sk: name.toLowerCase(),
});

/** A user's key, from the address in upper or lower case. */
export const userKey = (user: { applicationId: string; email: string }): Key => ({
  pk: `${ownedBy(user.applicationId)}#USER#${user.email.toLowerCase()}`,
  sk: 'USER',
});
/** Passwords have their own partition kind: a grant for users does not include passwords. */
export const passwordKey = (user: { applicationId: string; email: string }): Key => ({
  pk: `${ownedBy(user.applicationId)}#PASSWORD#${user.email.toLowerCase()}`,
  sk: 'PASSWORD',
});
export const tenantLinkPrefix = 'TENANT#';
export const tenantLinkKey = (
  user: { applicationId: string; email: string },
  schemaName: string,
): Key => ({ pk: userKey(user).pk, sk: `${tenantLinkPrefix}${schemaName}` });
export const userIdKey = (user: { applicationId: string; userId: string }): Key => ({
  pk: `${ownedBy(user.applicationId)}#USERID#${user.userId}`,
  sk: 'USERID',
});

export type TenantName = { applicationId: string; schemaName: string };

const tenantPartition = ({ applicationId, schemaName }: TenantName): string =>
  `${ownedBy(applicationId)}#TENANT#${schemaName}`;

export const inTenant = (tenant: TenantName, sk: string): Key => ({
  pk: tenantPartition(tenant),
  sk,
});

/** The tenant that an item belongs to; `undefined` for an item outside of tenants. */
export const tenantNameOf = ({ pk }: Pick<Key, 'pk'>): TenantName | undefined => {
  const [, applicationId, schemaName] = /^APP#([^#]+)#TENANT#([^#]+)$/.exec(pk) ?? [];
  return applicationId && schemaName ? { applicationId, schemaName } : undefined;
};

export const tenantSort = 'TENANT';
export const tenantKey = (tenant: TenantName): Key => inTenant(tenant, tenantSort);
/** Earlier versions stored changes of the lock apart from the history. */
export const lockChangePrefix = 'LOCK#';
export const connectionSort = 'CONNECTION';
export const connectionKey = (tenant: TenantName): Key => inTenant(tenant, connectionSort);
export const pendingConnectionSort = 'PENDING-CONNECTION';
/** A connection that waits for confirmation, next to the active connection, if there is one. */
export const pendingConnectionKey = (tenant: TenantName): Key =>
  inTenant(tenant, pendingConnectionSort);
export const importKey = (tenant: TenantName): Key => inTenant(tenant, 'IMPORT');
export const accountPrefix = 'ACCOUNT#';
export const accountKey = (tenant: TenantName, code: string): Key =>
  inTenant(tenant, `${accountPrefix}${code}`);
export const accountCountKey = (tenant: TenantName): Key => inTenant(tenant, 'COUNT#ACCOUNTS');
export const platformAccountPrefix = 'ACCOUNTID#';
export const platformAccountKey = (tenant: TenantName, accountId: string): Key =>
  inTenant(tenant, `${platformAccountPrefix}${accountId}`);
export const sheetPrefix = 'SEQUENCE#';
/** Each series has its own sheets, so imported journals leave no gaps in the other numbers. */
export const sheetKey = (
  tenant: TenantName,
  { series, date }: { series: JournalSeries; date: string },
): Key => inTenant(tenant, `${sheetPrefix}${date}#${series}`);
/** The date and series of a sheet, by its key. */
export const readSheetKey = ({ sk }: Pick<Key, 'sk'>): { date: string; series: JournalSeries } => {
  const [, date = '', series] = sk.split('#');
  return { date, series: series as JournalSeries };
};
/** With this short prefix, 255 characters of four bytes fit into a sort key of 1,024 bytes. */
export const externalIdKey = (tenant: TenantName, externalId: string): Key =>
  inTenant(tenant, `EXT#${externalId}`);
export const entryIdempotencyKey = (tenant: TenantName, idempotencyKey: string): Key =>
  inTenant(tenant, `IDEMPOTENCY#${idempotencyKey}`);
export const journalReferenceKey = (tenant: TenantName, reference: string): Key =>
  inTenant(tenant, `REF#${reference}`);
export const revisionCountKey = (tenant: TenantName): Key => inTenant(tenant, 'COUNT#REVISIONS');
export const listedJournalsKey = (tenant: TenantName, page: string): Key =>
  inTenant(tenant, `LISTED#${page}`);
export const comparisonKey = (tenant: TenantName): Key => inTenant(tenant, 'COMPARISON');
/** A report of the end of a month, or `LAST`. */
export const reportPrefix = (place: string): string => `REPORT#${place}#`;
export const reportKey = (tenant: TenantName, place: string, part: number): Key =>
  inTenant(tenant, `${reportPrefix(place)}${String(part).padStart(3, '0')}`);
export const entryPrefix = 'ENTRY#';
/** Padding gives sequences the order of numbers, and no key is the prefix of another. */
export const entryKey = (tenant: TenantName, { series, date, sequence }: EntryPlace): Key =>
  inTenant(tenant, `${entryPrefix}${date}#${series}#${String(sequence).padStart(9, '0')}`);
/** A bound before all entries of a date and series, and after all earlier entries. */
export const entriesFrom = ({ date, series }: { date: string; series: JournalSeries }): string =>
  `${entryPrefix}${date}#${series}#`;
/** The place of an entry, from the key of its item or of an item with its further lines. */
export const readEntryKey = ({ sk }: Pick<Key, 'sk'>): EntryPlace => {
  const [, date = '', series, sequence] = sk.split('#');
  return { date, series: series as JournalSeries, sequence: Number(sequence) };
};
/** The date in the second part of a sort key. */
export const dateOfPlace = ({ sk }: Pick<Key, 'sk'>): string => sk.split('#')[1] ?? '';
/** Padding gives the parts the order of the lines. */
export const furtherLinesKey = (entry: Key, part: number): Key => ({
  pk: entry.pk,
  sk: `${entry.sk}#LINES#${String(part).padStart(3, '0')}`,
});

/** The key of an entry, from its first item or an item with its further lines. */
export const entryKeyOfItem = ({ pk, sk }: Record<string, unknown>): Key => ({
  pk: String(pk),
  sk: String(sk).replace(/#LINES#.*$/, ''),
});

export const dueDateKey = (tenant: TenantName, date: string): Key =>
  inTenant(tenant, `DUEDATE#${date}`);

export const companyKey = (company: {
  applicationId: string;
  platform: string;
  companyId: string;
}): Key => ({
  pk: `${ownedBy(company.applicationId)}#COMPANY#${company.platform}#${company.companyId}`,
  sk: 'COMPANY',
});

export const idempotencyRecordKey = (record: {
  applicationId: string;
  idempotencyKey: string;
}): Key => ({
  pk: `${ownedBy(record.applicationId)}#IDEMPOTENCY#${record.idempotencyKey}`,
  sk: 'IDEMPOTENCY',
});

export const domainKey = (schemaName: string): Key => ({
  pk: `DOMAIN#${schemaName}`,
  sk: 'DOMAIN',
});

/** The key has only the hash of a state, so a reader of the table cannot use the state. */
export const oauthStateKey = (state: string): Key => ({
  pk: oauthStatePartition(createHash('sha256').update(state).digest('base64url')),
  sk: 'STATE',
});
export const oauthStatePartition = (hash: string): string => `STATE#${hash}`;

export const ratesPartitions = { ecb: 'RATES', nbp: 'RATES#NBP' };
export const ratesKey = (date: string, of: keyof typeof ratesPartitions = 'ecb'): Key => ({
  pk: ratesPartitions[of],
  sk: date,
});
/**
 * The version and first dates of all rates. Each change of a rate writes this item, and each post
 * across currencies reads it. A partition serves 3,000 reads per second. Revisit well before that.
 */
export const ratesStateKey: Key = { pk: `${ratesPartitions.ecb}#STATE`, sk: 'STATE' };
export const rateCorrectionsPartition = (date: string): string => `${ratesPartitions.ecb}#${date}`;
/**
 * @param correction.version the version of the rates after this correction; padded for its order
 */
export const rateCorrectionKey = (correction: {
  date: string;
  currency: string;
  version: number;
}): Key => ({
  pk: rateCorrectionsPartition(correction.date),
  sk: `${correction.currency}#${String(correction.version).padStart(9, '0')}`,
});

export const deploymentPartition = 'DEPLOYMENT';
export const formatKey: Key = { pk: deploymentPartition, sk: 'FORMAT' };
export const releasesKey: Key = { pk: deploymentPartition, sk: 'RELEASES' };

const monthOf = (dateOrMoment: string): string => dateOrMoment.slice(0, 7);

export const auditMonthsPartition = 'AUDIT';
export const auditPartition = (month: string): string => `${auditMonthsPartition}#${month}`;
/** A month with changes. Readers list these months first. */
export const auditMonthKey = (moment: string): Key => ({
  pk: auditMonthsPartition,
  sk: monthOf(moment),
});
export const auditKey = ({ startedAt, auditId }: { startedAt: string; auditId: string }): Key => ({
  pk: auditPartition(monthOf(startedAt)),
  sk: `${startedAt}#${auditId}`,
});
/** The bounds of the changes between two dates, both included. */
export const auditBounds = ({ since, until }: { since: string; until: string }) => ({
  months: { first: monthOf(since), last: monthOf(until) },
  sorts: { first: since, last: `${until}~` },
});
