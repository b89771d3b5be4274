// The gateway's throttles on this machine: token buckets, like the deployed gateway's.

import { type FunctionName, throttledEndpoints } from '../../manifest/manifest.ts';
import type { Throttle, Throttling } from '../../manifest/stages.ts';

/** A token bucket. Each request takes one token; the bucket refills at the rate. */
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

/** One bucket per name. A new name has a full bucket. */
const openBuckets = (throttle: Throttle) => {
  const buckets = new Map<string, () => boolean>();
  return (name: string): boolean => {
    const take = buckets.get(name) ?? openBucket(throttle);
    buckets.set(name, take);
    return take();
  };
};

/**
 * Whether a request passes: first by its application's usage plan, then by its method's throttle
 * (API Gateway Developer Guide, "How throttling limit settings are applied"). So the refused
 * requests of one application take nothing from others. AWS does not document whether a plan's
 * throttle of a method adds to the application's throttle, as here, or replaces it.
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
