// The contract for the books of tenants: entries, batches, reversals, cancellations and locks.

import chart from '#shared/accounts/default-chart.json' with { type: 'json' };
import { openAttempts } from '../attempts.ts';
import type { Creation } from '../creations.ts';
import type { Data, ShownEntry } from '../entry-data.ts';
import type { PlatformData } from '../platform-data.ts';
import { type Answer, is, type Of, type Operation, placeOf } from '../requests.ts';
import { openCorrectionsModel } from './corrections.ts';
import { openEntriesModel } from './entries.ts';
import { openEntryStanding } from './entry-standing.ts';
import type { RatesByDate } from './expected-entry.ts';
import type { ImportsModel } from './imports.ts';
import { type Books, type Chart, openPostingsModel } from './postings.ts';
import type { SettingsModel } from './settings.ts';
import type { TenantsModel } from './tenants.ts';

const defaultNames = new Map(chart.accounts.map(({ code, name }) => [code, name]));
const defaultCodes = new Set(defaultNames.keys());
const defaultChart: Chart = { certain: defaultCodes, possible: defaultCodes };

export const openBooksModel = ({
  rates,
  platformData,
  ...models
}: {
  rates: RatesByDate;
  platformData: PlatformData;
  imports: ImportsModel;
  tenants: TenantsModel;
  settings: SettingsModel;
}) => {
  const { imports, tenants, settings } = models;
  const attempts = openAttempts();
  const standing = openEntryStanding(attempts);
  const entries = openEntriesModel({ attempts, standing, settings });
  const names = new Map([...defaultNames, ...platformData.names]);
  const postings = openPostingsModel({ rates, names, attempts, entries, settings });
  const corrections = openCorrectionsModel({ attempts, entries, standing, settings });

  const tenantOf = ({
    request,
    startedAt,
  }: {
    request: Parameters<TenantsModel['find']>[0];
    startedAt: number;
  }): Creation | undefined => tenants.find(request, { startedAt });

  /**
   * Whether a tenant exists. A caller that lost the reply may still have created one; then its
   * entries show it.
   */
  const hasTenant = (operation: Of<'reversal'> | Of<'cancellation'>): boolean =>
    tenantOf(operation) !== undefined ||
    attempts.named(placeOf(operation.request), operation.request.named) !== undefined;

  const booksOf = (operation: Of<'entry' | 'batch'>): Books | undefined => {
    const tenant = tenantOf(operation);
    if (tenant === undefined) return undefined;
    const { company, currency } = tenant;
    const { startedAt, request } = operation;
    const chart = company ? imports.chartOf(request, { company, startedAt }) : defaultChart;
    return { chart, currency };
  };

  const checkSettings = (operation: Of<'settings'>, answer: Answer): string[] => {
    const tenant = tenantOf(operation);
    const summaryViolations =
      tenant && ((shown: Data) => tenants.checkSummary(tenant, { operation, shown }));
    return settings.check(operation, answer, { attempts, standing, summaryViolations });
  };

  return {
    /** The entries that were seen, the latest last. */
    seenEntries: attempts.seen,

    begin: (operation: Operation): void => {
      if (is(operation, 'entry') || is(operation, 'batch')) {
        postings.begin(operation, booksOf(operation)?.currency);
      }
      if (is(operation, 'reversal')) corrections.beginReversal(operation);
      if (is(operation, 'cancellation')) corrections.beginCancellation(operation);
      if (is(operation, 'settings')) settings.begin(operation);
      if (is(operation, 'run')) standing.beginRun(operation);
    },

    /** The problems of a reply about books. `undefined` for other requests. */
    check: (operation: Operation, answer: Answer): string[] | undefined => {
      if (is(operation, 'entry') || is(operation, 'batch')) {
        return postings.check(operation, { answer, books: booksOf(operation) });
      }
      if (is(operation, 'settings')) return checkSettings(operation, answer);
      if (is(operation, 'reversal')) {
        return corrections.checkReversal(operation, { answer, hasTenant: hasTenant(operation) });
      }
      if (!is(operation, 'cancellation')) return undefined;
      return corrections.checkCancellation(operation, { answer, hasTenant: hasTenant(operation) });
    },

    compare: (shown: readonly ShownEntry[], moment: number): string[] =>
      entries.compare(shown, moment),
  };
};
