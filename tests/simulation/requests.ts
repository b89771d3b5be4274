// What callers ask for in a simulation, as plain data that the model can look into, and what they
// are answered.

import type { RawItem } from '../support/readers/item-kinds.ts';
import type { CompanyName } from './company-names.ts';
import type { AskedEntry } from './expected-entry.ts';

/** What nobody can check any more where a part cannot be read. */
export type Unchecked = 'tenant' | 'accounts' | 'first account' | 'rates' | 'reporting rate';

/** `value` takes the place of what is at the pointer; where it is undefined, nothing is there. */
export type Mutation = {
  pointer: string;
  value: string | number | undefined;
  code: string;
  unchecked?: Unchecked[];
};

export type Company = { companyId: string; name: CompanyName; currency: string };

export type TenantPlatform = 'manual' | 'platform_a' | 'platform_c';

/** `mutation` is the part of a request that is wrong in itself. */
export type Request = (
  | { kind: 'ensure'; applicationId: string; email: string }
  | { kind: 'profile'; applicationId: string; email: string }
  | TenantRequest
  | { kind: 'initiate'; applicationId: string; userId: string; cashFlowMethod: CashFlowMethod }
  | CallbackRequest
  | EntryRequest
  | ReverseRequest
  | CancelRequest
  | { kind: 'run'; time: string }
  | { kind: 'authorize'; apiKey: string; expected: 200 | 401 | 403 }
  | ImportRequest
  | { kind: 'resume'; time: string }
  | { kind: 'renew'; time: string }
) & { mutation?: Mutation };

export type RequestOf<Kind extends Request['kind']> = Extract<Request, { kind: Kind }>;

export type CashFlowMethod = 'direct' | 'indirect';

export type TenantRequest = {
  kind: 'tenant';
  applicationId: string;
  userId: string;
  platform: TenantPlatform;
  companyName: CompanyName;
  currency: string;
  cashFlowMethod: CashFlowMethod;
  idempotencyKey: string | undefined;
  /** The platform's company, where the caller holds its tokens. */
  company: Company | undefined;
};

/** A browser that comes back, with or without consent: with a state that was issued, or not. */
export type CallbackRequest = {
  kind: 'callback';
  state: string;
  company: Company;
  isDenied: boolean;
};

export type EntryRequest = {
  kind: 'entry';
  applicationId: string;
  domainUrl: string;
  /** The tenant's prefix, in whatever form it was asked for. */
  prefix: string;
  asked: AskedEntry;
};

/** `number` is that of the entry that is reversed. */
export type ReverseRequest = {
  kind: 'reverse';
  applicationId: string;
  prefix: string;
  number: string;
  asked: Pick<AskedEntry, 'date' | 'accrualDate' | 'externalId'>;
};

export type CancelRequest = {
  kind: 'cancel';
  applicationId: string;
  prefix: string;
  number: string;
};

/** An image that the table's stream brings. */
export type ImportRequest = { kind: 'import'; image: RawItem };

/** `status` is the one that the gateway or the browser would see. */
export type Answer = {
  status: number;
  code?: string | undefined;
  retryable: boolean;
  /** The problems of a refusal, as `code pointer`. */
  problems?: string[];
  data?: Record<string, unknown>;
  isReplay?: boolean;
  /** The fields in which a repeat differs from its original. */
  mismatch?: string | undefined;
};

/** A request on its way: what was asked when, what came of it, and what befell it. */
export type Operation<Asked extends Request = Request> = {
  number: number;
  request: Asked;
  /** What the clock says for the whole of it. */
  now: Date;
  /** The moments of the simulation at which it began, and ended for its caller. */
  startedAt: number;
  endedAt: number;
  /** Ids that were drawn for it: what it made has one of them. */
  drawn: Set<string>;
  faults: string[];
  /** Calls of it that are still on their way, after its end too. */
  callsUnderWay: number;
  answer: Answer | 'crashed' | undefined;
};

/** From one moment to another. */
export type Span = { startedAt: number; endedAt: number };

/** Whether something may have been written for it, for all that anybody was told. */
export const mayHaveWritten = ({ answer }: Operation): boolean => {
  if (answer === undefined || answer === 'crashed') return true;
  if (answer.status < 400) return true;
  return answer.status >= 500 && answer.code !== 'contention';
};

export const isDone = ({ answer }: Operation): boolean =>
  typeof answer === 'object' && answer.status < 400;
