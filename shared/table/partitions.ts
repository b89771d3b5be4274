// The partition kinds of the table, which a function's grants name.

import {
  dueCarryPartition,
  dueConnectionPartition,
  dueDatePartition,
  dueDeliveryPartition,
  dueFeedPartition,
  dueImportPartition,
  dueVerificationPartition,
  earlierDuePartition,
} from './due-keys.ts';
import { feedPageKey, webhooksKey } from './event-keys.ts';
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
  importPacePartition,
  keyUseKey,
  oauthStatePartition,
  passwordKey,
  rateCorrectionsPartition,
  ratesPartitions,
  ratesStateKey,
  tenantCountKey,
  tenantKey,
  userIdKey,
  userKey,
} from './keys.ts';
import { tenantListPartition } from './list-keys.ts';

const applicationId = '?'.repeat(16);
const any = '*';

/**
 * The pattern of each kind's partition keys. Every partition key matches a pattern. As in
 * IAM's StringLike, `?` is any character and `*` any number of characters.
 */
export const partitionPatterns = {
  /** Applications with their API keys. Only operators write them. */
  applications: applicationKey(applicationId).pk,
  applicationNames: applicationNamePartition,
  applicationQuotas: tenantCountKey(applicationId).pk,
  keyUses: keyUseKey({ applicationId, keyId: any }).pk,
  budgets: budgetKey({ applicationId, minute: any }).pk,
  importPace: importPacePartition,
  users: userKey({ applicationId, email: any }).pk,
  passwords: passwordKey({ applicationId, email: any }).pk,
  userIds: userIdKey({ applicationId, userId: any }).pk,
  tenantLists: tenantListPartition(applicationId),
  tenants: tenantKey({ applicationId, schemaName: any }).pk,
  companies: companyKey({ applicationId, platform: any, companyId: any }).pk,
  eventFeeds: feedPageKey(applicationId, 1).pk,
  webhooks: webhooksKey(applicationId).pk,
  idempotencyRecords: idempotencyRecordKey({ applicationId, idempotencyKey: any }).pk,
  domains: domainKey(any).pk,
  oauthStates: oauthStatePartition(any),
  rates: ratesPartitions.ecb,
  nbpRates: ratesPartitions.nbp,
  ratesState: ratesStateKey.pk,
  /** Only operators write the next four kinds, and functions do not read them. */
  rateCorrections: rateCorrectionsPartition('????-??-??'),
  auditMonths: auditMonthsPartition,
  auditLog: auditPartition('????-??'),
  deployment: deploymentPartition,
  /** The partitions of the due index. */
  dueDates: dueDatePartition('?'),
  earlierDueEntries: earlierDuePartition('?'),
  dueImports: dueImportPartition,
  dueConnections: dueConnectionPartition,
  dueCarries: dueCarryPartition,
  dueVerifications: dueVerificationPartition,
  dueDeliveries: dueDeliveryPartition,
  dueFeeds: dueFeedPartition,
};

export type PartitionKind = keyof typeof partitionPatterns;
