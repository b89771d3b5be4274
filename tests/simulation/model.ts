// A plain model of the contract, in memory: what may be answered, given all that was asked before
// and at the same time; and what the table must hold.

import chart from '#shared/domain/data/default-chart.json' with { type: 'json' };
import type { RawItem } from '../support/readers/item-kinds.ts';
import { unless } from '../support/readers/violations.ts';
import { type Creation, creationOf } from './creations.ts';
import { shownIn } from './entry-data.ts';
import type { RatesByDate } from './expected-entry.ts';
import { openAuthorizationsModel } from './model-authorizations.ts';
import { type Books, type Chart, openEntriesModel } from './model-entries.ts';
import { openImportsModel } from './model-imports.ts';
import { openTenantsModel } from './model-tenants.ts';
import { openUsersModel } from './model-users.ts';
import type { PlatformData } from './platform-data.ts';
import type { Answer, Operation, Request, RequestOf } from './requests.ts';
import { sheetDifferences } from './sheets.ts';

type Of<Kind extends Request['kind']> = Operation<RequestOf<Kind>>;

export type Model = ReturnType<typeof openModel>;

const is = <Kind extends Request['kind']>(
  operation: Operation,
  kind: Kind,
): operation is Operation & Of<Kind> => operation.request.kind === kind;

const defaultNames = new Map(chart.accounts.map(({ code, name }) => [code, name]));
const defaultCodes = new Set(defaultNames.keys());
const defaultChart: Chart = { certain: defaultCodes, possible: defaultCodes };

/** What a reply has beside what it must have. */
const nothingMore = (more: object): string[] =>
  Object.keys(more).map((field) => `has the field ${field}, which nobody knows`);

/** Requests that are wrong in themselves change nothing, and say what is wrong with them. */
const checkMutated = (
  { mutation, ...request }: Request,
  { answer, hasUser }: { answer: Answer; hasUser: boolean },
): string[] => {
  const mayLackUser = request.kind === 'tenant' && mutation?.pointer !== '/user_id';
  const isThrown = mutation?.pointer === '/Idempotency-Key';
  const expected = [
    `${mutation?.code} ${mutation?.pointer}`,
    ...(mayLackUser && !isThrown && !hasUser ? ['user_not_found /user_id'] : []),
  ];
  const given = `${answer.status} ${answer.code} ${answer.problems?.join(', ')}`;
  const meant = `422 validation_failed ${expected.sort().join(', ')}`;
  return unless(given === meant, `is answered ${given}, and not ${meant}`);
};

