// The invariants of all items of a table: nothing lost, nothing doubled, nothing half done. Nothing
// here calls the table.

import * as z from 'zod/mini';
import { PlatformAccountEntry } from '#shared/accounts/account-batch.store.ts';
import { Account } from '#shared/accounts/accounts.ts';
import { defaultChart } from '#shared/accounts/default-chart.ts';
import { ApiKey, Application, KeyUse } from '#shared/applications/applications.store.ts';
import { ChartState } from '#shared/applications/quota-counts.store.ts';
import { StuckState } from '#shared/background/stuck-work.ts';
import { PendingAuthorization } from '#shared/connections/oauth-states.store.ts';
import { PendingConnection } from '#shared/connections/pending-connections.store.ts';
import { Change } from '#shared/history/tenant-history.ts';
import { Import } from '#shared/imports/import-record.store.ts';
import { AuditEntry } from '#shared/operator/audit-log.store.ts';
import { RateCorrection } from '#shared/rates/exchange-rates.store.ts';
import { RatesState } from '#shared/rates/rate-days.store.ts';
import {
  dueCarryPartition,
  dueConnectionPartition,
  dueDatePlace,
  dueImportPartition,
} from '#shared/table/due-keys.ts';
import {
  accountKey,
  accountPrefix,
  apiKeyKey,
  applicationKey,
  applicationNameKey,
  auditKey,
  connectionKey,
  domainKey,
  importKey,
  type Key,
  keyUseKey,
  platformAccountKey,
  rateCorrectionKey,
  ratesKey,
  tenantKey,
  tenantLinkPrefix,
  userKey,
} from '#shared/table/keys.ts';
import { listedTenantKey } from '#shared/table/list-keys.ts';
import { IdempotencyRecord } from '#shared/tenants/tenant-creations.store.ts';
import { Tenant } from '#shared/tenants/tenants.ts';
import { User } from '#shared/users/users.ts';
import { historyViolations } from '../invariants/history-invariants.ts';
import { entryViolations } from './entry-invariants.ts';
import { type Found, type ItemKind, placeOf, type RawItem, sortItems } from './item-kinds.ts';
import {
  type Check,
  fieldAt,
  UserPointer,
  userIdViolations,
  userViolations,
} from './user-invariants.ts';
import { unless } from './violations.ts';

/** The violations of a single item: its form, and whether its key fits its content. */
const form =
  <Schema extends z.ZodMiniType>(
    schema: Schema,
    keyOf?: (content: z.output<Schema>, found: Found) => Key,
  ) =>
  (found: Found): string[] => {
    const parsed = schema.safeParse(found.item);
    if (!parsed.success) return [`has not the form of its kind: ${parsed.error.message}`];
    const place = keyOf ? placeOf(keyOf(parsed.data, found)) : found.place;
    return unless(place === found.place, `has the content of ${place}`);
  };

const Connection = z.object({
  adapter: z.string(),
  companyId: z.string(),
  dataCenter: z.nullable(z.string()),
  version: z.int().check(z.gte(1)),
  sealedTokens: z.optional(z.string()),
});
/** The fields of a state. */
const ofState = {
  pk: z.string(),
  sk: z.string(),
  applicationId: z.string(),
  email: z.string(),
  slot: z.string(),
  expiresAt: z.int(),
};
const ofPending = { ...ofState, ...PendingAuthorization.shape };
/** Nothing but when it is due, how often it was scheduled for, and why it is stuck, if it is. */
const DueDate = z.strictObject({
  pk: z.string(),
  sk: z.string(),
  due_pk: z.string(),
  due_sk: z.string(),
  revision: z.int().check(z.gte(1)),
  stuck: z.optional(StuckState),
});
const Named = z.object({ schemaName: z.string() });
const Domain = z.object({ schemaName: z.string(), applicationId: z.string() });
type Domain = z.infer<typeof Domain>;

