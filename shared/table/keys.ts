// Every key of the table. Nothing else in the project writes a pk or an sk.
//
// The application id is part of the key of all that an application owns, so one application cannot
// read another's items even by mistake.
//
//   access pattern                         pk                          sk
//   -------------------------------------  --------------------------  -------------------------
//   authorize a key (batch of 3)           APP#<app>                   APP, KEY#<key id>
//     the day it was last used             APP#<app>#KEYUSE            KEY#<key id>
//   what it used in a minute             APP#<app>#BUDGET            <minute>
//   list an application's keys             APP#<app>                   begins with KEY#
//   how many tenants it has                APP#<app>#QUOTA             TENANTS
//   list applications                      APPS                        <name>
//   ensure a user                          APP#<app>#USER#<email>      USER
//     its password, read by nothing yet    APP#<app>#PASSWORD#<email>  PASSWORD
//   profile: user, links to its tenants    APP#<app>#USER#<email>      USER, TENANT#<schema>
//   a user by id                           APP#<app>#USERID#<id>       USERID
//   a tenant                               APP#<app>#TENANT#<schema>   TENANT
//   accounts of an entry (batch)           APP#<app>#TENANT#<schema>   ACCOUNT#<code>
//   how many accounts there are            APP#<app>#TENANT#<schema>   COUNT#ACCOUNTS
//   accounts by the platform's id (batch)  APP#<app>#TENANT#<schema>   ACCOUNTID#<account id>
//   sheet of a date and series             APP#<app>#TENANT#<schema>   SEQUENCE#<date>#<series>
//   an entry, in date and number order     APP#<app>#TENANT#<schema>   ENTRY#<date>#<series>#<n>
//     its lines after the first hundred    APP#<app>#TENANT#<schema>   ENTRY#<...>#LINES#<n>
//   a posted entry with an accrual date    APP#<app>#TENANT#<schema>   ACCRUAL#<date>#<entry's sk>
//   a scheduled entry, by the same date    APP#<app>#TENANT#<schema>   SCHEDULED#<date>#<...>
//     a date that has such, to be posted   APP#<app>#TENANT#<schema>   DUEDATE#<date>
//   an entry by external_id                APP#<app>#TENANT#<schema>   EXT#<external id>
//   an entry by Idempotency-Key            APP#<app>#TENANT#<schema>   IDEMPOTENCY#<key>
//   a journal already imported (batch)     APP#<app>#TENANT#<schema>   REF#<platform's reference>
//   changes of its lock, by time           APP#<app>#TENANT#<schema>   LOCK#<moment>#<random>
//   platform tokens, sealed                APP#<app>#TENANT#<schema>   CONNECTION
//   a connection to be confirmed          APP#<app>#TENANT#<schema>   PENDING-CONNECTION
//   the import asked for, and its progress APP#<app>#TENANT#<schema>   IMPORT
//   a company already connected            APP#<app>#COMPANY#<p>#<id>  COMPANY
//   a repeated tenant creation             APP#<app>#IDEMPOTENCY#<key> IDEMPOTENCY
//   who has a prefix                       DOMAIN#<schema>             DOMAIN
//   a pending authorization                STATE#<hash>                STATE
//     its consent until one is chosen      STATE#<hash>                STATE
//   last rates on or before a date         RATES                       <date>
//     their version, first dates (batch)   RATES#STATE                 STATE
//     corrections of a day's rates         RATES#<date>                <currency>#<version>
//   an operator's changes, by time         AUDIT#<month>               <moment>#<audit id>
//   the months that have any               AUDIT                       <month>
//   the callback address in use            DEPLOYMENT                  CALLBACK
//   the stored format of the table         DEPLOYMENT                  FORMAT
//
//   index "due": dates to be posted        DUE-DATE#<shard>            <date or moment>#<pk>#<sk>
//                imports that have not ended  DUE-IMPORT               <moment>#<set>#<pk>#<sk>
//                tokens to be renewed         DUE-CONNECTION           <moment>#<pk>#<sk>
//     until format 3: scheduled entries    DUE#<shard>                 <accrual date>#<pk>#<sk>

import { createHash } from 'node:crypto';
import type { EntryPlace, JournalSeries } from '../entries/journal-entry.ts';

/** The primary key of an item. */
export type Key = { pk: string; sk: string };

/** The text of a key, under which a batch read finds its item. */
export const keyText = ({ pk, sk }: Key): string => `${pk}\n${sk}`;

const ownedBy = (applicationId: string) => `APP#${applicationId}`;

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
 * The last use of a key. It has a partition of its own, because a function writes it, and what is
 * in the application's own partition operators alone may write.
 */
