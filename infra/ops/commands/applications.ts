// The operator's commands for applications and their redirect URLs.

import * as z from 'zod/mini';
import { isRedirectUrlOf } from '#shared/domain/redirect-urls.ts';
import type { Application } from '#shared/store/applications.ts';
import { findOrCreateApplication } from '../../issue-api-key.ts';
import { functions } from '../../manifest.ts';
import { type Dependencies, defineChange, defineQuery, type Readers } from '../command.ts';
import { CommandFailure, IncompleteChange } from '../errors.ts';
import { nearNames } from '../near-names.ts';
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

/**
 * The application of this name, in any case.
 * @param remedy what else to do where there is none, and none that is named like it
 * @throws CommandFailure
 */
export const getApplication = async (
  { applications }: Pick<Readers, 'applications'>,
  name: string,
  remedy?: string,
): Promise<Application> => {
  const application = await applications.findByName(name);
  if (application) return application;
  const names = (await applications.list()).map((it) => it.name);
  const near = nearNames(name, names).map((it) => `"${it}"`);
  const advice = near.length > 0 ? `did you mean ${near.join(' or ')}?` : remedy;
  throw new CommandFailure(`there is no application "${name}"${advice ? `: ${advice}` : ''}`);
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
export const ensureUsageKey = async (
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

export const createApplication = defineChange({
  usage: '--application NAME',
  purpose: 'Register an application that may call the service once it has a key',
  change: { after: ['application_id', 'status'] },
  options: z.strictObject({ application: applicationName }),
  run: async (dependencies, { application: name }) => {
    const { application, created } = await findOrCreateApplication(dependencies, name);
    const lackedUsageKey = await ensureUsageKey(dependencies, application);
    // One whose creation was interrupted is finished by asking for it again.
    if (!created && !lackedUsageKey) {
      throw new CommandFailure(`there is an application "${application.name}" already`);
    }
    return summaryOf(application);
  },
});

export const listApplications = defineQuery({
  usage: '',
  purpose: 'List the applications by name',
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

export const syncApplications = defineChange({
  usage: '',
  purpose: "Give every application its key in the gateway's usage plan, where that is not in step",
  note: 'usage key is how it stood before; all are in step now.',
  change: { after: ['checked', 'repaired'] },
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
  const now = dependencies.clock();
  await dependencies.applications.setStatus(application.applicationId, { status, now });
  return summaryOf({ ...application, status });
};

const changeOfStatus = {
  before: async (readers: Readers, { application }: { application: string }) => {
    const { applicationId, status } = await getApplication(readers, application);
    return { application_id: applicationId, status };
  },
  after: ['application_id', 'status'],
};

/** The gateway keeps the key of a suspended application: the refusal is the authorizer's. */
export const suspendApplication = defineChange({
  usage: '--application NAME',
  purpose:
    'Refuse all requests of an application (403), and let its work wait, until it is resumed',
  note:
    `${cacheNote} Its imports, due entries and renewals of platform tokens wait; a run under way ` +
    'ends within five minutes. A platform may end tokens that nobody renews for two months.',
  change: changeOfStatus,
  options: z.strictObject({ application: applicationName }),
  run: (dependencies, { application: name }) =>
    setStatus(dependencies, { name, status: 'suspended' }),
});

export const resumeApplication = defineChange({
  usage: '--application NAME',
  purpose: 'Serve a suspended application again, and let its work go on',
  note: `${cacheNote} What came due in the meantime is done by the next runs.`,
  change: changeOfStatus,
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

export const changeRedirectUrls = defineChange({
  usage: '--application NAME [--add URL]... [--remove URL]...',
  purpose: 'List or change where browsers may be sent after an authorization',
  change: {
    happens: changesUrls,
    before: async (dependencies, { application }) => ({
      redirect_urls: (await getApplication(dependencies, application)).redirectUrls,
    }),
    after: ['application_id', 'redirect_urls'],
  },
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
