// The partitions of the table by what they hold, as a function's permissions name them.

const anyApplication = `APP#${'?'.repeat(16)}`;

/**
 * The partitions by what they hold: every partition key matches one of these patterns, where `?` is
 * any character and `*` any number of them, as in IAM's StringLike.
 */
export const partitionPatterns = {
  /** Applications with their API keys, which operators alone write. */
  applications: anyApplication,
  applicationNames: 'APPS',
  keyUses: `${anyApplication}#KEYUSE`,
  users: `${anyApplication}#USER#*`,
  userIds: `${anyApplication}#USERID#*`,
  tenants: `${anyApplication}#TENANT#*`,
  companies: `${anyApplication}#COMPANY#*`,
  idempotencyRecords: `${anyApplication}#IDEMPOTENCY#*`,
  domains: 'DOMAIN#*',
  oauthStates: 'STATE#*',
  rates: 'RATES',
  ratesState: 'RATES#STATE',
  /** What operators alone write, and functions do not read. */
  rateCorrections: 'RATES#????-??-??',
  auditMonths: 'AUDIT',
  auditLog: 'AUDIT#????-??',
  deployment: 'DEPLOYMENT',
  /** Those of the due index. */
  dueEntries: 'DUE#?',
  dueImports: 'DUE-IMPORT',
  dueConnections: 'DUE-CONNECTION',
} as const;

export type PartitionKind = keyof typeof partitionPatterns;