export const openModel = (rates: RatesByDate, platformData: PlatformData) => {
  const users = openUsersModel();
  const imports = openImportsModel(platformData);
  const tenants = openTenantsModel(imports);
  const authorizations = openAuthorizationsModel();
  const entries = openEntriesModel(rates, new Map([...defaultNames, ...platformData.names]));
  const creations = new Map<number, Creation>();

  /** What a callback would make, of what was asked for when its state was issued. */
  const creationOfCallback = (operation: Of<'callback'>): Creation | undefined => {
    const issuer = authorizations.issuerOf(operation.request.state);
    const email = issuer && users.emailOf(issuer.request);
    if (issuer === undefined || email === undefined) return undefined;
    const { company, isDenied } = operation.request;
    if (isDenied) return undefined;
    const { applicationId, cashFlowMethod } = issuer.request;
    return {
      operation,
      applicationId,
      email,
      companyName: company.name,
      currency: company.currency,
      platform: 'platform_a',
      cashFlowMethod,
      company,
      idempotencyKey: undefined,
      content: '',
    };
  };

  const beginCreation = (operation: Operation, creation: Creation | undefined): void => {
    if (creation === undefined) return;
    creations.set(operation.number, creation);
    tenants.begin(creation);
  };

  const checkAnothers = (creation: Creation | undefined): string[] =>
    unless(
      creation !== undefined && tenants.mayBeAnothers(creation),
      'nobody else has connected the company',
    );

  const checkTenant = (operation: Of<'tenant'>, answer: Answer): string[] => {
    const creation = creations.get(operation.number);
    if (creation === undefined) {
      return unless(answer.code === 'user_not_found', 'there is no such user');
    }
    const reuse = tenants.reuse(creation);
    if (answer.code === 'idempotency_key_reused') {
      return unless(reuse.isPossible, 'the key was used for nothing else');
    }
    if (answer.code === 'company_connected_by_another_user') return checkAnothers(creation);
    if (answer.status !== 200) return [`is refused with ${answer.code}, for no reason`];
    const { tenant_domain_url, schema_name, platform, ...more } = answer.data ?? {};
    const prefix = String(tenant_domain_url);
    const isReplay = answer.isReplay === true;
    return [
      ...unless(!reuse.isCertain, 'the key was used for something else'),
      ...unless(schema_name === prefix.replaceAll('-', '_'), `its schema is ${schema_name}`),
      ...nothingMore(more),
      ...unless(platform === operation.request.platform, `its platform is ${platform}`),
      ...tenants.check(creation, { prefix, isReplay }),
    ];
  };

  const checkProfile = (operation: Of<'profile'>, answer: Answer): string[] => {
    const { request } = operation;
    if (answer.code === 'user_not_found') {
      return unless(!users.isCertain(request, operation), 'the user is there, and is not found');
    }
    if (answer.status !== 200) return [`is refused with ${answer.code}, for no reason`];
    const { user_id: userId, email, ...data } = answer.data ?? {};
    const { tenants: _tenants, tenant_count: _count, ...more } = data;
    const violations = [
      ...nothingMore(more),
      ...users.observe(request, { userId, email, moment: operation.endedAt }),
    ];
    const user = { applicationId: request.applicationId, email: String(email) };
    return [...violations, ...tenants.checkProfile(user, { operation, data })];
  };

  const checkCallback = (operation: Of<'callback'>, answer: Answer): string[] => {
    const { isDenied } = operation.request;
    const creation = creations.get(operation.number);
    const violations = [
      ...authorizations.checkCallback(operation, answer),
      ...unless(
        answer.code === 'page' || isDenied === (answer.code === 'access_denied'),
        `ends with ${answer.code}, which is not what the platform has said`,
      ),
      ...(answer.code === 'company_connected_by_another_user' ? checkAnothers(creation) : []),
    ];
    const prefix = answer.data?.prefix;
    if (prefix === undefined || creation === undefined) return violations;
    return [...violations, ...tenants.check(creation, { prefix: String(prefix), isReplay: false })];
  };

  const checkInitiate = (operation: Of<'initiate'>, answer: Answer): string[] => {
    if (users.emailOf(operation.request) === undefined) {
      return unless(answer.code === 'user_not_found', 'there is no such user');
    }
    if (answer.status !== 200) return [`is refused with ${answer.code}, for no reason`];
    return authorizations.checkInitiate(operation, answer);
  };

  const booksOf = ({ request, ...operation }: Of<'entry'>): Books | undefined => {
    const tenant = tenants.find(request, { request, ...operation });
    if (tenant === undefined) return undefined;
    const { company, currency } = tenant;
    const { startedAt } = operation;
    const chart = company ? imports.chartOf(request, { company, startedAt }) : defaultChart;
    return { chart, currency };
  };

  /** Of what makes and changes entries; `undefined` where it is something else. */
  const checkEntries = (operation: Operation, answer: Answer): string[] | undefined => {
    if (is(operation, 'entry')) {
      return entries.check(operation, { answer, books: booksOf(operation) });
    }
    if (is(operation, 'reverse')) return entries.checkReversal(operation, answer);
    return is(operation, 'cancel') ? entries.checkCancellation(operation, answer) : undefined;
  };

  const checkAnswer = (operation: Operation, answer: Answer): string[] => {
    const { request } = operation;
    if (request.mutation && request.kind !== 'entry') {
      const hasUser = 'userId' in request && users.emailOf(request) !== undefined;
      return checkMutated(request, { answer, hasUser });
    }
    if (is(operation, 'profile')) return checkProfile(operation, answer);
    if (is(operation, 'tenant')) return checkTenant(operation, answer);
    if (is(operation, 'callback')) return checkCallback(operation, answer);
    const ofEntries = checkEntries(operation, answer);
    if (ofEntries) return ofEntries;
    if (is(operation, 'authorize')) {
      const { expected } = operation.request;
      return unless(answer.status === expected, `is ${answer.status}, and must be ${expected}`);
    }
    if (is(operation, 'initiate')) return checkInitiate(operation, answer);
    if (answer.status !== 200) return [`is refused with ${answer.code}, for no reason`];
    return is(operation, 'ensure') ? users.check(operation, answer) : [];
  };

  const beginEntries = (operation: Operation): void => {
    if (is(operation, 'entry')) entries.begin(operation, booksOf(operation)?.currency);
    if (is(operation, 'reverse')) entries.beginReversal(operation);
    if (is(operation, 'cancel')) entries.beginCancellation(operation);
    if (is(operation, 'run')) entries.beginRun(operation);
  };

  return {
    users,
    tenants,
    authorizations,
    seenEntries: entries.seen,

    begin: (operation: Operation): void => {
      if (operation.request.mutation) return;
      if (is(operation, 'ensure')) users.begin(operation);
      beginEntries(operation);
      if (is(operation, 'import')) imports.begin(operation);
      if (is(operation, 'renew')) imports.beginRenewal(operation);
      if (is(operation, 'tenant')) {
        const email = users.emailOf(operation.request);
        beginCreation(operation, email === undefined ? undefined : creationOf(operation, email));
      }
      if (is(operation, 'callback')) {
        authorizations.begin(operation);
        beginCreation(operation, creationOfCallback(operation));
      }
    },

    /** What is wrong with how an operation ended, as far as anybody was told. */
    check: (operation: Operation): string[] => {
      const { answer, faults } = operation;
      if (answer === undefined || answer === 'crashed') return [];
      // Whoever waits for others gives up after so many tries, and has written nothing.
      if (answer.code === 'contention') return [];
      const isFault = answer.status >= 500 && answer.status < 599;
      if (isFault) return unless(faults.length > 0, `ends with ${answer.status}, without a fault`);
      return checkAnswer(operation, answer);
    },

    /** What the table has that nobody asked for, and lacks that somebody was promised. */
    compare: (items: readonly RawItem[], moment: number): string[] => {
      const shown = shownIn(items);
      const tenantDifferences = tenants.compare(items);
      const [connected, creations] = [tenants.connected(), tenants.creations()];
      return [
        ...users.compare(items),
        ...tenantDifferences,
        ...entries.compare(shown, moment),
        ...imports.compare(items, { shown, connected, creations, moment }),
        ...sheetDifferences(items, {
          postings: [...entries.postings(shown), ...imports.postings(shown, connected)],
          cashCodes: platformData.cashCodes,
        }),
      ];
    },
  };
};
