// What both sources of exchange rates need: downloads and reports.

import type { ExchangeRates, RecordedRates } from '#shared/rates/exchange-rates.store.ts';
import type { Telemetry } from '#shared/telemetry.ts';

export type RateDependencies = Telemetry & {
  exchangeRates: Pick<ExchangeRates, 'findLatest' | 'findFirstDate' | 'list' | 'record'>;
};

/** `timeoutSeconds` is the maximum time of one download. */
export type DownloadOptions = { sourceUrl: string; timeoutSeconds: number };

/**
 * Downloads a file and reads it.
 * @param read gets `undefined` if the source has no such file
 * @throws Error with the URL and the reason
 */
export const download = async <Result>(
  path: string,
  { sourceUrl, timeoutSeconds }: DownloadOptions,
  read: (text: string | undefined) => Result,
): Promise<Result> => {
  const url = new URL(path, sourceUrl.replace(/\/?$/, '/')).href;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutSeconds * 1_000) });
    if (response.status === 404) return read(undefined);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return read(await response.text());
  } catch (error) {
    throw new Error(`no exchange rates from ${url}: ${reasonOf(error)}`, { cause: error });
  }
};

/** The messages of an error and its causes. Errors of fetch have the reason only in the cause. */
const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? [error.message, error.cause ? reasonOf(error.cause) : ''].filter(Boolean).join(': ')
    : String(error);

/** The maximum number of warnings. A file in another unit would cause thousands. */
const maximumLogged = 20;

/** Logs and counts what was not stored. Returns the counts of all records together. */
export const reportOf = (records: readonly RecordedRates[], { log, metrics }: Telemetry) => {
  const differing = records.flatMap((it) => it.differing);
  const refused = records.flatMap((it) => it.refused);
  // A warning only: every run reports these days until they leave the file.
  if (differing.length > 0) {
    log.warn('stored rates differ from the source and stay unchanged', { dates: differing });
  }
  for (const { dateBefore, rateBefore, ...jump } of refused.slice(0, maximumLogged)) {
    const before = { date_before: dateBefore, rate_before: rateBefore };
    log.warn('a day is refused because a rate jumps', { ...jump, ...before });
  }
  const refusedDates = [...new Set(refused.map(({ date }) => date))];
  if (refusedDates.length > 0) metrics.rateDaysRefused(refusedDates.length);
  return {
    added: records.reduce((sum, it) => sum + it.added, 0),
    completed: records.reduce((sum, it) => sum + it.completed, 0),
    differing,
    refused: refusedDates,
  };
};
