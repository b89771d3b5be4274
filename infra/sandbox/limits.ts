// The platforms' limits on calls.

/** A limit is `Infinity` if the platform does not have it. */
export type Limits = {
  /** Calls for one company. */
  perMinute: number;
  perDay: number;
  concurrent: number;
  /** New access tokens for one refresh token. */
  tokensPerTenMinutes: number;
  /** Whether the refusal of a call states the wait. */
  statesWait: boolean;
};

export type LimitName = 'minute' | 'day' | 'concurrent';

/** The calls that a limit still allows, and the seconds until it allows one more. */
export type Allowance = { most: number; left: number; waitSeconds: number | null };

/** `retryAfterSeconds` is `null` if the platform does not state it. */
type LimitRefusal = { limit: LimitName; retryAfterSeconds: number | null };

export type Limiter = ReturnType<typeof createLimiter>;

/** Counts calls within sliding windows, like Xero. */
export const createLimiter = ({ clock, mode }: { clock: () => Date; mode: 'enforced' | 'off' }) => {
  const momentsByKey = new Map<string, number[]>();
  const concurrentCalls = new Map<string, number>();

  const allowanceOf = (
    key: string,
    [most, seconds]: [most: number, seconds: number],
  ): Allowance => {
    const earliest = clock().getTime() - seconds * 1000;
    const moments = momentsByKey.get(key) ?? [];
    momentsByKey.set(key, moments);
    while (moments[0] !== undefined && moments[0] <= earliest) moments.shift();
    const waitSeconds = Math.ceil(((moments[0] ?? earliest) - earliest) / 1000);
    return { most, left: most - moments.length, waitSeconds };
  };
  const count = (key: string): void => {
    momentsByKey.get(key)?.push(clock().getTime());
  };

  return {
    /** Admits a call or names the limit that it exceeds. Call `leave` after the reply. */
    enter: (
      company: string,
      limits: Limits,
    ): { refusal: LimitRefusal } | { day: Allowance | null; leave: () => void } => {
      if (mode === 'off') return { day: null, leave: () => undefined };
      const [minuteKey, dayKey] = [`${company} minute`, `${company} day`];
      const calls = concurrentCalls.get(company) ?? 0;
      const minute = allowanceOf(minuteKey, [limits.perMinute, 60]);
      const day = allowanceOf(dayKey, [limits.perDay, 24 * 60 * 60]);
      const concurrent = { left: limits.concurrent - calls, waitSeconds: null };
      for (const [limit, { left, waitSeconds }] of Object.entries({ minute, day, concurrent })) {
        const retryAfterSeconds = limits.statesWait ? waitSeconds : null;
        if (left <= 0) return { refusal: { limit: limit as LimitName, retryAfterSeconds } };
      }
      concurrentCalls.set(company, calls + 1);
      count(minuteKey);
      count(dayKey);
      return {
        day: { ...day, left: day.left - 1 },
        leave: () => void concurrentCalls.set(company, (concurrentCalls.get(company) ?? 1) - 1),
      };
    },

    /** Counts a new access token; false if the limit allows none. */
    takeToken: (consentId: string, { tokensPerTenMinutes }: Limits): boolean => {
      const isAllowed =
        mode === 'off' || allowanceOf(consentId, [tokensPerTenMinutes, 600]).left > 0;
      if (isAllowed) count(consentId);
      return isAllowed;
    },
  };
};
