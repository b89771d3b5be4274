// A plain model of the contract, in memory. It knows the possible replies, given all earlier and
// concurrent requests, and the content of the table.

import type { RawItem } from '../../support/readers/item-kinds.ts';
import { unless } from '../../support/readers/violations.ts';
import { type Creation, creationOf } from '../creations.ts';
import { shownIn } from '../entry-data.ts';
import type { PlatformData } from '../platform-data.ts';
import { type Answer, is, type Of, type Operation } from '../requests.ts';
import { openAuthorizationsModel } from './authorizations.ts';
import { openBooksModel } from './books.ts';
import { type RatesByDate, rateOf } from './expected-entry.ts';
import { compareFeeds } from './feed.ts';
import { openImportsModel } from './imports.ts';
import { openSettingsModel } from './settings.ts';
import { openTenantsModel } from './tenants.ts';
import { openUsersModel } from './users.ts';

export type Model = ReturnType<typeof openModel>;

/** Unknown fields of a reply. */
const nothingMore = (more: object): string[] =>
  Object.keys(more).map((field) => `has the field ${field}, which nobody knows`);

export const openModel = (rates: RatesByDate, platformData: PlatformData) => {
  const users = openUsersModel();
  const settings = openSettingsModel();
  const imports = openImportsModel(platformData, settings);
  const tenants = openTenantsModel(imports, settings);
  const authorizations = openAuthorizationsModel();
  const books = openBooksModel({ rates, platformData, imports, tenants, settings });
  const creations = new Map<number, Creation>();
  const operations: Operation[] = [];

  /** The tenant that a callback would create, by the request that issued its state. */
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
    const { tenant_domain_url, schema_name, platform, has_exchange_rates, ...more } =
      answer.data ?? {};
    const { currency, company } = creation;
    const today = operation.now.toISOString().slice(0, 10);
    const pair = { transaction: currency, reporting: 'EUR' };
    const hasRates = rateOf(pair, { date: today, today, rates }) !== undefined;
    const prefix = String(tenant_domain_url);
    const isReplay = answer.isReplay === true;
    return [
      ...unless(!reuse.isCertain, 'the key was used for something else'),
      ...unless(schema_name === prefix.replaceAll('-', '_'), `its schema is ${schema_name}`),
      ...nothingMore(more),
      ...unless(platform === operation.request.platform, `its platform is ${platform}`),
      ...unless(
        has_exchange_rates === (company ? undefined : hasRates),
        `has_exchange_rates is ${has_exchange_rates}`,
      ),
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
    const { tenants: _tenants, tenant_count: _count, next_cursor: next, ...more } = data;
    const violations = [
      // No user here has enough tenants for a second page.
      ...unless(next === null, `has a further page of tenants, ${next}`),
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

  const checkAnswer = (operation: Operation, answer: Answer): string[] => {
    const ofBooks = books.check(operation, answer);
    if (ofBooks) return ofBooks;
    if (is(operation, 'profile')) return checkProfile(operation, answer);
    if (is(operation, 'tenant')) return checkTenant(operation, answer);
    if (is(operation, 'callback')) return checkCallback(operation, answer);
    if (is(operation, 'authorize')) {
      const { expected } = operation.request;
      return unless(answer.status === expected, `is ${answer.status}, and must be ${expected}`);
    }
    if (is(operation, 'initiate')) return checkInitiate(operation, answer);
    if (answer.status !== 200) return [`is refused with ${answer.code}, for no reason`];
    return is(operation, 'ensure') ? users.check(operation, answer) : [];
  };

  /** Whether other operations ran at the same time. Their attempts delay each other. */
  const hasRivals = (operation: Operation): boolean =>
    operations.some(
      (it) =>
        it !== operation &&
        it.startedAt < operation.endedAt &&
        it.endedAt > operation.startedAt &&
        it.faults.length > 0,
    );

  return {
    users,
    tenants,
    authorizations,

    begin: (operation: Operation): void => {
      operations.push(operation);
      books.begin(operation);
      if (is(operation, 'ensure')) users.begin(operation);
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

    /** The problems of an operation that has ended. */
    check: (operation: Operation): string[] => {
      const { answer, faults } = operation;
      if (answer === undefined || answer === 'crashed') return [];
      const isFault = answer.status >= 500 && answer.status < 599;
      if (isFault) {
        const isLost = answer.code === 'contention' && hasRivals(operation);
        const reason = `ends with ${answer.status}, without a fault`;
        return unless(faults.length > 0 || isLost, reason);
      }
      return checkAnswer(operation, answer);
    },

    /** Compares the table with the requests and the replies. */
    compare: (items: readonly RawItem[], moment: number): string[] => {
      const shown = shownIn(items);
      const tenantDifferences = tenants.compare(items, moment);
      const [connected, creations] = [tenants.connected(), tenants.creations()];
      return [
        ...users.compare(items),
        ...tenantDifferences,
        ...books.compare(shown, moment),
        ...imports.compare(items, { shown, connected, creations, moment }),
      ];
    },

    /** Compares the feeds with the changes that the model has seen. */
    compareFeeds: (items: readonly RawItem[], { isComplete }: { isComplete: boolean }): string[] =>
      compareFeeds(items, { seen: books.seenEntries(), settings, isComplete }),

    /** The entries that were seen, the latest last. */
    seenEntries: books.seenEntries,
  };
};
