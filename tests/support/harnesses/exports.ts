// Exports books to temporary files. The files are removed after the tests of a file.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { exportTenant } from '#infra/ops/commands/books.ts';
import type { ArchivePart } from '#shared/exports/archive-parts.ts';
import type { Calls } from './calls.ts';
import type { useOperator } from './operator.ts';

/** What exports the hledger journals of tenants, to files. */
export const useExports = (operator: ReturnType<typeof useOperator>) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hledger-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const write = async (name: string, pieces: readonly string[]): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, pieces.join(''));
    return file;
  };

  return {
    /** The journal that the operator exports. */
    exportJournal: async (tenant: string): Promise<string> => {
      const pieces: string[] = [];
      await exportTenant.run(
        { ...operator.dependencies, writeOutput: async (text) => void pieces.push(text) },
        { tenant, application: 'Bookings', format: 'hledger' },
      );
      return write(`${tenant}.journal`, pieces);
    },

    /** The journal in the archive of books that an application exports. */
    exportArchive: async ({
      prefix,
      pages,
    }: { prefix: string } & Pick<Calls, 'pages'>): Promise<string> => {
      const archive = await pages('exportBooks', { to: '2026-12-31' });
      const parts = archive.flatMap((page): ArchivePart[] => page.parts);
      const journal = parts.filter(({ name }) => name === 'journal.hledger');
      return write(
        `${prefix}-archive.journal`,
        journal.map(({ content }) => content),
      );
    },
  };
};
