// Exports books to temporary files. The files are removed after the tests of a file.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { exportTenant } from '#infra/ops/commands/books.ts';
import type { useOperator } from './operator.ts';

/** Returns a function that exports a tenant's hledger journal and returns the file's path. */
export const useExports = (operator: ReturnType<typeof useOperator>) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hledger-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  return async (tenant: string): Promise<string> => {
    const pieces: string[] = [];
    await exportTenant.run(
      { ...operator.dependencies, writeOutput: async (text) => void pieces.push(text) },
      { tenant, application: 'Bookings', format: 'hledger' },
    );
    const file = join(folder, `${tenant}.journal`);
    await writeFile(file, pieces.join(''));
    return file;
  };
};
