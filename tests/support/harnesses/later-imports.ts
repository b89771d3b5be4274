// Companies that were imported, and their further imports.

import type { PlatformJournal } from '#shared/platforms/platform.ts';
import type { TenantImports } from './tenant-imports.ts';

/** A company that was imported, and further imports of it. */
export const openLaterImports =
  (open: TenantImports, journalPages: PlatformJournal[][]) =>
  async (options: Parameters<TenantImports['connectCompany']>[0] = {}) => {
    const company = await open.connectCompany({ journalPages, ...options });
    await company.deliver();
    let imports = 1;
    const request = async (how: 'request' | 'requestChanges' = 'requestChanges') => {
      imports += 1;
      company.world.now += 60_000;
      company.fake.calls.length = 0;
      company.fake.pageRequests.length = 0;
      const requestedAt = company.clock().toISOString();
      const details = { importId: `import-${imports}`, requestedAt };
      const { lockDate, followPlatformEdits } = (await open.tenants.find(company.name)) ?? {};
      await (how === 'request'
        ? open.imports.request(company.name, details)
        : open.imports.requestChanges(company.name, { ...details, lockDate, followPlatformEdits }));
    };
    const again = async (how?: 'request' | 'requestChanges') => {
      await request(how);
      await company.runToEnd();
    };
    const report = async () => {
      const { checkpoint } = (await open.imports.find(company.name)) ?? {};
      return {
        refused: checkpoint?.refused.map(({ reference, reason }) => `${reference} ${reason}`),
        changes: checkpoint?.changes.map(({ reference, change }) => `${reference} ${change}`),
      };
    };
    /** The `modifiedSince` of each request for a page. */
    const since = () => company.fake.pageRequests.map((it) => it.modifiedSince?.toISOString());
    /** The items of the tenant, without the import and its end in the history. */
    const ledger = async () =>
      (await open.scan())
        .filter(({ pk }) => String(pk).endsWith(`#${company.name.schemaName}`))
        .filter(({ sk, what }) => sk !== 'IMPORT' && what !== 'import_ended')
        .map(({ changes: _, changesHead: __, ...item }) => item);
    return { ...company, request, again, report, since, ledger };
  };
