// Measures a complete import of 10,000 accounts and 100,000 journals through `npm start`, in runs
// of at most 300 seconds. The heap is limited to its size at rest plus 128 MB.

import { setTimeout as pause } from 'node:timers/promises';
import { functions } from '#infra/manifest/manifest.ts';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { type Company, startImportService } from './import-service.ts';
import { startSeconds } from './service-probe.ts';

export type LargeImportResult = Awaited<ReturnType<typeof measureLargeImport>>;

/** The memory for the import: a deployed function does not share its heap with a service. */
export const heapMegabytesBeyondBase = 128;

const reportMilliseconds = 10_000;

export const largeCompanyAt = (slot: Slot): Company => {
  const company = companiesOf[slot].toSorted((a, b) => b.journalCount - a.journalCount)[0];
  if (company === undefined) throw new Error(`the sandbox has no company at ${slot}`);
  return { slot, company };
};

/** The heap of the service at rest, including the sandbox, which runs in the same process. */
const measureBase = async (): Promise<number> => {
  const service = await startImportService();
  try {
    await pause((startSeconds + 1) * 1_000);
    return (await service.reading()).baseHeapMegabytes;
  } finally {
    await service.stop();
  }
};

/** @param journals stop after this many; by default import all */
export const measureLargeImport = async (
  { slot, journals = Infinity }: { slot: Slot; journals?: number | undefined },
  report: (line: string) => void,
) => {
  const { company } = largeCompanyAt(slot);
  const baseMegabytes = await measureBase();
  const heapMegabytes = Math.ceil(baseMegabytes) + heapMegabytesBeyondBase;
  report(`${slot}: heap at rest ${baseMegabytes.toFixed(0)} MB, limit ${heapMegabytes} MB`);
  const service = await startImportService({ heapMegabytes });
  try {
    await pause((startSeconds + 1) * 1_000);
    const name = await service.connect(service.demo, { slot, company });
    const startedAt = performance.now();
    let reportedAt = startedAt;
    const state = await service.until(name, ({ status, checkpoint }) => {
      if (performance.now() - reportedAt > reportMilliseconds) {
        reportedAt = performance.now();
        const { accountsImported, journalsImported } = checkpoint;
        report(`${slot}: ${accountsImported} accounts, ${journalsImported} journals, ${status}`);
      }
      return checkpoint.journalsImported >= journals;
    });
    const seconds = (performance.now() - startedAt) / 1_000;
    await pause(2_000);
    const { calls, peakHeapMegabytes, peakResidentMegabytes } = await service.reading();
    const runs = service.runsOf(name);
    const callsFor = (purpose: string): number => calls[`${slot} ${purpose}`] ?? 0;
    return {
      slot,
      date: new Date().toISOString().slice(0, 10),
      isWhole: journals === Infinity,
      status: state.status,
      reason: state.reason,
      accountsImported: state.checkpoint.accountsImported,
      journalsAtPlatform: company.journalCount,
      journalsImported: state.checkpoint.journalsImported,
      journalsRefused: state.checkpoint.journalsRefused,
      seconds,
      runs: runs.length,
      longestRunSeconds: Math.max(0, ...runs.map((it) => it.duration_ms / 1_000)),
      maximumRunSeconds: functions['import-tenant-data'].timeoutSeconds,
      journalCalls: callsFor('journals'),
      accountCalls: callsFor('accounts'),
      otherCalls: callsFor('tokens') + callsFor('others'),
      baseMegabytes,
      heapMegabytes,
      peakHeapMegabytes,
      peakResidentMegabytes,
    };
  } finally {
    await (journals === Infinity ? service.stop() : service.kill());
  }
};
