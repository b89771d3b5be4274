// The operator's commands by noun and verb.

import type { Command } from './command.ts';
import {
  changeRedirectUrls,
  createApplication,
  listApplications,
  resumeApplication,
  suspendApplication,
  syncApplications,
} from './commands/applications.ts';
import { listAudit } from './commands/audit.ts';
import { listBackground, retryBackground } from './commands/background.ts';
import { exportTenant, verifyBooks } from './commands/books.ts';
import { disconnect, showConnection } from './commands/connections.ts';
import { showEntry } from './commands/entries.ts';
import { listFailures, redriveFailures } from './commands/failures.ts';
import { restartImport, resumeImport, showImport } from './commands/imports.ts';
import { createKey, expireKey, listKeys, revokeKey } from './commands/keys.ts';
import { correctRate, loadRates, refreshRates, showRates } from './commands/rates.ts';
import { resealTokens, retireSecret } from './commands/secret-versions.ts';
import { rotateSecret, setSecret, showSecrets } from './commands/secrets.ts';
import { smoke } from './commands/smoke.ts';
import { checkTable, migrateTable, prepareTable } from './commands/tables.ts';
import { showTenant } from './commands/tenants.ts';
import { showUsage } from './commands/usage.ts';

export const commands = new Map<string, Command>([
  ['applications create', createApplication],
  ['applications list', listApplications],
  ['applications suspend', suspendApplication],
  ['applications resume', resumeApplication],
  ['applications redirect-urls', changeRedirectUrls],
  ['applications sync', syncApplications],
  ['applications usage', showUsage],
  ['keys create', createKey],
  ['keys list', listKeys],
  ['keys expire', expireKey],
  ['keys revoke', revokeKey],
  ['rates load', loadRates],
  ['rates refresh', refreshRates],
  ['rates correct', correctRate],
  ['rates show', showRates],
  ['connections show', showConnection],
  ['connections disconnect', disconnect],
  ['imports show', showImport],
  ['imports resume', resumeImport],
  ['imports restart', restartImport],
  ['tenants show', showTenant],
  ['entries show', showEntry],
  ['books verify', verifyBooks],
  ['books export', exportTenant],
  ['background list', listBackground],
  ['background retry', retryBackground],
  ['failures list', listFailures],
  ['failures redrive', redriveFailures],
  ['secrets show', showSecrets],
  ['secrets set', setSecret],
  ['secrets rotate', rotateSecret],
  ['secrets reseal', resealTokens],
  ['secrets retire', retireSecret],
  ['table check', checkTable],
  ['table prepare', prepareTable],
  ['table migrate', migrateTable],
  ['audit list', listAudit],
  ['smoke', smoke],
]);
