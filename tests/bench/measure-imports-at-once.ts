// Measures whether large imports delay small ones: ten large companies and then two small ones, all
// imported at once through the service as people start it, beside the small ones alone.

import { companiesOf } from '#infra/sandbox/companies.ts';
import { slotNames } from '#shared/platforms/slots.ts';
import type { TenantName } from '#shared/store/keys.ts';
import { type Company, type ImportService, startImportService } from './import-service.ts';
import { largeCompanyAt } from './measure-large-import.ts';

export type ImportsAtOnceResult = Awaited<ReturnType<typeof measureImportsAtOnce>>;

const largeCount = 10;

/** A small company at each of two platforms: the first with ten journals or more. */
const smallCompanies: readonly Company[] = slotNames.slice(0, 2).flatMap((slot) => {
  const some = companiesOf[slot].filter(({ journalCount }) => journalCount >= 10);
  const [company] = some.toSorted((a, b) => a.journalCount - b.journalCount);
  return company === undefined ? [] : [{ slot, company }];
});

/** How long an import took from its request to its end, and to the begin of its first run. */
const timesOf = async (service: ImportService, name: TenantName) => {
  const { status, requestedAt, finishedAt } = await service.until(name);
  const [first] = service.runsOf(name);
  const begin = Date.parse(first?.timestamp ?? '') - (first?.duration_ms ?? 0);
  return {
    status,
    seconds: (Date.parse(finishedAt ?? '') - Date.parse(requestedAt)) / 1_000,
    secondsUntilBegun: Math.max(0, (begin - Date.parse(requestedAt)) / 1_000),
  };
};

const measureAlone = async () => {
  const service = await startImportService();
  try {
    const times: Awaited<ReturnType<typeof timesOf>>[] = [];
    for (const company of smallCompanies) {
      times.push(await timesOf(service, await service.connect(service.demo, company)));
    }
    return times;
  } finally {
    await service.stop();
  }
};

/** A company is one tenant of an application, so that more applications connect it as well. */
const connectLargeOnes = async (service: ImportService): Promise<TenantName[]> => {
  const names: TenantName[] = [];
  let caller: Parameters<ImportService['connect']>[0] = service.demo;
  for (let place = 0; place < largeCount; place += 1) {
    const slot = slotNames[place % slotNames.length] ?? 'platform_a';
    if (place > 0 && place % slotNames.length === 0) {
      caller = await service.createCaller(`Holding ${place}`);
    }
    names.push(await service.connect(caller, largeCompanyAt(slot)));
  }
  return names;
};

export const measureImportsAtOnce = async (report: (line: string) => void) => {
  const alone = await measureAlone();
  report(`alone: ${alone.map(({ seconds }) => `${seconds.toFixed(1)} s`).join(', ')}`);
  const service = await startImportService();
  try {
    const largeOnes = await connectLargeOnes(service);
    // From here on every one of them is in the middle of its work.
    for (const name of largeOnes) {
      await service.until(name, ({ checkpoint }) => checkpoint.accountsImported > 0);
    }
    report(`${largeOnes.length} large imports are under way`);
    const names: TenantName[] = [];
    for (const company of smallCompanies) {
      names.push(await service.connect(service.demo, company));
    }
    const beside = await Promise.all(names.map((name) => timesOf(service, name)));
    report(`beside them: ${beside.map(({ seconds }) => `${seconds.toFixed(1)} s`).join(', ')}`);
    const states = await Promise.all(largeOnes.map(service.find));
    const stillRunning = states.filter(({ status }) => status === 'running').length;
    return {
      date: new Date().toISOString().slice(0, 10),
      largeCount: largeOnes.length,
      /** Those that were still at work when the small ones had ended. */
      stillRunning,
      small: smallCompanies.map(({ slot, company }, place) => ({
        slot,
        accounts: company.accounts.length,
        journals: company.journalCount,
        alone: alone[place],
        beside: beside[place],
      })),
    };
  } finally {
    await service.kill();
  }
};
