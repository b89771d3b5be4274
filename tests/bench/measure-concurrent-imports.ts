// Measures whether large imports delay small ones, through `npm start`: two small companies alone,
// then the same two while ten large ones are imported.

import { companiesOf } from '#infra/sandbox/companies.ts';
import { slotNames } from '#shared/platforms/slots.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { type Company, type ImportService, startImportService } from './import-service.ts';
import { largeCompanyAt } from './measure-large-import.ts';

export type ConcurrentImportsResult = Awaited<ReturnType<typeof measureConcurrentImports>>;

const largeCount = 10;

/** The smallest company with at least ten journals, at each of two platforms. */
const smallCompanies: readonly Company[] = slotNames.slice(0, 2).flatMap((slot) => {
  const candidates = companiesOf[slot].filter(({ journalCount }) => journalCount >= 10);
  const [company] = candidates.toSorted((a, b) => a.journalCount - b.journalCount);
  return company === undefined ? [] : [{ slot, company }];
});

/** Times from an import's request to its end, and to the start of the first run. */
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

/** An application can connect a company once, so several applications connect the large ones. */
const connectLargeCompanies = async (service: ImportService): Promise<TenantName[]> => {
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

export const measureConcurrentImports = async (report: (line: string) => void) => {
  const alone = await measureAlone();
  report(`alone: ${alone.map(({ seconds }) => `${seconds.toFixed(1)} s`).join(', ')}`);
  const service = await startImportService();
  try {
    const largeImports = await connectLargeCompanies(service);
    // Wait until every large import is in progress.
    for (const name of largeImports) {
      await service.until(name, ({ checkpoint }) => checkpoint.accountsImported > 0);
    }
    report(`${largeImports.length} large imports are in progress`);
    const names: TenantName[] = [];
    for (const company of smallCompanies) {
      names.push(await service.connect(service.demo, company));
    }
    const beside = await Promise.all(names.map((name) => timesOf(service, name)));
    report(
      `with large imports: ${beside.map(({ seconds }) => `${seconds.toFixed(1)} s`).join(', ')}`,
    );
    const states = await Promise.all(largeImports.map(service.find));
    const stillRunning = states.filter(({ status }) => status === 'running').length;
    return {
      date: new Date().toISOString().slice(0, 10),
      largeCount: largeImports.length,
      /** Large imports that were still running when the small ones ended. */
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
