// Chooses the next request: mostly a valid one, often a repeat, sometimes an invalid one.

import type { Random } from '../support/builders/random.ts';
import { baseDomain } from '../support/harnesses/instances.ts';
import type { ChangeRecorder } from './change-recorder.ts';
import { openCorrectionsWorkload } from './chosen-corrections.ts';
import { chooseEntries, chooseEntry, currencies, describeAnew } from './chosen-entries.ts';
import { companyNames } from './company-names.ts';
import type { Model } from './model/model.ts';
import { codeOf, companies, type PlatformData } from './platform-data.ts';
import type { CashFlowMethod, Company, Request, RequestOf, TenantPlatform } from './requests.ts';
import type { SeedData } from './seed-data.ts';

const emails = ['ada', 'Bob', 'cleo', 'dan', 'eve'].map((name) => `${name}@example.com`);
const methods: CashFlowMethod[] = ['direct', 'indirect'];
/** Cash, every class of cash flows and none, profit of every kind, and exchange differences. */
const defaultAccounts = [
  ...['1000', '1010', '1100', '1200', '1510', '1590', '2000', '2500', '3000', '3900'],
  ...['4010', '6000', '7000', '7100'],
];
const idempotencyKeys = Array.from({ length: 6 }, (_, number) => `key-${number}`);

/** The first operations create users and tenants, which the others need. */
const usersFirst = 6;
const tenantsFirst = 16;

const millisecondsPerDay = 86_400_000;

/** The tenant of a request. Before the first import of its company ends, it has no accounts. */
type Target = { prefix: string; company: Company | undefined };

type WorkloadContext = {
  random: Random;
  model: Model;
  platformData: PlatformData;
  changes: ChangeRecorder;
};