/** Entries, their lines, guards and sheets are looked at together, elsewhere. */
const forms: Partial<Record<ItemKind, (found: Found) => string[]>> = {
  application: form(Application, ({ applicationId }) => applicationKey(applicationId)),
  'API key': form(ApiKey, apiKeyKey),
  'key use': form(KeyUse, ({ keyId }, { parts: [applicationId = ''] }) =>
    keyUseKey({ applicationId, keyId }),
  ),
  'application name': form(z.object({ applicationId: z.string() })),
  user: form(User, userKey),
  password: form(z.object({ passwordHash: z.string() })),
  'tenant link': form(Named, ({ schemaName }, { key }) => ({
    pk: key.pk,
    sk: `${tenantLinkPrefix}${schemaName}`,
  })),
  'user id': form(UserPointer),
  tenant: form(Tenant, tenantKey),
  account: form(Account, ({ code }, { key }) => ({ pk: key.pk, sk: `${accountPrefix}${code}` })),
  'account id': form(PlatformAccountEntry),
  'account count': form(z.extend(ChartState, { accounts: z.int().check(z.minimum(0)) })),
  'tenant history': form(Change),
  'tenant count': form(z.object({ tenants: z.int().check(z.minimum(1)) })),
  'listed tenant': form(z.strictObject({ pk: z.string(), sk: z.string() })),
  'posted accrual': form(
    z.strictObject({
      pk: z.string(),
      sk: z.string(),
      postedAt: z.optional(z.string()),
      isPostedAtOnce: z.optional(z.literal(true)),
    }),
  ),
  'scheduled accrual': form(
    z.strictObject({ pk: z.string(), sk: z.string(), accounts: z.optional(z.string()) }),
  ),
  'cancelled accrual': form(
    z.strictObject({
      pk: z.string(),
      sk: z.string(),
      accounts: z.optional(z.string()),
      cancelledAt: z.optional(z.string()),
    }),
  ),
  'due date': form(DueDate),
  connection: form(Connection),
  'pending connection': form(PendingConnection),
  import: form(Import, importKey),
  company: form(Named),
  repeat: form(IdempotencyRecord),
  domain: form(Domain, ({ schemaName }) => domainKey(schemaName)),
  'pending authorization': form(
    z.union([
      z.strictObject(ofPending),
      z.strictObject({
        ...ofPending,
        adapter: z.string(),
        sealedTokens: z.string(),
        choices: z.array(z.looseObject({})).check(z.minLength(2)),
      }),
      // Once a company is chosen, no tokens are kept.
      z.strictObject({ ...ofPending, adapter: z.string(), chosen: z.literal(true) }),
      z.strictObject({ ...ofState, connected: z.literal(true) }),
    ]),
  ),
  'rates of a day': form(z.object({ date: z.string() }), ({ date }) => ratesKey(date)),
  'NBP rates of a day': form(z.object({ date: z.string() }), ({ date }) => ratesKey(date, 'nbp')),
  'state of the rates': form(RatesState),
  'correction of a rate': form(RateCorrection, (correction, { parts: [, , version] }) =>
    rateCorrectionKey({ ...correction, version: Number(version) }),
  ),
  'audit entry': form(AuditEntry, auditKey),
};

/** The items of an application and of its name refer to each other. */
const applicationViolations: Check = (items, { item }) => {
  const name = applicationNameKey(String(item.name));
  const isLedTo = fieldAt(items, name, 'applicationId') === item.applicationId;
  return unless(isLedTo, `is not what ${placeOf(name)} leads to`);
};
const applicationNameViolations: Check = (items, { item, place }) => {
  const name = fieldAt(items, applicationKey(String(item.applicationId)), 'name');
  return unless(placeOf(applicationNameKey(String(name))) === place, 'leads to another name');
};

/** One with an end is kept for a connection to be confirmed, as its owners say. */
const domainViolations: Check = (items, { item }) => {
  const tenant = tenantKey(item as Domain);
  if (item.expiresAt !== undefined) return [];
  return unless(fieldAt(items, tenant, 'schemaName') === item.schemaName, 'leads to no tenant');
};

/** Whether an item is in this partition of the due index. `null` means in none. */
const isDueIn = ({ item: { due_pk, due_sk }, key }: Found, partition: string | null): boolean =>
  partition === null
    ? due_pk === undefined && due_sk === undefined
    : due_pk === partition && String(due_sk).endsWith(`Z#${key.pk}#${key.sk}`);

/** A connection with tokens is in the due index, for their renewal. */
const connectionViolations: Check = (_, found) => {
  const partition = found.item.sealedTokens === undefined ? null : dueConnectionPartition;
  return unless(isDueIn(found, partition), 'is not in the due index as its tokens ask for');
};

/** A date is due on that day, or since somebody tried to post its entries, at a moment. */
const dueDateViolations: Check = (_, { item: { due_pk, due_sk }, key }) => {
  const place = dueDatePlace(key);
  const isAtMoment = String(due_sk).endsWith(`Z#${key.pk}#${key.sk}`);
  return unless(
    due_pk === place.due_pk && (due_sk === place.due_sk || isAtMoment),
    'is elsewhere in the due index',
  );
};

