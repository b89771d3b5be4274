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

/** A tenant that a request or a callback would create. */
export type Creation = {
  operation: Operation;
  applicationId: string;
  email: string;
  companyName: CompanyName;
  currency: string;
  platform: string;
  cashFlowMethod: CashFlowMethod;
  company: Company | undefined;
  idempotencyKey: string | undefined;
  /** Equal for requests that may share an Idempotency-Key. */
  content: string;
};

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

/** The name of an Idempotency-Key, for one tenant. */
export const keyOf = ({ applicationId, idempotencyKey }: Creation): string | undefined =>
  idempotencyKey === undefined ? undefined : `${applicationId} key ${idempotencyKey}`;

/** Names of the key and of the company. Each can have one tenant only. */
export const uniqueNamesOf = (creation: Creation): string[] => {
  const { applicationId, company } = creation;
  const names = [keyOf(creation), company && `${applicationId} company ${company.companyId}`];
  return names.filter((name) => name !== undefined);
};

/** Whether the prefix is one that this creation could have got. */
export const couldBeNamed = (prefix: string, { companyName, operation }: Creation): boolean =>
  [...operation.drawn].some((suffix) => prefix === `${stemOf(companyName)}-${suffix}`);

/** A replay repeats a reply and changes nothing. A callback's page changes nothing. */
const isReplay = ({ answer }: Operation): boolean =>
  typeof answer === 'object' && (answer.isReplay === true || answer.code === 'page');

export const openCreations = () => {
  const all: Creation[] = [];

  /** Creations that may have written before an operation ended. */
  const before = ({ endedAt }: Span): Creation[] =>
    all.filter(({ operation }) => operation.startedAt < endedAt && mayHaveWritten(operation));

  /** The creations for a platform's company in an application. */
  const ofCompany = ({ applicationId, company }: Creation, seen: Span): Creation[] =>
    before(seen).filter(
      (it) => it.applicationId === applicationId && it.company?.companyId === company?.companyId,
    );

  return {
    all: all as readonly Creation[],
    add: (creation: Creation): void => void all.push(creation),
    before,

    /** The creation of a tenant. No two have the same moment. */
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

    /** The cash-flow methods that a tenant may show: one of the last that were set. */
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
