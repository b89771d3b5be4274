// Measures reports of the service that `npm start` starts.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDataFolder, startService } from '../support/processes/service.ts';
import { environmentAt } from './environment.ts';
import type { ReportResult, ReportsResult } from './measure-reports.ts';
import { runStep } from './step.ts';

/** Runs the handlers in a separate process with direct access to the service's table. */
export const measureReportsOfService = async (
  quick: boolean,
  report: (line: string) => void,
): Promise<ReportsResult> => {
  const startedAt = performance.now();
  const folder = await makeDataFolder();
  const { demo, stop } = await startService({ dataFolder: folder.path });
  try {
    const local = JSON.parse(await readFile(join(folder.path, 'local.json'), 'utf8'));
    const environment = {
      PATH: process.env.PATH ?? '',
      ...environmentAt({
        tableName: local.table_name,
        dynamoDB: local.dynamodb_endpoint,
        secretsManager: local.secrets_endpoint,
      }),
      LEDGER_BASE_URL: demo.base_url,
    };
    const application = { applicationId: demo.application_id, apiKey: demo.api_key };
    const benchEnvironment = { ...application, environment };
    const reports = await runStep<ReportResult[]>(
      { name: 'reports', quick, benchEnvironment },
      report,
    );
    const date = new Date().toISOString().slice(0, 10);
    return { date, seconds: (performance.now() - startedAt) / 1_000, reports };
  } finally {
    await stop();
    await folder.remove();
  }
};
