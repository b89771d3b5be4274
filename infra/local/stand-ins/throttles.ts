// The gateway's throttles on this machine: token buckets, as the deployed gateway has them.

import { type FunctionName, throttledEndpoints } from '../../manifest/manifest.ts';
import type { Throttle, Throttling } from '../../manifest/stages.ts';

/** A bucket of so many tokens, which fills up again at the rate; each request takes one. */
const openBucket = ({ ratePerSecond, burst }: Throttle): (() => boolean) => {
  let tokens = burst;
  let filledAt = performance.now();
  return () => {
    const now = performance.now();
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * ratePerSecond);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
};

/** The bucket of each name, which is full where the name is new. */
const openBuckets = (throttle: Throttle) => {
  const buckets = new Map<string, () => boolean>();
  return (name: string): boolean => {
    const take = buckets.get(name) ?? openBucket(throttle);
    buckets.set(name, take);
    return take();
  };
};

export type Throttles = ReturnType<typeof openThrottles>;

/**
 * Whether a request may pass: first by its application's usage plan, then by its method's limit
 * (API Gateway Developer Guide, "How throttling limit settings are applied"). So what is refused an
 * application takes nothing from the others. Whether what a plan says of a method comes beside its
 * limit for all, as here, or instead of it, is not documented.
 */
export const openThrottles = (throttling: Throttling) => {
  const takeOfApplication = openBuckets(throttling.application);
  const takeOfItsMethod = new Map(
    throttledEndpoints.map(({ name, throttle }) => [name, openBuckets(throttling[throttle])]),
  );
  const takeOfMethod = openBuckets(throttling.method);
  return ({ usageKey, name }: { usageKey: string; name: FunctionName }): boolean =>
    (takeOfItsMethod.get(name)?.(usageKey) ?? true) &&
    takeOfApplication(usageKey) &&
    takeOfMethod(name);
};
