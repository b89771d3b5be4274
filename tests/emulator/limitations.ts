// The types of resources that LocalStack passes over. README.md says what tests them instead.

import assert from 'node:assert/strict';

/** It does not create these. */
const unknownTypes = [
  'AWS::Backup::BackupPlan',
  'AWS::Backup::BackupSelection',
  'AWS::Backup::BackupVault',
  'AWS::CloudWatch::Dashboard',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::Logs::MetricFilter',
  'AWS::WAFv2::LoggingConfiguration',
  'AWS::WAFv2::WebACL',
  'AWS::WAFv2::WebACLAssociation',
];

/** It creates these and does not change them. */
const unchangingTypes = ['AWS::CloudWatch::Alarm', 'AWS::KMS::Key'];

/** @throws if a type is missing in `known` */
const typesIn = (log: string, message: RegExp, known: readonly string[]): string[] => {
  const types = [...new Set([...log.matchAll(message)].map(([, type]) => `${type}`))].sort();
  const others = types.filter((it) => !known.includes(it));
  assert.deepEqual(others, [], 'LocalStack passes over types that limitations.ts does not list');
  return types;
};

/**
 * @param log LocalStack's log of a deployment
 * @returns remarks for the report
 * @throws if LocalStack passes over a type that is not listed here
 */
export const limitationsIn = (log: string): string[] => {
  const unknown = typesIn(log, /No resource provider found for "([\w:]+)"/g, unknownTypes);
  const unchanged = typesIn(log, /Unable to update resource type "([\w:]+)"/g, unchangingTypes);
  return [
    ...(unknown.length > 0 ? [`passed over by LocalStack: ${unknown.join(', ')}`] : []),
    ...(unchanged.length > 0 ? [`left as they were by LocalStack: ${unchanged.join(', ')}`] : []),
  ];
};