export const keyUseKey = (owner: { applicationId: string; keyId: string }): Key => ({
  pk: `${ownedBy(owner.applicationId)}#KEYUSE`,
  sk: apiKeyKey(owner).sk,
});

/** What an application used in a minute. Functions write it, so it has its own partition. */
export const budgetKey = (place: { applicationId: string; minute: string }): Key => ({
  pk: `${ownedBy(place.applicationId)}#BUDGET`,
  sk: place.minute,
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

/** A user, by the application that registered it and its address in any case. */
export const userKey = (user: { applicationId: string; email: string }): Key => ({
  pk: `${ownedBy(user.applicationId)}#USER#${user.email.toLowerCase()}`,
  sk: 'USER',
});
/**
 * A user's password has a partition of its own, so that who may read or write users, to link
 * tenants to them, has no access to passwords.
 */
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

/** A tenant as its items' keys name it. */
export type TenantName = { applicationId: string; schemaName: string };

const tenantPartition = ({ applicationId, schemaName }: TenantName): string =>
  `${ownedBy(applicationId)}#TENANT#${schemaName}`;

const inTenant = (tenant: TenantName, sk: string): Key => ({ pk: tenantPartition(tenant), sk });

/** The tenant that an item belongs to, or `undefined` where it belongs to none. */
export const tenantNameOf = ({ pk }: Pick<Key, 'pk'>): TenantName | undefined => {
  const [, applicationId, schemaName] = /^APP#([^#]+)#TENANT#([^#]+)$/.exec(pk) ?? [];
  return applicationId && schemaName ? { applicationId, schemaName } : undefined;
};

export const tenantSort = 'TENANT';
export const tenantKey = (tenant: TenantName): Key => inTenant(tenant, tenantSort);
export const lockChangePrefix = 'LOCK#';
/** A change of the tenant's lock; `changeId` is random, and tells two of one moment apart. */
export const lockChangeKey = (
  tenant: TenantName,
  { at, changeId }: { at: string; changeId: string },
): Key => inTenant(tenant, `${lockChangePrefix}${at}#${changeId}`);
export const connectionSort = 'CONNECTION';
export const connectionKey = (tenant: TenantName): Key => inTenant(tenant, connectionSort);
export const pendingConnectionSort = 'PENDING-CONNECTION';
/** A connection that its application has still to confirm, beside the one that works, if any. */
export const pendingConnectionKey = (tenant: TenantName): Key =>
  inTenant(tenant, pendingConnectionSort);
const importSort = 'IMPORT';
export const importKey = (tenant: TenantName): Key => inTenant(tenant, importSort);
export const accountPrefix = 'ACCOUNT#';
export const accountKey = (tenant: TenantName, code: string): Key =>
  inTenant(tenant, `${accountPrefix}${code}`);
export const accountCountKey = (tenant: TenantName): Key => inTenant(tenant, 'COUNT#ACCOUNTS');
export const platformAccountPrefix = 'ACCOUNTID#';
/** An account of the tenant by the id that its platform gave it. */
export const platformAccountKey = (tenant: TenantName, accountId: string): Key =>
  inTenant(tenant, `${platformAccountPrefix}${accountId}`);
export const sheetPrefix = 'SEQUENCE#';
/** Numbers run by series and date, so that what is imported leaves no gap among what is posted. */
export const sheetKey = (
  tenant: TenantName,
  { series, date }: { series: JournalSeries; date: string },
): Key => inTenant(tenant, `${sheetPrefix}${date}#${series}`);
/** The date and series of a sheet, by its key. */
export const readSheetKey = ({ sk }: Pick<Key, 'sk'>): { date: string; series: JournalSeries } => {
  const [, date = '', series] = sk.split('#');
  return { date, series: series as JournalSeries };
};
/** The short prefix leaves room for 255 characters of four bytes in a sort key of 1,024 bytes. */
export const externalIdKey = (tenant: TenantName, externalId: string): Key =>
  inTenant(tenant, `EXT#${externalId}`);

/** An entry of the tenant by the Idempotency-Key of the request that posted it. */
export const entryIdempotencyKey = (tenant: TenantName, idempotencyKey: string): Key =>
  inTenant(tenant, `IDEMPOTENCY#${idempotencyKey}`);

export const journalReferenceKey = (tenant: TenantName, reference: string): Key =>
  inTenant(tenant, `REF#${reference}`);

export const entryPrefix = 'ENTRY#';
/** Sequences are padded, so that text order is number order and no key starts with another. */
export const entryKey = (tenant: TenantName, { series, date, sequence }: EntryPlace): Key =>
  inTenant(tenant, `${entryPrefix}${date}#${series}#${String(sequence).padStart(9, '0')}`);
/** Comes before all entries of a date and series, and after all of those before it. */
export const entriesFrom = ({ date, series }: { date: string; series: JournalSeries }): string =>
  `${entryPrefix}${date}#${series}#`;
/** Where the entry with this sort key is filed; that of an item with its lines too. */
export const readEntryKey = ({ sk }: Pick<Key, 'sk'>): EntryPlace => {
  const [, date = '', series, sequence] = sk.split('#');
  return { date, series: series as JournalSeries, sequence: Number(sequence) };
};
export const accrualPrefix = 'ACCRUAL#';
export const scheduledPrefix = 'SCHEDULED#';
/** What the keys of the items that name the scheduled entries of a date begin with. */
export const scheduledOn = (postingDate: string): string => `${scheduledPrefix}${postingDate}#`;
/** The entry under the date on which it counts, where that is not its own: by its status. */
export const postingDateKeys = (entry: Key, postingDate: string) => ({
  posted: { pk: entry.pk, sk: `${accrualPrefix}${postingDate}#${entry.sk}` },
  scheduled: { pk: entry.pk, sk: `${scheduledPrefix}${postingDate}#${entry.sk}` },
});
/** The date under which an item names an entry. */
export const dateOfPlace = ({ sk }: Pick<Key, 'sk'>): string => sk.split('#')[1] ?? '';
/** The entry that an item under its posting date names. */
export const entryKeyUnderDate = ({ pk, sk }: Key): Key => ({
  pk,
  sk: sk.slice(sk.indexOf(entryPrefix)),
});
/** Parts are padded too, so that they are read in the order of the lines. */
export const furtherLinesKey = (entry: Key, part: number): Key => ({
  pk: entry.pk,
  sk: `${entry.sk}#LINES#${String(part).padStart(3, '0')}`,
});

/** The key of the entry that an item belongs to, be it the entry's own item or one of its lines. */
export const entryKeyOfItem = ({ pk, sk }: Record<string, unknown>): Key => ({
  pk: String(pk),
  sk: String(sk).replace(/#LINES#.*$/, ''),
});

/** A date of a tenant on which scheduled entries are to be posted. */
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

/** Only the hash of a state is stored, so that a reader of the table cannot use one. */
export const oauthStateKey = (state: string): Key => ({
  pk: oauthStatePartition(createHash('sha256').update(state).digest('base64url')),
  sk: 'STATE',
});
export const oauthStatePartition = (hash: string): string => `STATE#${hash}`;

export const ratesPartition = 'RATES';
export const ratesKey = (date: string): Key => ({ pk: ratesPartition, sk: date });
/**
 * What is known of all rates together. Every change of a rate changes it, and every post across
 * currencies reads it: a partition serves 3,000 such reads a second. Revisit well before that.
 */
export const ratesStateKey: Key = { pk: `${ratesPartition}#STATE`, sk: 'STATE' };
export const rateCorrectionsPartition = (date: string): string => `${ratesPartition}#${date}`;
/** @param correction.version that of the rates, from this correction on; padded for their order */
export const rateCorrectionKey = (correction: {
  date: string;
  currency: string;
  version: number;
}): Key => ({
  pk: rateCorrectionsPartition(correction.date),
  sk: `${correction.currency}#${String(correction.version).padStart(9, '0')}`,
});

export const deploymentPartition = 'DEPLOYMENT';
/** Where browsers come back, as it was told to the platforms. */
export const callbackAddressKey: Key = { pk: deploymentPartition, sk: 'CALLBACK' };
/** Which format the table's items have. */
export const formatKey: Key = { pk: deploymentPartition, sk: 'FORMAT' };

const monthOf = (dateOrMoment: string): string => dateOrMoment.slice(0, 7);

export const auditMonthsPartition = 'AUDIT';
export const auditPartition = (month: string): string => `${auditMonthsPartition}#${month}`;
/** A month of which there are changes, so that a reader knows where to look. */
export const auditMonthKey = (moment: string): Key => ({
  pk: auditMonthsPartition,
  sk: monthOf(moment),
});
export const auditKey = ({ startedAt, auditId }: { startedAt: string; auditId: string }): Key => ({
  pk: auditPartition(monthOf(startedAt)),
  sk: `${startedAt}#${auditId}`,
});
/** The bounds of what was changed from one date to another, both of them included. */
export const auditBounds = ({ since, until }: { since: string; until: string }) => ({
  months: { first: monthOf(since), last: monthOf(until) },
  sorts: { first: since, last: `${until}~` },
});
