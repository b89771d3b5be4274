// The partitions of the table by what they hold, as a function's permissions name them: the keys
// themselves, of anything.

import {
  dueConnectionPartition,
  dueDatePartition,
  dueImportPartition,
  earlierDuePartition,
} from './due-keys.ts';
import {
  applicationKey,
  applicationNamePartition,
  auditMonthsPartition,
  auditPartition,
  budgetKey,
  companyKey,
  deploymentPartition,
  domainKey,
  idempotencyRecordKey,
  keyUseKey,
  oauthStatePartition,
  passwordKey,
  rateCorrectionsPartition,
  ratesPartition,
  ratesStateKey,
  tenantCountKey,
  tenantKey,
  userIdKey,
  userKey,
} from './keys.ts';

const applicationId = '?'.repeat(16);
const any = '*';

/**
 * The partitions by what they hold: every partition key matches one of these patterns, where `?` is
 * any character and `*` any number of them, as in IAM's StringLike.
 */
export const partitionPatterns = {
  /** Applications with their API keys, which operators alone write. */
  applications: applicationKey(applicationId).pk,
  applicationNames: applicationNamePartition,
  applicationQuotas: tenantCountKey(applicationId).pk,
  keyUses: keyUseKey({ applicationId, keyId: any }).pk,
  budgets: budgetKey({ applicationId, minute: any }).pk,
  users: userKey({ applicationId, email: any }).pk,
  passwords: passwordKey({ applicationId, email: any }).pk,
  userIds: userIdKey({ applicationId, userId: any }).pk,
  tenants: tenantKey({ applicationId, schemaName: any }).pk,
  companies: companyKey({ applicationId, platform: any, companyId: any }).pk,
  idempotencyRecords: idempotencyRecordKey({ applicationId, idempotencyKey: any }).pk,
  domains: domainKey(any).pk,
  oauthStates: oauthStatePartition(any),
  rates: ratesPartition,
  ratesState: ratesStateKey.pk,
  /** What operators alone write, and functions do not read. */
  rateCorrections: rateCorrectionsPartition('????-??-??'),
  auditMonths: auditMonthsPartition,
  auditLog: auditPartition('????-??'),
  deployment: deploymentPartition,
  /** Those of the due index. */
  dueDates: dueDatePartition('?'),
  earlierDueEntries: earlierDuePartition('?'),
  dueImports: dueImportPartition,
  dueConnections: dueConnectionPartition,
};

export type PartitionKind = keyof typeof partitionPatterns;