export const openWorkload = (
  { callers, apiKeys }: SeedData,
  { random, model, platformData, changes }: WorkloadContext,
) => {
  let begun = 0;
  let brought = 0;
  let repeat: Request | undefined;
  const times: string[] = [];
  const used = new Set<string>();
  /** The entries that were asked for with an external_id, to be asked for again. */
  const asked: RequestOf<'entry'>[] = [];

  const nameInAnyForm = (prefix: string): string =>
    random.pick([prefix, prefix.toUpperCase(), `${prefix}.${baseDomain}`]);
  const corrections = openCorrectionsWorkload({ random, model, nameInAnyForm });

  const chooseUserId = (applicationId: string): string => {
    const own = model.users.idsOf(random.once(12) ? random.pick(callers) : applicationId);
    return own.length === 0 || random.once(20) ? '77' : random.pick(own);
  };

  const chooseTenant = (applicationId: string): Request => {
    const platform = random.pick<TenantPlatform>(['manual', 'manual', 'platform_c', 'platform_a']);
    const company = platform === 'platform_a' ? random.pick(companies) : undefined;
    return tenantOf(applicationId, { platform, company });
  };

  const tenantOf = (
    applicationId: string,
    { platform, company }: { platform: TenantPlatform; company: Company | undefined },
  ): RequestOf<'tenant'> => ({
    kind: 'tenant',
    applicationId,
    userId: chooseUserId(applicationId),
    platform,
    companyName: random.pick(companyNames),
    currency: random.pick(currencies),
    cashFlowMethod: random.pick(methods),
    idempotencyKey: random.once(3) ? undefined : random.pick(idempotencyKeys),
    company,
  });

  const recentStates = (): string[] => model.authorizations.states().slice(-4);

  /** Usually a state that no callback has used. */
  const chooseCallback = (): Request => {
    const states = recentStates();
    const unused = states.filter((it) => !used.has(it));
    const offered = unused.length > 0 && !random.once(4) ? unused : states;
    const state = offered.length > 0 && !random.once(15) ? random.pick(offered) : 'x'.repeat(43);
    used.add(state);
    return { kind: 'callback', state, company: random.pick(companies), isDenied: random.once(10) };
  };

  /** Mostly a tenant of the application's own, and mostly one that keeps its own platformData. */
  const chooseTarget = (applicationId: string): Target => {
    const isOtherApplication = random.once(20);
    const isConnected = random.once(5);
    const targets = model.tenants
      .prefixes()
      .filter((it) => (it.applicationId === applicationId) !== isOtherApplication)
      .filter(({ company }) => (company !== undefined) === isConnected);
    const isNobody = targets.length === 0 || random.once(40);
    return isNobody ? { prefix: 'nobody', company: undefined } : random.pick(targets);
  };

  /** A tenant, as a request names it, and the accounts that it may have. */
  const chooseBooks = (applicationId: string) => {
    const { prefix, company } = chooseTarget(applicationId);
    const accounts = company ? platformData.accountsOf(company).map(codeOf) : defaultAccounts;
    return { applicationId, prefix, domainUrl: nameInAnyForm(prefix), accounts };
  };

  const remember = (request: RequestOf<'entry'>): void => {
    if (request.asked.externalId !== null && request.prefix !== 'nobody') asked.push(request);
  };

  const chooseEntryRequest = (applicationId: string, now: number): Request => {
    const isDryRun = random.once(8);
    const repeated = asked.slice(-30).filter((it) => it.applicationId === applicationId);
    if (repeated.length > 0 && random.once(4)) {
      const again = { ...random.pick(repeated), isDryRun };
      return random.once(2) ? again : { ...again, asked: describeAnew(again.asked, random) };
    }
    const { accounts, ...target } = chooseBooks(applicationId);
    const request: RequestOf<'entry'> = {
      kind: 'entry',
      ...target,
      isDryRun,
      asked: chooseEntry(random, { now, accounts }),
    };
    remember(request);
    return request;
  };

  /** A batch. It is often repeated, and its entries are posted again one by one. */
  const chooseBatch = (applicationId: string, now: number): Request => {
    const { accounts, ...target } = chooseBooks(applicationId);
    const ofTenant = asked.slice(-30).filter(({ prefix }) => prefix === target.prefix);
    const entries = chooseEntries(random, {
      now,
      accounts,
      asked: ofTenant.map((it) => it.asked),
    });
    const isDryRun = random.once(8);
    const request: RequestOf<'batch'> = { kind: 'batch', ...target, asked: entries, isDryRun };
    for (const entry of entries) remember({ ...target, kind: 'entry', asked: entry, isDryRun });
    if (random.once(3)) repeat = { ...request, isDryRun: false };
    return request;
  };

  /** Connects a company again, of a given tenant or of any. Its import may be in progress. */
  const reconnect = (name?: string): Request | undefined => {
    const connected = model.tenants
      .prefixes()
      .filter(({ prefix, company }) => company && (name ?? prefix) === prefix);
    if (connected.length === 0) return undefined;
    const { applicationId, email, company } = random.pick(connected);
    const request = tenantOf(applicationId, { platform: 'platform_a', company });
    // Only a linked user may reconnect a company: mostly its creator.
    const owner = random.once(6) ? undefined : model.users.idOf({ applicationId, email });
    return { ...request, ...(owner !== undefined && { userId: owner }) };
  };

  /** Mostly the next image of the stream, else an earlier one. */
  const chooseImage = (): Request | undefined => {
    const images = changes.images();
    const next = images[brought];
    const isNext = next !== undefined && !random.once(4);
    if (!isNext && images.length === 0) return undefined;
    if (isNext) brought += 1;
    const image = isNext ? next : random.pick(images.slice(-6));
    const delivery: Request = { kind: 'import', image };
    if (random.once(4)) repeat = delivery;
    else if (random.once(3)) repeat = reconnect(String(image.schemaName).replaceAll('_', '-'));
    return delivery;
  };

  /** The run of a schedule whose clock may be ahead of everybody's. */
  const chooseScheduled = (kind: 'resume' | 'renew', now: number): Request => {
    const days = random.pick(kind === 'renew' ? [0, 31, 31, 31] : [0, 0, 1]);
    const run = { kind, time: new Date(now + days * millisecondsPerDay).toISOString() };
    if (random.once(2)) repeat = kind === 'renew' ? reconnect() : run;
    return run;
  };

  /** A run for the current time, or a repeated or late run for an earlier time; often twice. */
  const chooseRun = (now: number): Request => {
    const isOld = times.length > 0 && random.once(3);
    const time = isOld ? random.pick(times) : new Date(now).toISOString();
    times.push(time);
    const run: Request = { kind: 'run', time };
    if (random.once(2)) repeat = run;
    return run;
  };

  const chooseUser = (kind: 'ensure' | 'profile', applicationId: string): Request => {
    const email = random.pick(emails);
    return { kind, applicationId, email: random.once(3) ? email.toUpperCase() : email };
  };

  const chooseInitiate = (applicationId: string): Request => {
    const userId = chooseUserId(applicationId);
    return { kind: 'initiate', applicationId, userId, cashFlowMethod: random.pick(methods) };
  };

  /** Often twice at the same time, since the second must not reverse the entry again. */
  const chooseReversal = (applicationId: string, now: number): Request => {
    const chosen = corrections.reverse(applicationId, now) ?? chooseBatch(applicationId, now);
    if (random.once(2)) repeat = chosen;
    return chosen;
  };

  /** The kinds of requests, with their weights. */
  const kinds: [times: number, choose: (applicationId: string, now: number) => Request][] = [
    [7, (applicationId) => chooseUser('ensure', applicationId)],
    [10, (applicationId) => chooseUser('profile', applicationId)],
    [9, chooseTenant],
    [8, chooseInitiate],
    [3, chooseCallback],
    [9, (_, now) => chooseRun(now)],
    [3, () => ({ kind: 'authorize', ...random.pick(apiKeys) })],
    [2, (_, now) => chooseScheduled('resume', now)],
    [3, (_, now) => chooseScheduled('renew', now)],
    [8, (applicationId, now) => chooseImage() ?? chooseEntryRequest(applicationId, now)],
    [32, chooseEntryRequest],
    [12, chooseBatch],
    [14, chooseReversal],
    [
      8,
      (applicationId, now) => corrections.cancel(applicationId) ?? chooseBatch(applicationId, now),
    ],
    [
      6,
      (applicationId, now) => corrections.set(chooseTarget(applicationId), { applicationId, now }),
    ],
  ];
  const choosers = kinds.flatMap(([times, choose]) => Array.from({ length: times }, () => choose));

  const chooseAnything = (now: number): Request => {
    const applicationId = random.pick(callers);
    if (begun < usersFirst) return chooseUser('ensure', applicationId);
    if (begun < tenantsFirst) return chooseTenant(applicationId);
    const isAwaited = recentStates().some((state) => !used.has(state));
    if (isAwaited && random.once(4)) return chooseCallback();
    if (changes.images().length > brought && random.once(5))
      return chooseImage() ?? chooseEntryRequest(applicationId, now);
    return random.pick(choosers)(applicationId, now);
  };

  return (now: number): Request => {
    begun += 1;
    if (repeat) {
      const again = repeat;
      repeat = undefined;
      return again;
    }
    return chooseAnything(now);
  };
};
