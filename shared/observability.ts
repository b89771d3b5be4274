// What every function tells its operator: log lines and metrics, under the function's own name.

import { type Log, openLog } from './log.ts';
import { type Metrics, openMetrics } from './metrics.ts';

export const openObservability = (functionName: string): { log: Log; metrics: Metrics } => ({
  log: openLog(functionName),
  metrics: openMetrics(functionName),
});
