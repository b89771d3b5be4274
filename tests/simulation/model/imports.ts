// The contract for connected companies: each account and journal is imported once and unchanged. An
// active tenant has all of them. Otherwise the tenant has a reason.

import { canonicalText } from '../../support/readers/entry-hashes.ts';
import { readId } from '../../support/readers/entry-ids.ts';
import type { RawItem } from '../../support/readers/item-kinds.ts';
import { unless } from '../../support/readers/violations.ts';
import type { Creation } from '../creations.ts';
import { modelledOf, type ShownEntry, tenantPlaceOf } from '../entry-data.ts';
import { codeOf, type JournalData, type PlatformData } from '../platform-data.ts';
import {
  type Company,
  type ImportRequest,
  mayHaveWritten,
  type Operation,
  placeOf,
  type RequestOf,
  type Span,
} from '../requests.ts';
import { decimalsOf, expectedAmounts, totalsOf } from './expected-entry.ts';
import type { SettingsModel } from './settings.ts';

type Delivery = Operation<ImportRequest>;
type Renewal = Operation<RequestOf<'renew'>>;
type Tenant = { applicationId: string; prefix: string };
type Standing = { company: Company; status: unknown; reason: unknown; seen: Span };
/** The companies of tenants, by place, and what asked for their imports. */
type Asked = {
  connected: ReadonlyMap<string, Company>;
  creations: readonly Creation[];
  moment: number;
};

/** Why a tenant may not be well, beside the refusal of a journal. */
const transientReasons = ['platform_unavailable', 'platform_timed_out', 'internal_error'];

const units = 10n ** 11n;

const canStand = ({ lines }: JournalData): boolean => {
  const [debits, credits] = totalsOf(lines);
  return debits === credits;
};

/** An imported entry as it must be, all but its id and number. */
const expectedImport = (journal: JournalData, company: Company, platformData: PlatformData) => {
  const { currency, rate, lines, date, memo } = journal;
  const isForeignCurrency = currency !== null;
  const conversion = { units: rate ?? units, decimals: decimalsOf(company.currency) };
  return {
    status: 'posted',
    date,
    posting_date: date,
    memo,
    entry_type: 'Imported Journal',
    accrual_date: null,
    external_id: null,
    user_id: null,
    transaction_currency: currency ?? company.currency,
    reporting_currency: company.currency,
    book_currency: company.currency,
    exchange_rate_date: date,
    exchange_rate_source: isForeignCurrency ? 'platform' : 'same_currency',
    metadata: {},
    reverses: null,
    cancelled_at: null,
    ...expectedAmounts(
      lines.map((line) => ({ ...line, account: platformData.codes.get(line.account) ?? '' })),
      { names: platformData.names, reporting: conversion, book: conversion },
    ),
  };
};

export type ImportsModel = ReturnType<typeof openImportsModel>;

