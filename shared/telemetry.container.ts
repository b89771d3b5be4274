// The logs and metrics of a function, with the metrics' namespace of its stage.

import * as z from 'zod/mini';
import { readEnvironment } from './environment.ts';
import { openLog, openMetrics, type Telemetry } from './telemetry.ts';

/** Without a namespace in the environment, as on this machine, a function has no metrics. */
export const openTelemetry = (functionName: string): Telemetry => {
  const environment = readEnvironment({
    METRICS_NAMESPACE: z.optional(z.string()),
    AWS_LAMBDA_FUNCTION_VERSION: z.optional(z.string()),
  });
  const { METRICS_NAMESPACE: namespace, AWS_LAMBDA_FUNCTION_VERSION: version } = environment;
  return { log: openLog(functionName), metrics: openMetrics(namespace, version) };
};
