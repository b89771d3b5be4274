// The logs and metrics of a function, with the metrics' namespace of its stage.

import * as z from 'zod/mini';
import { readEnvironment } from './environment.ts';
import { openLog, openMetrics, type Telemetry } from './telemetry.ts';

/** Without a namespace in the environment, as on this machine, a function has no metrics. */
export const openTelemetry = (functionName: string): Telemetry => {
  const { METRICS_NAMESPACE } = readEnvironment({ METRICS_NAMESPACE: z.optional(z.string()) });
  return { log: openLog(functionName), metrics: openMetrics(METRICS_NAMESPACE) };
};
