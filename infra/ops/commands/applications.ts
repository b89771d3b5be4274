// The operator's commands for applications and their redirect URLs.

import { planOf } from '#shared/applications/api-keys.ts';
import type { Application } from '#shared/applications/applications.store.ts';
import { type Dependencies, defineChange, defineQuery, type Readers } from '../command.ts';
import { CommandFailure, IncompleteChange } from '../errors.ts';
import { anyText, applicationName, plan, redirectUrl, repeatable, required } from '../options.ts';

/** The URLs are read with each request of the application, so there is a limit. */
const maximumRedirectUrls = 20;

const identityOf = ({ name, applicationId }: Application) => ({
  application: name,
  application_id: applicationId,
});

const summaryOf = (application: Application) => ({
  ...identityOf(application),
  status: application.status,
  plan: planOf(application),
  created_at: application.createdAt,
});

/** At most three names that are similar to a misspelt one, ignoring case. */
const similarNames = async (name: string, all: readonly string[]): Promise<string[]> => {
  const { distance } = await import('fastest-levenshtein');
  return all
    .map((it) => ({ it, edits: distance(name.toLowerCase(), it.toLowerCase()) }))
    .filter(({ edits }) => edits <= Math.max(2, name.length / 3))
    .sort((one, other) => one.edits - other.edits)
    .slice(0, 3)
    .map(({ it }) => `"${it}"`);
};

/**
 * The application with this name, ignoring case.
 * @param remedy advice for the error message if no similar name exists
 * @throws CommandFailure if there is no such application
 */
export const getApplication = async (
  { applications }: Pick<Readers, 'applications'>,
  name: string,
  remedy?: string,
): Promise<Application> => {
  const application = await applications.findByName(name);
  if (application) return application;
  const names = (await applications.list()).map((it) => it.name);
  const similar = await similarNames(name, names);
  const advice = similar.length > 0 ? `did you mean ${similar.join(' or ')}?` : remedy;
  throw new CommandFailure(`there is no application "${name}"${advice ? `: ${advice}` : ''}`);
};

/**
 * Completes the usage key of an application, on a deployed stage. Call it after the application is
 * in the table, so that an interrupted run can be repaired from the table.
 * @returns whether anything was missing
 * @throws IncompleteChange if the gateway's API fails
 */
export const ensureUsageKey = async (
  { usagePlan }: Pick<Dependencies, 'usagePlan'>,
  application: Pick<Application, 'applicationId' | 'plan'>,
): Promise<boolean> => {
  if (usagePlan === undefined) return false;
  try {
    return (await usagePlan.ensure(application)) !== 'in step';
  } catch (cause) {
    throw new IncompleteChange(
      'the application is registered, but without its usage key the gateway refuses its requests ' +
        '(401): run this again, or run applications sync',
      { cause },
    );
  }
};

export const createApplication = defineChange({
  needs: ['applications', 'clock', 'random', 'usagePlan'],
  change: { after: ['application_id', 'status'] },
  options: { application: required(applicationName) },
  run: async (dependencies, { application: name }) => {
    const { findOrCreateApplication } = await import(
      '#shared/applications/issue-api-key.service.ts'
    );
    const { application, created } = await findOrCreateApplication(dependencies, name);
    const lackedUsageKey = await ensureUsageKey(dependencies, application);
    // Running this again completes an interrupted creation.
    if (created || lackedUsageKey) return summaryOf(application);
    throw new CommandFailure(`the application "${application.name}" already exists`);
  },
});

const listWithStates = async ({
  applications,
  usagePlan,
}: Pick<Readers, 'applications' | 'usagePlan'>) => {
  const all = await applications.list();
  const states = await usagePlan?.states(all);
  return all.map((application, index) => ({ application, state: states?.[index] }));
};

export const listApplications = defineQuery({
  needs: ['applications', 'usagePlan'],
  options: {},
  run: async (readers) => ({
    applications: (await listWithStates(readers)).map(({ application, state }) => ({
      ...summaryOf(application),
      ...(readers.usagePlan && { usage_key: state ?? null }),
    })),
  }),
});

export const syncApplications = defineChange({
  needs: ['applications', 'usagePlan'],
  change: { after: ['checked', 'repaired'] },
  options: {},
  run: async (dependencies) => {
    const { usagePlan } = dependencies;
    if (!usagePlan) throw new CommandFailure('the local service has no usage plan');
    const all = await listWithStates(dependencies);
    const broken = all.filter(({ state }) => state !== 'in step');
    for (const { application } of broken) await usagePlan.ensure(application);
    const repaired = broken.map(({ application, state = 'missing' }) => ({
      ...identityOf(application),
      usage_key: state,
    }));
    return { checked: all.length, repaired };
  },
});

