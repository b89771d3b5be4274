// What a stage lacks for real use.

import type { DeployedStage } from './stages.ts';

/** Warnings about settings that a stage lacks for real use, by a short id. */
export const missingOf = ({ settings, deployment }: DeployedStage): Record<string, string> => ({
  ...(settings.reservedConcurrency === undefined && {
    'no-reserved-concurrency':
      'A caller of the public callback, or a busy application, can take executions from all ' +
      'others: set reservedConcurrency in infra/manifest/stages.ts. AWS keeps 100 executions ' +
      'of an account unreserved, so a new account with ten executions cannot reserve any. First ' +
      'request 3000 "Concurrent executions" from Service Quotas, and set accountConcurrency.',
  }),
  ...(settings.baseDomain.endsWith('.example') && {
    'no-domain': 'baseDomain is a placeholder: set your domain in infra/manifest/stages.ts.',
  }),
  ...(deployment.alarmEmail === undefined && {
    'no-alarm-email':
      'Nobody gets messages about alarms and costs: set alarmEmail in infra/manifest/stages.ts.',
  }),
  ...(!deployment.runbookUrl.startsWith('https://') && {
    'no-runbook-url':
      'Alarms name the runbook without a link: set runbookUrl to its https address.',
  }),
});
