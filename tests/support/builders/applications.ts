// An application with a fixed id, and its suspension.

import { openApplications } from '#shared/applications/applications.store.ts';
import type { Table } from '#shared/table/table.ts';

export const openApplication = (table: Table, applicationId = 'app1') => {
  const applications = openApplications(table);
  const record = async (): Promise<void> => {
    const createdAt = '2026-03-01T09:00:00.000Z';
    const application = { applicationId, name: applicationId, redirectUrls: [], createdAt };
    await applications.record({ ...application, status: 'active' });
  };
  return {
    record,
    suspend: async (now = new Date()): Promise<void> => {
      await record();
      await applications.setStatus(applicationId, { status: 'suspended', now });
    },
    resume: async (now = new Date()): Promise<void> => {
      await applications.setStatus(applicationId, { status: 'active', now });
    },
  };
};
