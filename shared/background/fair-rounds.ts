// The order of turns for background work: round-robin over applications, and over the tenants of
// each. However much work one application has, the others wait for only one of its turns.

type Owner = { applicationId: string; schemaName: string };

type Tenant<Work> = { schemaName: string; waiting: Work[]; next: number; isBusy: boolean };

type Application<Work> = {
  applicationId: string;
  /** The first tenant has the next turn and then moves to the end. */
  tenants: Map<string, Tenant<Work>>;
  turns: number;
};

const moveToEnd = <Value>(ring: Map<string, Value>, key: string, value: Value): void => {
  ring.delete(key);
  ring.set(key, value);
};

const remainingOf = <Work>({ waiting, next }: Tenant<Work>): Work[] => waiting.slice(next);

type Rounds<Work> = {
  /** Starts a turn. Returns `undefined` if every tenant with remaining work has a turn now. */
  take: () => Work | undefined;
  /** Ends a turn. Unfinished work moves to the end. */
  giveBack: (work: Work, ended: { isFinished: boolean }) => void;
  /** The unfinished work that has no turn now. */
  left: () => Work[];
};

/**
 * No tenant has two turns at the same time.
 *
 * @param due the work, oldest first
 * @param options.turnsPerApplication the maximum number of turns per application; unlimited by
 *   default
 */
export const openRounds = <Work extends object>(
  due: readonly Work[],
  {
    ownerOf,
    turnsPerApplication = Number.POSITIVE_INFINITY,
  }: { ownerOf: (work: Work) => Owner; turnsPerApplication?: number },
): Rounds<Work> => {
  const applications = new Map<string, Application<Work>>();
  /** The applications that have used all their turns. */
  const spent: Application<Work>[] = [];
  const taken = new Map<Work, { application: Application<Work>; tenant: Tenant<Work> }>();

  for (const work of due) {
    const { applicationId, schemaName } = ownerOf(work);
    const application = applications.get(applicationId) ?? {
      applicationId,
      turns: 0,
      tenants: new Map<string, Tenant<Work>>(),
    };
    applications.set(applicationId, application);
    const tenant = application.tenants.get(schemaName) ?? {
      schemaName,
      next: 0,
      isBusy: false,
      waiting: [],
    };
    application.tenants.set(schemaName, tenant);
    tenant.waiting.push(work);
  }

  const takeOf = (application: Application<Work>): Work | undefined => {
    for (const tenant of application.tenants.values()) {
      const work = tenant.waiting[tenant.next];
      if (tenant.isBusy || work === undefined) continue;
      tenant.next += 1;
      tenant.isBusy = true;
      application.turns += 1;
      moveToEnd(application.tenants, tenant.schemaName, tenant);
      taken.set(work, { application, tenant });
      return work;
    }
    return undefined;
  };

  return {
    take: () => {
      for (const application of applications.values()) {
        const work = takeOf(application);
        if (work === undefined) continue;
        moveToEnd(applications, application.applicationId, application);
        if (application.turns >= turnsPerApplication) {
          applications.delete(application.applicationId);
          spent.push(application);
        }
        return work;
      }
      return undefined;
    },

    giveBack: (work, { isFinished }) => {
      const { application, tenant } = taken.get(work) ?? {};
      if (!application || !tenant) throw new Error('the work has no turn');
      taken.delete(work);
      tenant.isBusy = false;
      if (!isFinished) tenant.waiting.push(work);
      if (tenant.next < tenant.waiting.length) return;
      application.tenants.delete(tenant.schemaName);
      if (application.tenants.size === 0) applications.delete(application.applicationId);
    },

    left: () =>
      [...applications.values(), ...spent].flatMap(({ tenants }) =>
        [...tenants.values()].flatMap(remainingOf),
      ),
  };
};
