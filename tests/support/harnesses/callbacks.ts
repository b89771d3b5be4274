// oauth-callback on a test table and a platform in memory, with authorizations that were begun.

import { randomUUID } from 'node:crypto';
import { createHandler, type Dependencies } from '#functions/oauth-callback/handler.ts';
import { openApplications } from '#shared/applications/applications.store.ts';
import { openHeldConsents } from '#shared/connections/held-consents.store.ts';
import {
  openOAuthStates,
  type PendingAuthorization,
} from '#shared/connections/oauth-states.store.ts';
import { openConnectionRecorder } from '#shared/connections/pending-connections.store.ts';
import { openTestStates } from '../builders/secrets.ts';
import { testSlots } from '../builders/slots.ts';
import { newSuffix, openTestTenants } from '../builders/tenants.ts';
import { keepReply, lambdaContext } from '../events/lambda-events.ts';
import { readPage, urlEvent } from '../events/url-events.ts';
import { keepLog } from '../recorders/log.ts';
import { keepMetrics } from '../recorders/metrics.ts';
import { acme, openFakePlatform } from '../servers/fake-platform.ts';

export const now = new Date('2026-03-23T09:30:00.000Z');
export const callbackPath = '/oauth/platform_a/callback';
export const redirectUri = `https://callback.example${callbackPath}`;
export const redirectUrl = 'https://app.example/done';

export const goBack = 'Go back to the application that you came from; you can close this page.';

/** The page of every state that does not count. */
export const noLongerWorks = {
  status: 400,
  location: undefined,
  title: 'This link does not work any more',
  text:
    'It was used already, or it is more than ten minutes old. Go back to the application that ' +
    'you came from and start again there.',
};

type Visit = {
  path?: string;
  method?: string;
  form?: string | Record<string, string>;
} & Partial<Dependencies>;

export const newCompany = () => ({
  ...acme,
  companyId: randomUUID(),
  name: `Acme ${newSuffix()}`,
});

const newPlatform = () => openFakePlatform({ company: newCompany() });

export const openCallbacks = async () => {
  const database = await openTestTenants();
  const { tenants, connections } = database;
  const states = openOAuthStates(database.table);
  const consents = openHeldConsents(database.table, database.sealing);
  const { sealing } = database;
  const connectionRecorder = openConnectionRecorder(database.table, { sealing, newSuffix });
  const { stateKeys, newState } = openTestStates();
  const applications = openApplications(database.table);
  await applications.record({
    applicationId: 'app1',
    name: 'One',
    status: 'active',
    redirectUrls: [],
    createdAt: now.toISOString(),
  });
  const ada = await database.newOwner('ada@example.com');

  /** Each test has a platform with another company, and a log. */
  const world = { log: keepLog(), fake: newPlatform() };

  const begin = async (changes: Partial<PendingAuthorization> = {}): Promise<string> => {
    const state = await newState();
    const pending: PendingAuthorization = {
      applicationId: 'app1',
      email: ada.email,
      slot: 'platform_a',
      cashFlowMethod: 'direct',
      redirectUrl,
      redirectUri,
      companyId: null,
      confirmConnection: false,
      ...changes,
    };
    await states.record(state, { pending, now });
    return state;
  };

  const visit = async (query: string | Record<string, string>, options: Visit = {}) => {
    const { path = callbackPath, method, form, ...changes } = options;
    const handler = createHandler({
      states,
      consents,
      stateKeys,
      applications,
      tenants,
      connectionRecorder,
      slots: testSlots(),
      platforms: world.fake.platforms,
      clock: () => now,
      newImportId: () => 'import-1',
      newNonce: () => `code-${randomUUID()}`,
      log: world.log,
      metrics: keepMetrics(),
      ...changes,
    });
    return keepReply(await handler(urlEvent({ path, query, form, method }), lambdaContext()));
  };

  /** The prefix of the tenant that the platform's company became. */
  const prefixOf = async (): Promise<string> => {
    const items = await database.scan();
    const entry = items.find(({ pk }) => String(pk).endsWith(world.fake.company.companyId));
    return String(entry?.schemaName).replaceAll('_', '-');
  };

  return {
    database,
    tenants,
    connections,
    states,
    consents,
    stateKeys,
    newState,
    applications,
    ada,
    world,
    beginTest: (): void => {
      Object.assign(world, { log: keepLog(), fake: newPlatform() });
    },
    begin,
    visit,
    /** A visit after consent, to a code that is good for this address. */
    visitWithCode: async (changes: Partial<PendingAuthorization> = {}, options: Visit = {}) => {
      const state = await begin(changes);
      const code = world.fake.issueCode(changes.redirectUri ?? redirectUri);
      return readPage(await visit({ code, state }, options));
    },
    prefixOf,
    nameOf: async () => ({
      applicationId: 'app1',
      schemaName: (await prefixOf()).replaceAll('-', '_'),
    }),
  };
};