/** A tenant is in the due index for its next totals, from a date or a moment on. */
const carriedStateViolations: Check = (_, { item: { due_pk, due_sk }, key }) =>
  unless(
    due_pk === dueCarryPartition && String(due_sk).endsWith(`#${key.pk}#${key.sk}`),
    'is not in the due index',
  );

/** How the tenant of a platform stands, and its import. */
const importViolations: Check = (items, found) => {
  const [applicationId = '', schemaName = ''] = found.parts;
  const { status } = found.item;
  const hasEnded = status === 'complete' || status === 'failed';
  const tenant = fieldAt(items, tenantKey({ applicationId, schemaName }), 'status');
  const isShown = isDueIn(found, hasEnded ? null : dueImportPartition);
  const isActive = tenant === 'active';
  const isGivenUp = tenant === 'import_failed';
  return [
    ...unless(isShown, `is ${status}, which the due index does not show`),
    ...unless(!hasEnded || tenant !== 'importing', `is ${status}, and its tenant is importing`),
    ...unless(hasEnded || !isGivenUp, `is ${status}, and its tenant's import has failed`),
    ...unless(status === 'complete' || !isActive, `is ${status}, and its tenant active`),
  ];
};

/** The item of a company names the tenant that is connected to it. */
const companyViolations: Check = (items, { item, parts }) => {
  const [applicationId = '', platform, companyId] = parts;
  const name = { applicationId, schemaName: String(item.schemaName) };
  const connection = items.at(connectionKey(name))?.item;
  const dataCenter = connection?.dataCenter;
  const address = dataCenter ? `${dataCenter}/${connection?.companyId}` : connection?.companyId;
  const isThere = address === companyId && fieldAt(items, tenantKey(name), 'platform') === platform;
  return unless(isThere, 'leads to a tenant that is connected elsewhere');
};

/** A platform's account leads to one of the chart, which names it; the reverse may be archived. */
const accountIdViolations: Check = (items, { item, parts }) => {
  const [applicationId = '', schemaName = '', accountId] = parts;
  const account = items.at(accountKey({ applicationId, schemaName }, String(item.code)))?.item;
  const agrees =
    account?.platformAccountId === accountId &&
    account?.name === item.name &&
    (account?.cashFlow === 'cash') === (item.lineClass === 'cash');
  return unless(agrees, `leads to account ${item.code}, which does not agree`);
};
const accountViolations: Check = (items, { item, parts }) => {
  const [applicationId = '', schemaName = ''] = parts;
  const isOneFigure =
    item.type !== 'asset' || (item.subtype === 'cash') === (item.cashFlow === 'cash');
  const ofCash = unless(isOneFigure, 'is cash in one statement, and not in the other');
  if (item.platformAccountId === undefined) return ofCash;
  const pointer = platformAccountKey({ applicationId, schemaName }, String(item.platformAccountId));
  const code = fieldAt(items, pointer, 'code');
  const isLedTo = code === item.code || (code !== undefined && item.status === 'archived');
  return [...ofCash, ...unless(isLedTo, 'is not what its id leads to')];
};

/** A tenant has its domain, a link, and a chart or a connection. */
const tenantViolations =
  (chartCodes: readonly string[], { mayLackUsers }: { mayLackUsers: boolean }): Check =>
  (items, found) => {
    const [applicationId = '', schemaName = ''] = found.parts;
    const name = { applicationId, schemaName };
    const isOfTenant = ({ item, parts }: Found) =>
      parts[0] === applicationId && item.schemaName === schemaName;
    const { platform, prefix } = found.item;
    const parts = {
      connections: items.beside(found, 'connection').length,
      imports: items.beside(found, 'import').length,
      companies: items.all('company').filter(isOfTenant).length,
    };
    const isConnected = Object.values(parts).some((count) => count > 0);
    const isWhole = platform !== 'manual' && Object.values(parts).every((count) => count === 1);
    const missing = chartCodes.filter((code) => items.at(accountKey(name, code)) === undefined);
    const hasChart = (platform === 'manual' || platform === 'platform_c') && missing.length === 0;
    const isOwner = fieldAt(items, domainKey(schemaName), 'applicationId') === applicationId;
    const listed = { applicationId, schemaName, createdAt: String(found.item.createdAt) };
    const isListed = items.at(listedTenantKey(listed)) !== undefined;
    const lack = `has no connection, and of its chart lacks ${missing.length}`;
    return [
      ...unless(isOwner, 'does not own its domain'),
      ...unless(isListed, 'is not in the list of its application'),
      ...unless(String(prefix).replaceAll('-', '_') === schemaName, `has the prefix ${prefix}`),
      ...unless(mayLackUsers || items.all('tenant link').some(isOfTenant), 'is linked to no user'),
      ...unless(!isConnected || isWhole, `is connected in part: ${JSON.stringify(parts)}`),
      ...unless(isConnected || hasChart, lack),
    ];
  };

