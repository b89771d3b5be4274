// A function's logs and metrics.

import { type Log, openLog } from './log.ts';
import { type Metrics, openMetrics } from './metrics.ts';

export const openObservability = (functionName: string): { log: Log; metrics: Metrics } => ({
  log: openLog(functionName),
  metrics: openMetrics(functionName),
});
