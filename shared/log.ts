// Structured logs: one JSON line each, named for the function that wrote it.

import { Logger } from '@aws-lambda-powertools/logger';

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

export const openLog = (functionName: string): Log => new Logger({ serviceName: functionName });