/** What quotas limit is counted to the last. */
const accountCountViolations: Check = (items, found) => {
  const accounts = items.beside(found, 'account');
  const numbers = accounts.flatMap(({ item }) => (item.number === undefined ? [] : item.number));
  const { accounts: counted, numbered } = found.item;
  return [
    ...unless(counted === accounts.length, `counts ${counted} of ${accounts.length}`),
    ...unless(new Set(numbers).size === numbers.length, 'gave a number to two accounts'),
    ...unless(
      numbers.every((number) => Number(number) <= Number(numbered)),
      `numbered ${numbered}, and an account has a higher number`,
    ),
    ...historyViolations(items, found),
  ];
};
const tenantCountViolations: Check = (items, { item, parts: [applicationId] }) => {
  const { length } = items.all('tenant').filter(({ parts }) => parts[0] === applicationId);
  return unless(item.tenants === length, `counts ${item.tenants} of ${length}`);
};

/** Of a kind, what each item must agree with elsewhere. */
const agreements = (
  chartCodes: readonly string[],
  options: { mayLackUsers: boolean },
): Partial<Record<ItemKind, Check>> => ({
  application: applicationViolations,
  'application name': applicationNameViolations,
  user: userViolations,
  'user id': userIdViolations,
  domain: domainViolations,
  tenant: tenantViolations(chartCodes, options),
  connection: connectionViolations,
  import: importViolations,
  'due date': dueDateViolations,
  'carried state': carriedStateViolations,
  company: companyViolations,
  'account id': accountIdViolations,
  account: accountViolations,
  'account count': accountCountViolations,
  'tenant count': tenantCountViolations,
});

/** The kinds that have business in the due index; each says for itself where. */
const dueKinds: readonly ItemKind[] = [
  'carried state',
  'connection',
  'deliveries to a webhook',
  'due date',
  'entry',
  'hold of a feed',
  'import',
  'unreadable change',
  'verification',
];

/**
 * Every violation among all items of a table. @param options.chartCodes the codes of a new tenant's
 * chart @param options.mayLackUsers whether the last user of a tenant may have been unlinked @param
 * options.dueUntil all entries due by this date must be posted
 */
export const findViolations = (
  items: readonly RawItem[],
  options: { chartCodes?: readonly string[]; mayLackUsers?: boolean; dueUntil?: string } = {},
): string[] => {
  const { chartCodes = defaultChart.map(({ code }) => code), dueUntil } = options;
  const { mayLackUsers = false } = options;
  const sorted = sortItems(items);
  const violationsOf = (kinds: Partial<Record<ItemKind, (found: Found) => string[]>>): string[] =>
    (Object.entries(kinds) as [ItemKind, (found: Found) => string[]][]).flatMap(
      ([kind, violations]) =>
        sorted
          .all(kind)
          .flatMap((found) =>
            violations(found).map((violation) => `${found.place} (${kind}) ${violation}`),
          ),
    );
  const agreeing = Object.fromEntries(
    Object.entries(agreements(chartCodes, { mayLackUsers })).map(([kind, violations]) => [
      kind,
      (found: Found) => violations(sorted, found),
    ]),
  );
  return [
    ...sorted.strays.map((place) => `${place} is of no kind that is known`),
    ...sorted
      .orphans()
      .map(
        ({ found, kind, owner }) => `${found.place} (${kind}) is there without ${placeOf(owner)}`,
      ),
    ...sorted
      .others(dueKinds)
      .filter((found) => !isDueIn(found, null))
      .map(({ place }) => `${place} has no business in the due index`),
    ...violationsOf(forms),
    ...violationsOf(agreeing),
    ...entryViolations(sorted, { dueUntil }),
  ];
};
