// Limits the rate of calls to Zoho Books by the remaining calls in its replies.

/** The remaining calls according to a reply, and the times of recent calls, oldest first. */
export type ZohoAllowance = {
  limit: number;
  remaining: number;
  /** In milliseconds since 1970, like `calls`. */
  resetsAt: number;
  calls: readonly number[];
};

const minute = 60_000;

/** A limit that resets within this time is the limit of a minute, otherwise that of a day. */
const shortWindowMilliseconds = 2 * minute;

/** A reserve for the company's users and other programs, which share the limits. */
const reserveOf = (limit: number): number => Math.ceil(limit / 10);

/**
 * Each organization can make 100 calls per minute. Zoho blocks an organization that makes more,
 * even in its users' browsers (www.zoho.com/books/api/v3/introduction, "API Call Limit", code 44).
 */
const callsPerMinute = 100 - reserveOf(100);

/** The wait until the minute's limit allows another call. */
const waitOfMinute = (calls: readonly number[], now: number): number => {
  const oldest = calls.at(-callsPerMinute);
  return oldest === undefined ? 0 : Math.max(0, oldest + minute - now);
};

/**
 * The wait before the next call. The last calls of a minute are spread over the rest of the minute.
 * The last calls of a day are reserved, so the wait lasts until the next day.
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

/** Whether a recorded call is in the future, because the clock has jumped back. */
const hasFutureCall = ({ calls }: ZohoAllowance, now: number): boolean =>
  (calls.at(-1) ?? now) > now;

/**
 * The headers X-Rate-Limit-Limit, -Remaining and -Reset are undocumented. In recorded replies they
 * describe a day, with the seconds until its end: 1000, 564 and 27434 for a plan with 1,000 calls
 * (github.com/NangoHQ/integration-templates, integrations/zoho-books/tests/list-journals.test.json;
 * others in github.com/Weble/ZohoBooksApi/issues/38). So the calls of a minute are counted here. A
 * reply without these headers causes no wait.
 */
export const openZohoPacing = (clock: () => number) => {
  const allowances = new Map<string, ZohoAllowance>();
  return {
    recordReply: (companyId: string, headers: Headers): void => {
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
      // After the clock has jumped back, the times of these calls are unknown.
      if (allowance === undefined || hasFutureCall(allowance, now)) return 0;
      return waitOf(allowance, now);
    },
  };
};
