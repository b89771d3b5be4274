// How many calls the platforms take: what they say of it, and what counts the calls.

/** `null` where the platform knows no such limit. */
export type Limits = {
  /** Calls about one organization. */
  perMinute: number;
  perDay: number | null;
  concurrent: number;
  /** Calls of the client about all of its organizations. */
  perMinuteOfClient: number | null;
  /** New access tokens for one refresh token. */
  tokensPerTenMinutes: number | null;
  /** Whether the refusal of a call says how long to wait. */
  statesWait: boolean;
};

/**
 * Xero: developer.xero.com/faq/limits.
 *
 * QuickBooks: blogs.intuit.com/2016/08/08/idg-concurrent-api-use-changes-coming-soon.
 *
 * Zoho: www.zoho.com/books/api/v3/introduction has the calls, here those of its Premium plan, and
 * www.zoho.com/crm/developer/docs/api/v8/token-validity.html the tokens.
 */
export const platformLimits = {
  xero: {
    perMinute: 60,
    perDay: 5_000,
    concurrent: 5,
    perMinuteOfClient: 10_000,
    tokensPerTenMinutes: null,
    statesWait: true,
  },
  quickbooks: {
    perMinute: 500,
    perDay: null,
    concurrent: 10,
    perMinuteOfClient: null,
    tokensPerTenMinutes: null,
    statesWait: false,
  },
  zoho: {
    perMinute: 100,
    perDay: 10_000,
    concurrent: 10,
    perMinuteOfClient: null,
    tokensPerTenMinutes: 10,
    statesWait: false,
  },
} as const satisfies Record<string, Limits>;

export type LimitName = 'minute' | 'day' | 'client minute' | 'concurrent';

/** `retryAfterSeconds` is `null` where it is not stated, or not time that must pass. */
export type Refusal = { limit: LimitName; retryAfterSeconds: number | null };

/** How many calls of a limit are left, and in how many seconds the first one comes back. */
export type Allowance = Partial<
  Record<LimitName, { most: number; left: number; waitSeconds: number }>
>;

/** What is called: the platform, and the organization where the call is about one. */
type Called = { limits: Limits; platform: string; organization: string | undefined };

const [oneMinute, oneDay] = [60, 24 * 60 * 60];

const windowsOf = ({ limits, platform, organization }: Called) => {
  const about = `${platform} ${organization}`;
  const windows: [limit: LimitName, most: number | null, seconds: number, key: string][] = [
    ['client minute', limits.perMinuteOfClient, oneMinute, platform],
  ];
  if (organization !== undefined) {
    windows.push(['minute', limits.perMinute, oneMinute, `${about} minute`]);
    windows.push(['day', limits.perDay, oneDay, `${about} day`]);
  }
  return windows.flatMap(([limit, most, seconds, key]) =>
    most === null ? [] : [{ limit, most, seconds, key }],
  );
};

export type Limiter = ReturnType<typeof createLimiter>;

/** Counts within windows that go along with the time, as Xero's does. */
export const createLimiter = ({ clock, mode }: { clock: () => Date; mode: 'enforced' | 'off' }) => {
  const momentsByKey = new Map<string, number[]>();
  const underWay = new Map<string, number>();

  const look = (key: string, { most, seconds }: { most: number; seconds: number }) => {
    const earliest = clock().getTime() - seconds * 1000;
    const moments = momentsByKey.get(key) ?? [];
    momentsByKey.set(key, moments);
    const firstWithin = moments.findIndex((moment) => moment > earliest);
    moments.splice(0, firstWithin < 0 ? moments.length : firstWithin);
    const [first = earliest] = moments;
    const waitSeconds = Math.ceil((first - earliest) / 1000);
    return { most, left: most - moments.length, waitSeconds };
  };
  const count = (key: string): void => {
    momentsByKey.get(key)?.push(clock().getTime());
  };

  return {
    /** Lets a call in that must `leave` when it is answered, or says which limit forbids it. */
    enter: (called: Called): { refusal: Refusal } | { allowance: Allowance; leave: () => void } => {
      // A client that is told of limits keeps to them.
      if (mode === 'off') return { allowance: {}, leave: () => undefined };
      const windows = windowsOf(called).map((window) => ({
        ...window,
        ...look(window.key, window),
      }));
      const allowance = Object.fromEntries(windows.map((window) => [window.limit, window]));
      const spent = windows.find(({ left }) => left <= 0);
      if (spent) {
        const retryAfterSeconds = called.limits.statesWait ? spent.waitSeconds : null;
        return { refusal: { limit: spent.limit, retryAfterSeconds } };
      }
      const place = `${called.platform} ${called.organization}`;
      const calls = underWay.get(place) ?? 0;
      if (called.organization !== undefined && calls >= called.limits.concurrent) {
        return { refusal: { limit: 'concurrent', retryAfterSeconds: null } };
      }
      underWay.set(place, calls + 1);
      for (const window of windows) {
        count(window.key);
        window.left -= 1;
      }
      return { allowance, leave: () => underWay.set(place, (underWay.get(place) ?? 1) - 1) };
    },

    /** Whether one more access token may be given for a refresh token. */
    takeToken: (refreshToken: string, { tokensPerTenMinutes: most }: Limits): boolean => {
      if (mode === 'off' || most === null) return true;
      const isLeft = look(refreshToken, { most, seconds: 600 }).left > 0;
      if (isLeft) count(refreshToken);
      return isLeft;
    },
  };
};
