// When backups of the table are made, and how long they are kept.

/**
 * AWS charges each backup as a full copy, and a third for one in cold storage. Backups must stay
 * there for at least 90 days (AWS Backup API Reference, "Lifecycle").
 */
export const backupRules = {
  weekly: { schedule: { weekDay: 'SUN' }, deleteAfterDays: 35 },
  monthly: { schedule: { day: '1' }, coldAfterDays: 7, deleteAfterDays: 365 },
} as const satisfies Record<
  string,
  { schedule: object; coldAfterDays?: number; deleteAfterDays: number }
>;