export const openImportsModel = (platformData: PlatformData, settings: SettingsModel) => {
  const deliveries = new Map<string, Delivery[]>();
  const renewals: Renewal[] = [];
  /** The numbers of imported journals, by the tenant and their reference. */
  const numbers = new Map<string, unknown>();
  /** Since when an account is known to be there, by the tenant and its code. */
  const accounts = new Map<string, number>();

  const runsOf = (place: string, { endedAt }: Span): Delivery[] =>
    (deliveries.get(place) ?? []).filter(({ startedAt }) => startedAt < endedAt);

  /** Whether some of its journals may have been in a locked period. */
  const lacksLocked = (tenant: Tenant, company: Company, { endedAt }: Span): boolean =>
    platformData
      .journalsOf(company)
      .some(({ date }) => settings.wasEverLocked(placeOf(tenant), date, endedAt));

  /** Whether a tenant may stand like this, after the imports that may have run for it. */
  const statusViolations = (
    tenant: Tenant,
    { company, status, reason, seen }: Standing,
  ): string[] => {
    const runs = runsOf(placeOf(tenant), seen);
    const faultsMet = runs.flatMap(({ faults }) => faults);
    const limited = faultsMet.includes('rate_limited of the platform');
    const isDead = [...runs, ...renewals].some(({ faults }) =>
      faults.includes('dead grant at the platform'),
    );
    const possible: Record<string, boolean> = {
      'importing null': true,
      'importing rate_limited': limited,
      'active null': runs.some(mayHaveWritten) && !platformData.isOdd(company),
      'active records_refused':
        runs.some(mayHaveWritten) &&
        (platformData.isOdd(company) || lacksLocked(tenant, company, seen)),
      'import_failed rate_limited': limited,
      'import_failed gave_up': faultsMet.length > 0,
      'disconnected credentials_refused': isDead,
    };
    for (const it of transientReasons) {
      possible[`importing ${it}`] = faultsMet.length > 0;
      possible[`import_failed ${it}`] = faultsMet.length > 0;
    }
    const isPossible = possible[`${status} ${reason}`] ?? false;
    return unless(isPossible, `${tenant.prefix} is ${status} (${reason}), which cannot be`);
  };

  const journalIn = (company: Company, { platformReference }: RawItem): JournalData | undefined =>
    platformData.journalsOf(company).find(({ reference }) => reference === platformReference);

  const journalViolations = ({ item, data }: ShownEntry, company: Company): string[] => {
    const place = tenantPlaceOf(item);
    const name = `${place} ${item.platformReference}`;
    const journal = journalIn(company, item);
    const maker = deliveries
      .get(place)
      ?.find(({ drawn }) => drawn.has(readId(String(item.entryId))?.random ?? ''));
    if (journal === undefined || maker === undefined) return [`${name} was imported by nobody`];
    const {
      journal_entry_id: _id,
      journal_number: number,
      reversed_by: _reversal,
      ...more
    } = modelledOf(data);
    const { created_at, posted_at, posting_sequence: sequence, hash: _hash, ...shown } = more;
    const isInOrder = Number(String(number).split('-').at(-1)) === sequence;
    const before = numbers.get(name) ?? number;
    const isLocked = !numbers.has(name) && settings.mustBeLocked(place, journal.date, maker);
    numbers.set(name, before);
    const [given, meant] = [shown, expectedImport(journal, company, platformData)].map(
      canonicalText,
    );
    return [
      ...unless(!isLocked, `${name} is of ${journal.date}, which was locked`),
      ...unless(canStand(journal), `${name} cannot stand in a ledger, and does`),
      ...unless(before === number, `${name} is ${number}, and was ${before}`),
      ...unless(isInOrder, `${name} is ${number}, and counts as ${sequence}`),
      ...unless(created_at === posted_at, `${name} is of ${created_at}, posted at ${posted_at}`),
      ...unless(given === meant, `${name} is ${given}, and must be ${meant}`),
    ];
  };

  const accountViolations = (item: RawItem, company: Company, moment: number): string[] => {
    const name = `${tenantPlaceOf(item)} ${item.code}`;
    const account = platformData.accountsOf(company).find((it) => codeOf(it) === item.code);
    if (!accounts.has(name)) accounts.set(name, moment);
    const isRight =
      account !== undefined &&
      item.platformAccountId === account.accountId &&
      item.name === account.name &&
      item.type === 'asset' &&
      item.status === 'active';
    return unless(isRight, `account ${name} is not what the platform has`);
  };

  /** Journals and accounts that a complete import lacks, of those that existed at its request. */
  const missing = (
    item: RawItem,
    company: Company,
    { creations, moment }: Pick<Asked, 'creations' | 'moment'>,
  ): string[] => {
    const place = tenantPlaceOf(item);
    const isWhole = item.status === 'complete';
    const asked = creations.find(
      ({ operation }) => operation.now.toISOString() === item.requestedAt,
    );
    if (asked === undefined) return [`the import of ${place} was asked for by nobody`];
    const since = asked.operation.startedAt;
    const journals = platformData
      .journalsOf(company)
      .filter(
        (it) =>
          canStand(it) &&
          it.since <= since &&
          !numbers.has(`${place} ${it.reference}`) &&
          !settings.wasEverLocked(place, it.date, moment),
      );
    const codes = platformData
      .accountsOf(company)
      .map(codeOf)
      .filter((code) => !accounts.has(`${place} ${code}`));
    return isWhole
      ? [...journals.map(({ reference }) => reference), ...codes].map(
          (it) => `${place} has ended its import, and lacks ${it}`,
        )
      : [];
  };

  /**
   * Whether two runs worked on this import at the same time, or a write of one arrived late. Then
   * nothing is lost, but the last saved counts are not certain.
   */
  const isContested = (item: RawItem): boolean => {
    const runs = deliveries.get(tenantPlaceOf(item)) ?? [];
    const isOwn = ({ request }: Delivery): boolean => request.image.importId === item.importId;
    return runs
      .filter(isOwn)
      .some(
        (run) =>
          run.faults.includes('arrives late at UpdateItem') ||
          runs.some((it) => it !== run && it.startedAt < run.endedAt && run.startedAt < it.endedAt),
      );
  };

  /** An import that is complete says how much there is. */
  const countViolations = (item: RawItem, items: readonly RawItem[]): string[] => {
    if (item.status !== 'complete' || isContested(item)) return [];
    const count = (isCounted: (it: RawItem) => boolean): number =>
      items.filter((it) => it.pk === item.pk && isCounted(it)).length;
    const there = {
      journalsImported: count(({ platformReference }) => platformReference !== undefined),
      accountsImported: count(({ kind }) => kind === 'account'),
    };
    const told = item.checkpoint as Record<string, unknown>;
    return Object.entries(there).flatMap(([name, number]) =>
      unless(
        told[name] === number,
        `${item.pk} says ${name} is ${told[name]}, and it is ${number}`,
      ),
    );
  };

  return {
    statusViolations,
    begin: (operation: Delivery): void => {
      const { applicationId, schemaName } = operation.request.image;
      const prefix = String(schemaName).replaceAll('_', '-');
      const place = placeOf({ applicationId: String(applicationId), prefix });
      deliveries.set(place, [...(deliveries.get(place) ?? []), operation]);
    },
    beginRenewal: (operation: Renewal): void => void renewals.push(operation),

    /** The certain and the possible accounts of a company's tenant. */
    chartOf: (tenant: Tenant, { company, startedAt }: { company: Company; startedAt: number }) => {
      const possible = platformData.accountsOf(company).map(codeOf);
      const since = (code: string): number =>
        accounts.get(`${placeOf(tenant)} ${code}`) ?? Number.POSITIVE_INFINITY;
      return {
        certain: new Set(possible.filter((code) => since(code) < startedAt)),
        possible: new Set(possible),
      };
    },

    compare: (
      items: readonly RawItem[],
      { shown, connected, creations, moment }: Asked & { shown: readonly ShownEntry[] },
    ): string[] => {
      const references = new Set<string>();
      const journals = shown.flatMap(({ item, data }) => {
        if (item.platformReference === undefined) return [];
        const company = connected.get(tenantPlaceOf(item));
        if (company === undefined) return [`${item.pk} is not connected, and has journals`];
        const name = `${tenantPlaceOf(item)} ${item.platformReference}`;
        const isNew = !references.has(name);
        references.add(name);
        return [
          ...unless(isNew, `${name} was imported twice`),
          ...journalViolations({ item, data }, company),
        ];
      });
      const chart = items.flatMap((item) => {
        const company = connected.get(tenantPlaceOf(item));
        return company && item.kind === 'account' ? accountViolations(item, company, moment) : [];
      });
      const lost = [...numbers.keys()].filter((name) => !references.has(name));
      const ended = items
        .filter(({ kind }) => kind === 'import')
        .flatMap((item) => {
          const company = connected.get(tenantPlaceOf(item));
          return company
            ? [...missing(item, company, { creations, moment }), ...countViolations(item, items)]
            : [`${item.pk} is not connected, and has an import`];
        });
      const tenants = items.flatMap((item) => {
        const company = connected.get(tenantPlaceOf(item));
        if (item.sk !== 'TENANT' || company === undefined) return [];
        const { applicationId, prefix, status, statusReason: reason } = item;
        const tenant = { applicationId: String(applicationId), prefix: String(prefix) };
        const seen = { startedAt: moment, endedAt: moment + 1 };
        return statusViolations(tenant, { company, status, reason: reason ?? null, seen });
      });
      return [
        ...journals,
        ...chart,
        ...lost.map((name) => `journal ${name} is lost`),
        ...ended,
        ...tenants,
      ];
    },
  };
};
