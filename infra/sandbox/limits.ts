// The platforms' limits on calls.

/** A limit is `null` if the platform does not have it. */
export type Limits = {
  /** Calls for one organization. */
  perMinute: number;
  perDay: number | null;
  concurrent: number;
  /** New access tokens for one refresh token. */
  tokensPerTenMinutes: number | null;
  /** Whether the refusal of a call states the wait. */
  statesWait: boolean;
};

export type LimitName = 'minute' | 'day' | 'concurrent';

/** `retryAfterSeconds` is `null` if the platform does not state it. */
export type LimitRefusal = { limit: LimitName; retryAfterSeconds: number | null };

/** The calls that a limit still allows, and the seconds until it allows one more. */
export type Allowance = { limit: LimitName; most: number; left: number; waitSeconds: number };

/** The organization is `undefined` for a call that names none. */
type LimitedCall = { limits: Limits; platform: string; organization: string | undefined };

const [oneMinute, oneDay, tenMinutes] = [60, 24 * 60 * 60, 600];

/** A call without an organization is not limited. */
const windowsOf = ({ limits: { perMinute, perDay }, platform, organization }: LimitedCall) => {
  if (organization === undefined) return [];
  const windows: [limit: LimitName, most: number | null, seconds: number][] = [
    ['minute', perMinute, oneMinute],
    ['day', perDay, oneDay],
  ];
  return windows.flatMap(([limit, most, seconds]) =>
    most === null ? [] : [{ limit, most, seconds, key: `${platform} ${organization} ${limit}` }],
  );
};

export type Limiter = ReturnType<typeof createLimiter>;

/** Counts calls within sliding windows, like Xero. */
export const createLimiter = ({ clock, mode }: { clock: () => Date; mode: 'enforced' | 'off' }) => {
  const momentsByKey = new Map<string, number[]>();
  const concurrentCalls = new Map<string, number>();

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
    /** Admits a call, which must `leave` after its reply, or names the limit that it exceeds. */
    enter: (
      call: LimitedCall,
    ): { refusal: LimitRefusal } | { allowances: Allowance[]; leave: () => void } => {
      if (mode === 'off') return { allowances: [], leave: () => undefined };
      const { limits, platform, organization } = call;
      const windows = windowsOf(call).map((window) => ({
        ...window,
        ...look(window.key, window),
      }));
      const spent = windows.find(({ left }) => left <= 0);
      if (spent) {
        const retryAfterSeconds = limits.statesWait ? spent.waitSeconds : null;
        return { refusal: { limit: spent.limit, retryAfterSeconds } };
      }
      const place = `${platform} ${organization}`;
      const concurrent = concurrentCalls.get(place) ?? 0;
      if (organization !== undefined && concurrent >= limits.concurrent) {
        return { refusal: { limit: 'concurrent', retryAfterSeconds: null } };
      }
      concurrentCalls.set(place, concurrent + 1);
      for (const window of windows) {
        count(window.key);
        window.left -= 1;
      }
      return {
        allowances: windows,
        leave: () => void concurrentCalls.set(place, (concurrentCalls.get(place) ?? 1) - 1),
      };
    },

    /** Counts a new access token; false if the limit allows none. */
    takeToken: (consentId: string, { tokensPerTenMinutes: most }: Limits): boolean => {
      if (mode === 'off' || most === null) return true;
      const isAllowed = look(consentId, { most, seconds: tenMinutes }).left > 0;
      if (isAllowed) count(consentId);
      return isAllowed;
    },
  };
};
