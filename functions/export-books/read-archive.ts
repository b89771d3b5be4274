// Reads an archive of books page by page: as many steps as a reply has room for.

import { type ArchivePart, sealedParts } from '#shared/exports/archive-parts.ts';
import { journalHead } from '#shared/exports/hledger.ts';
import verifier from '#shared/exports/verifier.json' with { type: 'json' };
import type { TenantName } from '#shared/table/keys.ts';
import { meterUsage } from '#shared/table/metering.ts';
import type { Tenant } from '#shared/tenants/tenants.ts';
import { type ArchiveStores, openArchiveSteps, type StepRead } from './read-steps.ts';
import type { Position } from './schema.ts';

/** A page begins no step after these. A step has up to 5 MB, and a reply up to 6 MB. */
const maximumUnits = 100;
const maximumBytes = 500_000;

/** The files that begin an archive. */
export const beginningOf = (tenant: Tenant, shown: object): ArchivePart[] => [
  { name: 'verify.mjs', content: verifier.program },
  { name: 'tenant.json', content: `${JSON.stringify(shown, undefined, 2)}\n` },
  ...['changes', 'accounts', 'sheets', 'entries', 'unposted'].map((it) => ({
    name: `${it}.ndjson`,
    content: '',
  })),
  { name: 'journal.hledger', content: journalHead(tenant) },
];

export const openArchives = (stores: ArchiveStores) => {
  const readStep = openArchiveSteps(stores);

  const readMetered = async (
    ...step: Parameters<typeof readStep>
  ): Promise<StepRead & { units: number }> => {
    const { result, usage } = await meterUsage(() => readStep(...step));
    return { ...result, units: usage.calls.reduce((sum, { units }) => sum + units, 0) };
  };

  return {
    /** Reads the parts of a page after these, and where the next page begins. */
    readPage: async (
      books: { name: TenantName; tenant: Tenant },
      { beginning, position }: { beginning: readonly ArchivePart[]; position: Position },
    ): Promise<{ parts: ArchivePart[]; next: Position | undefined }> => {
      const { to } = position;
      const parts = [...beginning];
      let next: Position | undefined = position;
      let [units, bytes] = [0, 0];
      do {
        const step: Awaited<ReturnType<typeof readMetered>> = await readMetered(books, next);
        const written = step.parts.filter(({ content }) => content !== '');
        parts.push(...written);
        units += step.units;
        for (const { content } of written) bytes += Buffer.byteLength(JSON.stringify(content));
        next = step.next && { ...step.next, to, seal: position.seal };
      } while (next && units < maximumUnits && bytes < maximumBytes);
      const sealed = sealedParts(parts, position.seal);
      return { parts: sealed.parts, next: next && { ...next, seal: sealed.seal } };
    },
  };
};
