// Records events in an application's feed, as if something had changed.

import { openFeedRecording } from '#shared/events/feed-recording.store.ts';
import type { Table } from '#shared/table/table.ts';

export const openTestFeed = (
  table: Table,
  {
    applicationId,
    clock,
    stream = 'x',
  }: { applicationId: string; clock: () => Date; stream?: string },
) => {
  const { record } = openFeedRecording(table, { clock });
  let changes = 0;
  const changeOf = (tenant: string) => {
    changes += 1;
    return {
      source: { applicationId, partition: `TENANT#${tenant}` },
      stream,
      sequenceNumber: String(changes),
      events: [
        {
          id: `evt_${applicationId}_${stream}_${changes}`,
          type: 'tenant.updated' as const,
          at: clock().toISOString(),
          data: { tenant_domain_url: tenant },
        },
      ],
    };
  };
  return {
    /** Records one event for each of these tenants. */
    record: (...tenants: string[]) => record(applicationId, tenants.map(changeOf)),
    /** Records events of one tenant. */
    recordMany: (count: number) =>
      record(
        applicationId,
        Array.from({ length: count }, () => changeOf('acme')),
      ),
  };
};
