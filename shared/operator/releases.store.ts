// The last releases of a stage: the version of each function after a deployment. A roll-back goes
// back to one of them.

import * as z from 'zod/mini';
import { updateAction } from '../table/field-updates.ts';
import { releasesKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const Release = z.object({
  releasedAt: z.string(),
  /** The commit that was deployed. Releases of version 1.2.0 have none. */
  commit: z.optional(z.string()),
  /** The stored formats that its functions can read. */
  readableFormats: z.array(z.int()),
  /** The versions by the functions' names. */
  versions: z.record(z.string(), z.string()),
});
export type Release = z.infer<typeof Release>;

/** The releases, the newest first, and the one in service. */
const Releases = z.object({ inService: z.string(), releases: z.array(Release) });
export type Releases = z.infer<typeof Releases>;

/** The releases to go back to, and the newest one. */
const keptReleases = 5;

export const openReleases = (table: Pick<Table, 'get' | 'update'>) => {
  const find = async (): Promise<Releases | undefined> => {
    const item = await table.get(releasesKey);
    return item && Releases.parse(item);
  };
  return {
    find,

    /** Records a release and puts it in service. Releases that were rolled back are forgotten. */
    record: async (release: Release): Promise<void> => {
      const { inService = '', releases = [] } = (await find()) ?? {};
      const earlier = releases.filter(({ releasedAt }) => releasedAt <= inService);
      const kept = [release, ...earlier].slice(0, keptReleases);
      const set: Releases = { inService: release.releasedAt, releases: kept };
      await table.update(updateAction(releasesKey, { set }));
    },

    /** Records that an earlier release is in service. */
    putInService: async (releasedAt: string): Promise<void> => {
      await table.update(updateAction(releasesKey, { set: { inService: releasedAt } }));
    },
  };
};
