// How fast Zoho Books may be called, by what its replies say is left of a company's calls.

/** What a reply says is left, and the calls that were answered lately, oldest first. */
export type ZohoAllowance = {
  limit: number;
  remaining: number;
  /** In milliseconds since the epoch, as the calls are. */
  resetsAt: number;
  calls: readonly number[];
};

const minute = 60_000;

/** A window that ends this soon is one of a minute. */
const shortWindowMilliseconds = 2 * minute;

/** What is left to the company's people and its other programs, which have the same limits. */
const reserveOf = (limit: number): number => Math.ceil(limit / 10);

/**
 * 100 are allowed in a minute, for each organization. One with more is blocked, and its people in
 * their browsers with it (www.zoho.com/books/api/v3/introduction, "API Call Limit", code 44).
 */
const callsPerMinute = 100 - reserveOf(100);

/** How long until another call is one of those that are allowed in a minute. */
const waitOfMinute = (calls: readonly number[], now: number): number => {
  const oldest = calls.at(-callsPerMinute);
  return oldest === undefined ? 0 : Math.max(0, oldest + minute - now);
};

/**
 * How long to wait before the next call. The last calls of a minute are spread until it ends; the
 * last of a day are left to others, and the rest of the day is waited for.
 */
export const waitOf = (allowance: ZohoAllowance, now: number): number => {
  const { limit, remaining, resetsAt, calls } = allowance;
  const untilReset = Math.max(0, resetsAt - now);
  const isOfMinute = untilReset <= shortWindowMilliseconds;
  if (remaining > reserveOf(limit) || untilReset === 0) {
    return isOfMinute ? 0 : waitOfMinute(calls, now);
  }
  return isOfMinute ? Math.ceil(untilReset / (remaining + 1)) : untilReset;
};

const readCount = (headers: Headers, name: string): number | undefined => {
  const value = headers.get(name);
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
};

const isToCome = ({ calls }: ZohoAllowance, now: number): boolean => (calls.at(-1) ?? now) > now;

/**
 * The headers X-Rate-Limit-Limit, -Remaining and -Reset are not documented. In recorded replies
 * they are of the day, with the seconds until it ends: 1000, 564 and 27434 for a plan of 1,000
 * (github.com/NangoHQ/integration-templates, integrations/zoho-books/tests/list-journals.test.json;
 * others in github.com/Weble/ZohoBooksApi/issues/38). So the limit of the minute is counted here. A
 * reply without them asks for nothing.
 */
export const openZohoPacing = (clock: () => number) => {
  const allowances = new Map<string, ZohoAllowance>();
  return {
    heed: (companyId: string, headers: Headers): void => {
      const limit = readCount(headers, 'X-Rate-Limit-Limit');
      const remaining = readCount(headers, 'X-Rate-Limit-Remaining');
      const resetSeconds = readCount(headers, 'X-Rate-Limit-Reset');
      if (limit === undefined || remaining === undefined || resetSeconds === undefined) return;
      const now = clock();
      const before = (allowances.get(companyId)?.calls ?? []).filter((call) => call <= now);
      const calls = [...before, now].slice(-callsPerMinute);
      const resetsAt = now + resetSeconds * 1000;
      allowances.set(companyId, { limit, remaining, resetsAt, calls });
    },
    waitMilliseconds: (companyId: string): number => {
      const allowance = allowances.get(companyId);
      const now = clock();
      // After a clock has jumped back, nobody can say when these calls were made.
      if (allowance === undefined || isToCome(allowance, now)) return 0;
      return waitOf(allowance, now);
    },
  };
};
