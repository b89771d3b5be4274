// What operations would make of tenants, by request or by a callback, told apart by their makers.

import { type CompanyName, stemOf } from './company-names.ts';
import {
  type CashFlowMethod,
  type Company,
  isDone,
  mayArriveLate,
  mayHaveWritten,
  type Operation,
  type Span,
  type TenantRequest,
} from './requests.ts';

/** What an operation would make: of a request for a tenant, or of a callback. */
export type Creation = {
  operation: Operation;
  applicationId: string;
  /** The user's address, as it was registered. */
  email: string;
  companyName: CompanyName;
  currency: string;
  platform: string;
  cashFlowMethod: CashFlowMethod;
  company: Company | undefined;
  idempotencyKey: string | undefined;
  /** What an Idempotency-Key stands for. */
  content: string;
};

/** What a request for a tenant would make. */
export const creationOf = (operation: Operation<TenantRequest>, email: string): Creation => {
  const { request } = operation;
  const { applicationId, platform, cashFlowMethod, company, idempotencyKey } = request;
  const named = company ?? { name: request.companyName, currency: request.currency };
  return {
    operation,
    applicationId,
    email,
    companyName: named.name,
    currency: named.currency,
    platform,
    cashFlowMethod,
    company,
    idempotencyKey,
    content: JSON.stringify([
      request.userId,
      platform,
      cashFlowMethod,
      company?.companyId ?? [request.companyName, request.currency],
    ]),
  };
};

/** The name of an Idempotency-Key, under which one tenant can be made. */
export const keyOf = ({ applicationId, idempotencyKey }: Creation): string | undefined =>
  idempotencyKey === undefined ? undefined : `${applicationId} key ${idempotencyKey}`;

/** The names of what can happen once only, and happens with this creation. */
export const uniqueNamesOf = (creation: Creation): string[] => {
  const { applicationId, company } = creation;
  const names = [keyOf(creation), company && `${applicationId} company ${company.companyId}`];
  return names.filter((name) => name !== undefined);
};

/** Whether the prefix is one that this creation could have got. */
export const couldBeNamed = (prefix: string, { companyName, operation }: Creation): boolean =>
  [...operation.drawn].some((suffix) => prefix === `${stemOf(companyName)}-${suffix}`);

/** A replay repeats what was answered before, as does a callback's page, and changes nothing. */
const isReplay = ({ answer }: Operation): boolean =>
  typeof answer === 'object' && (answer.isReplay === true || answer.code === 'page');

export const openCreations = () => {
  const all: Creation[] = [];

  /** Those that may have come to something before an operation has ended. */
  const before = ({ endedAt }: Span): Creation[] =>
    all.filter(({ operation }) => operation.startedAt < endedAt && mayHaveWritten(operation));

  /** Those of a platform's company, in an application. */
  const ofCompany = ({ applicationId, company }: Creation, seen: Span): Creation[] =>
    before(seen).filter(
      (it) => it.applicationId === applicationId && it.company?.companyId === company?.companyId,
    );

  return {
    all: all as readonly Creation[],
    add: (creation: Creation): void => void all.push(creation),
    before,

    /** The one that made a tenant: no two have the same moment. */
    makerOf: (applicationId: string, createdAt: string): Creation | undefined =>
      all.find(
        ({ applicationId: other, operation }) =>
          other === applicationId &&
          operation.now.toISOString() === createdAt &&
          mayHaveWritten(operation),
      ),

    /** Whether another user may have connected the company first, whom its tenant is linked to. */
    mayBeAnothers: (creation: Creation): boolean =>
      creation.company !== undefined &&
      ofCompany(creation, creation.operation).some((it) => it.email !== creation.email),

    /** The cash-flow methods that a tenant may be seen to have: of those that set it last. */
    methodsOf: (maker: Creation, seen: Span): Set<string> => {
      if (maker.company === undefined) return new Set([maker.cashFlowMethod]);
      const setters = ofCompany(maker, seen).filter(
        ({ email, operation }) => email === maker.email && !isReplay(operation),
      );
      const isOverwritten = ({ operation: earlier }: Creation): boolean =>
        !mayArriveLate(earlier) &&
        setters.some(
          ({ operation: later }) =>
            isDone(later) && earlier.endedAt < later.startedAt && later.endedAt < seen.startedAt,
        );
      const last = setters.filter((it) => !isOverwritten(it));
      return new Set(last.map(({ cashFlowMethod }) => cashFlowMethod));
    },
  };
};
