// The operator's commands for applications and their redirect URLs.

import * as z from 'zod/mini';
import { isRedirectUrlOf } from '#shared/domain/redirect-urls.ts';
import type { Application } from '#shared/store/applications.ts';
import { findOrCreateApplication } from '../../issue-api-key.ts';
import { functions } from '../../manifest.ts';
import { type Dependencies, defineCommand } from '../command.ts';
import { CommandFailure, IncompleteChange } from '../errors.ts';
import { applicationName, redirectUrl } from '../options.ts';

/** How many redirect URLs an application may have: they are read with each of its requests. */
const maximumRedirectUrls = 20;

export const cacheNote =
  `Requests see it within ${functions.authorizer.trigger.cacheSeconds} seconds: ` +
  'for so long the gateway keeps a decision.';

const identityOf = ({ name, applicationId }: Application) => ({
  application: name,
  application_id: applicationId,
});

const summaryOf = (application: Application) => ({
  ...identityOf(application),
  status: application.status,
  created_at: application.createdAt,
});

/** The application of this name, in any case. @throws CommandFailure where there is none */
export const getApplication = async (
  { applications }: Pick<Dependencies, 'applications'>,
  name: string,
): Promise<Application> => {
  const application = await applications.findByName(name);
  if (application) return application;
  throw new CommandFailure(`there is no application "${name}"`);
};

/** What to do where an application is recorded, but the gateway could not be told of it. */
const repairHint =
  'the application is registered, but the gateway may not know it yet and refuse it (401): ' +
  'run this again, or applications sync';

/**
 * Gives an application what it lacks of its key in the gateway's usage plan, on a deployed stage.
 * The table has the application before the gateway does, so that whatever happens in between can
 * be repaired from the table. Returns whether it lacked anything.
 */
const ensureUsageKey = async (
  { usagePlan }: Pick<Dependencies, 'usagePlan'>,
  { applicationId }: Pick<Application, 'applicationId'>,
): Promise<boolean> => {
  if (usagePlan === undefined) return false;
  try {
    return (await usagePlan.ensure(applicationId)) !== 'in step';
  } catch (error) {
    throw new IncompleteChange(repairHint, { cause: error });
  }
};

/** Finds or records the application, and makes the gateway know it. */
export const registerApplication = async (
  dependencies: Dependencies,
  name: string,
): Promise<{ application: Application; created: boolean; repaired: boolean }> => {
  const found = await findOrCreateApplication(dependencies, name);
  const lacked = await ensureUsageKey(dependencies, found.application);
  return { ...found, repaired: lacked && !found.created };
};

export const createApplication = defineCommand({
  usage: '--name NAME',
  purpose: 'Register an application that may call the service once it has a key',
  changes: () => true,
  options: z.strictObject({ name: applicationName }),
  run: async (dependencies, { name }) => {
    const { application, created, repaired } = await registerApplication(dependencies, name);
    // One whose creation was interrupted is finished by asking for it again.
    if (!created && !repaired) {
      throw new CommandFailure(`there is an application "${application.name}" already`);
    }
    return summaryOf(application);
  },
});

export const listApplications = defineCommand({
  usage: '',
  purpose: 'List the applications by name',
  changes: () => false,
  options: z.strictObject({}),
  run: async ({ applications, usagePlan }) => {
    const all = await applications.list();
    const states = await usagePlan?.states(all.map(({ applicationId }) => applicationId));
    return {
      applications: all.map((application, index) => ({
        ...summaryOf(application),
        ...(states && { usage_key: states[index] ?? null }),
      })),
    };
  },
});

export const syncApplications = defineCommand({
  usage: '',
  purpose: "Give every application its key in the gateway's usage plan, where that is not in step",
  note: 'usage key is how it stood before; all are in step now.',
  changes: () => true,
  options: z.strictObject({}),
  run: async ({ applications, usagePlan }) => {
    if (!usagePlan) throw new CommandFailure('the gateway of this machine has no usage plan');
    const all = await applications.list();
    const states = await usagePlan.states(all.map(({ applicationId }) => applicationId));
    const rows = all.map((application, index) => ({
      ...identityOf(application),
      usage_key: states[index] ?? 'missing',
    }));
    const repaired = rows.filter(({ usage_key: state }) => state !== 'in step');
    for (const { application_id: applicationId } of repaired) await usagePlan.ensure(applicationId);
    return { checked: rows.length, repaired };
  },
});

const setStatus = async (
  dependencies: Dependencies,
  { name, status }: { name: string; status: Application['status'] },
) => {
  const application = await getApplication(dependencies, name);
  await dependencies.applications.setStatus(application.applicationId, status);
  return summaryOf({ ...application, status });
};

/** The gateway keeps the key of a suspended application: the refusal is the authorizer's. */
export const suspendApplication = defineCommand({
  usage: '--application NAME',
  purpose: 'Refuse all requests of an application (403) until it is resumed',
  note: cacheNote,
  changes: () => true,
  options: z.strictObject({ application: applicationName }),
  run: (dependencies, { application: name }) =>
    setStatus(dependencies, { name, status: 'suspended' }),
});

export const resumeApplication = defineCommand({
  usage: '--application NAME',
  purpose: 'Serve a suspended application again',
  note: cacheNote,
  changes: () => true,
  options: z.strictObject({ application: applicationName }),
  run: async (dependencies, { application: name }) => {
    const summary = await setStatus(dependencies, { name, status: 'active' });
    await ensureUsageKey(dependencies, { applicationId: summary.application_id });
    return summary;
  },
});

type UrlChange = { add: readonly string[]; remove: readonly string[] };

const changesUrls = ({ add, remove }: UrlChange): boolean => add.length + remove.length > 0;

/** Takes URLs out of an application's list, adds others, and returns the list. */
const changeUrls = async (
  { applications, rules }: Dependencies,
  { applicationId, redirectUrls }: Application,
  { add, remove }: UrlChange,
): Promise<string[]> => {
  const unknown = remove.find((url) => !redirectUrls.includes(url));
  if (unknown !== undefined) throw new CommandFailure(`${unknown} is not registered`);
  const refused = add.find((url) => !isRedirectUrlOf(rules.redirectRegistration, url));
  if (refused !== undefined)
    throw new CommandFailure(`${refused} is not https, as it must be here`);
  const kept = redirectUrls.filter((url) => !remove.includes(url));
  const replacement = [...new Set([...kept, ...add])];
  if (replacement.length > maximumRedirectUrls) {
    throw new CommandFailure(`an application has at most ${maximumRedirectUrls} redirect URLs`);
  }
  const change = { expected: redirectUrls, replacement };
  if (await applications.replaceRedirectUrls(applicationId, change)) return replacement;
  throw new CommandFailure('somebody else changed the redirect URLs at this moment; try again');
};

export const changeRedirectUrls = defineCommand({
  usage: '--application NAME [--add URL]... [--remove URL]...',
  purpose: 'List or change where browsers may be sent after an authorization',
  changes: changesUrls,
  options: z.strictObject({
    application: applicationName,
    add: z._default(z.array(redirectUrl), []),
    remove: z._default(z.array(z.string()), []),
  }),
  run: async (dependencies, { application: name, ...change }) => {
    const application = await getApplication(dependencies, name);
    const urls = changesUrls(change)
      ? await changeUrls(dependencies, application, change)
      : application.redirectUrls;
    return { ...identityOf(application), redirect_urls: urls };
  },
});