const defineStatusChange = (status: Application['status']) =>
  defineChange({
    needs: ['applications', 'clock', 'usagePlan'],
    change: {
      before: async (readers, { application }) => {
        const { applicationId, status } = await getApplication(readers, application);
        return { application_id: applicationId, status };
      },
      after: ['application_id', 'status'],
    },
    options: { application: required(applicationName) },
    run: async (dependencies, { application: name }) => {
      const { applications, clock } = dependencies;
      const application = await getApplication(dependencies, name);
      await applications.setStatus(application.applicationId, { status, now: clock() });
      // A suspended application keeps its usage key: the authorizer refuses its requests.
      if (status === 'active') await ensureUsageKey(dependencies, application);
      return summaryOf({ ...application, status });
    },
  });

type UrlChange = { add?: readonly string[] | undefined; remove?: readonly string[] | undefined };

const changesUrls = ({ add = [], remove = [] }: UrlChange): boolean =>
  add.length + remove.length > 0;

/** Returns the new list. @throws CommandFailure if a URL is refused or the list has changed */
const changeUrls = async (
  { applications, rules }: Pick<Dependencies, 'applications' | 'rules'>,
  { applicationId, redirectUrls }: Application,
  { add = [], remove = [] }: UrlChange,
): Promise<string[]> => {
  const unknown = remove.find((url) => !redirectUrls.includes(url));
  if (unknown !== undefined) throw new CommandFailure(`${unknown} is not registered`);
  const { isRedirectUrlOf } = await import('#shared/connections/redirect-urls.ts');
  const refused = add.find((url) => !isRedirectUrlOf(rules.redirectRegistration, url));
  if (refused !== undefined)
    throw new CommandFailure(`${refused} must be an https URL on this stage`);
  const remaining = redirectUrls.filter((url) => !remove.includes(url));
  const replacement = [...new Set([...remaining, ...add])];
  if (replacement.length > maximumRedirectUrls) {
    throw new CommandFailure(`at most ${maximumRedirectUrls} redirect URLs are allowed`);
  }
  const change = { expected: redirectUrls, replacement };
  if (await applications.replaceRedirectUrls(applicationId, change)) return replacement;
  throw new CommandFailure('another operator has just changed the redirect URLs; try again');
};

export const changeRedirectUrls = defineChange({
  needs: ['applications', 'rules'],
  change: {
    happens: changesUrls,
    before: async (readers, { application }) => ({
      redirect_urls: (await getApplication(readers, application)).redirectUrls,
    }),
    after: ['application_id', 'redirect_urls'],
  },
  options: {
    application: required(applicationName),
    add: repeatable(redirectUrl, 'a URL to register; can be repeated'),
    remove: repeatable(anyText, 'a URL to remove; can be repeated'),
  },
  run: async (dependencies, { application: name, ...change }) => {
    const application = await getApplication(dependencies, name);
    const urls = changesUrls(change)
      ? await changeUrls(dependencies, application, change)
      : application.redirectUrls;
    return { ...identityOf(application), redirect_urls: urls };
  },
});

const shownMinutes = 60;

export const showUsage = defineQuery({
  needs: ['applications', 'budgetUse', 'clock', 'rules'],
  options: { application: required(applicationName) },
  run: async ({ applications, budgetUse, clock, rules }, { application: name }) => {
    const application = await getApplication({ applications }, name);
    const { minuteOf } = await import('#shared/table/cost-budget.ts');
    const first = new Date(clock().getTime() - (shownMinutes - 1) * 60_000);
    const range = { from: minuteOf(first), to: minuteOf(clock()) };
    const minutes = await budgetUse.list(application.applicationId, range);
    return {
      ...identityOf(application),
      read_units_a_minute: rules.costBudget.readUnits,
      write_units_a_minute: rules.costBudget.writeUnits,
      minutes: minutes.map((it) => ({
        minute: it.minute,
        read_units: it.read,
        write_units: it.write,
      })),
    };
  },
});

export const changePlan = defineChange({
  needs: ['applications', 'usagePlan'],
  change: {
    before: async (readers, { application }) => {
      const found = await getApplication(readers, application);
      return { application_id: found.applicationId, plan: planOf(found) };
    },
    after: ['application_id', 'plan'],
  },
  options: { application: required(applicationName), plan: required(plan) },
  run: async (dependencies, { application: name, plan: changed }) => {
    const application = { ...(await getApplication(dependencies, name)), plan: changed };
    await dependencies.applications.setPlan(application.applicationId, changed);
    await ensureUsageKey(dependencies, application);
    return summaryOf(application);
  },
});

export const suspendApplication = defineStatusChange('suspended');
export const resumeApplication = defineStatusChange('active');

export const commands = {
  create: createApplication,
  list: listApplications,
  suspend: suspendApplication,
  resume: resumeApplication,
  plan: changePlan,
  'redirect-urls': changeRedirectUrls,
  sync: syncApplications,
  usage: showUsage,
};
