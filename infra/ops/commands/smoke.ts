// The operator's command that tests a stage with real requests.

import { defineChange, noVerb } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { optional, webAddress } from '../options.ts';
import { ensureUsageKey } from './applications.ts';

/** Only for the smoke test. It has no live key between runs. */
const smokeApplication = 'smoke-test';

const keyMilliseconds = 15 * 60_000;

export const smoke = defineChange({
  change: { after: ['application_id', 'key_id', 'tenant', 'journal_number'] },
  needs: [
    'applications',
    'baseUrl',
    'clock',
    'exchangeRates',
    'pepper',
    'random',
    'secrets',
    'sleep',
    'usagePlan',
  ],
  options: { baseUrl: optional(webAddress) },
  run: async (dependencies, { baseUrl }) => {
    const { findOrCreateApplication, issueApiKey } = await import(
      '#shared/applications/issue-api-key.service.ts'
    );
    const { runSmokeCalls } = await import('../deployment/smoke-calls.ts');
    const { applications, exchangeRates, secrets, clock, random } = dependencies;
    const address = baseUrl ?? (await dependencies.baseUrl());
    await secrets.readFilled('api-key-pepper');
    // Only checks that rates exist. The alarm on stale rates checks their age.
    const rates = await exchangeRates.findLatest();
    if (!rates) throw new CommandFailure('there are no exchange rates yet: run rates refresh');
    const { application } = await findOrCreateApplication(dependencies, smokeApplication);
    const { applicationId } = application;
    await ensureUsageKey(dependencies, application);
    const expiresAt = new Date(clock().getTime() + keyMilliseconds).toISOString();
    const issued = await issueApiKey(dependencies, { applicationId, access: 'full', expiresAt });
    if (issued === undefined) throw new CommandFailure('the key could not be recorded; try again');
    try {
      const { tenant, journalNumber, calls } = await runSmokeCalls({
        baseUrl: address,
        apiKey: issued.apiKey,
        date: rates.date,
        runId: random(8).toString('hex'),
        password: random(16).toString('hex'),
        sleep: dependencies.sleep,
      });
      return {
        base_url: address,
        application: smokeApplication,
        application_id: applicationId,
        key_id: issued.keyId,
        tenant,
        journal_number: journalNumber,
        calls,
      };
    } finally {
      const { keyId } = issued;
      await applications.revokeKey({ keyId, applicationId }, clock().toISOString());
    }
  },
});

export const commands = { [noVerb]: smoke };
