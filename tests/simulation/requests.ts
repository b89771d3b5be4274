// The requests of a simulation as plain data for the model, and the replies.

import type { RawItem } from '../support/readers/item-kinds.ts';
import type { CompanyName } from './company-names.ts';
import type { AskedEntry } from './model/expected-entry.ts';
import type { AskedReversal } from './model/expected-reversal.ts';

export type Company = { companyId: string; name: CompanyName; currency: string };

export type TenantPlatform = 'manual' | 'platform_a' | 'platform_c';

export type Request =
  | { kind: 'ensure'; applicationId: string; email: string }
  | { kind: 'profile'; applicationId: string; email: string }
  | TenantRequest
  | { kind: 'initiate'; applicationId: string; userId: string; cashFlowMethod: CashFlowMethod }
  | CallbackRequest
  | EntryRequest
  | BatchRequest
  | ReversalRequest
  | CancellationRequest
  | SettingsRequest
  | { kind: 'run'; time: string }
  | { kind: 'authorize'; apiKey: string; expected: 200 | 401 | 403 }
  | ImportRequest
  | { kind: 'resume'; time: string }
  | { kind: 'renew'; time: string }
  | { kind: 'recording' };

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
  /** The platform's company, if the caller holds its tokens. */
  company: Company | undefined;
};

/** A browser that comes back, with or without consent: with a state that was issued, or not. */
export type CallbackRequest = {
  kind: 'callback';
  state: string;
  company: Company;
  isDenied: boolean;
};

/** `domainUrl` names the tenant in any accepted form, `prefix` is the plain one. */
type OfTenant = { applicationId: string; domainUrl: string; prefix: string };

export type EntryRequest = OfTenant & { kind: 'entry'; asked: AskedEntry; isDryRun: boolean };

export type BatchRequest = OfTenant & { kind: 'batch'; asked: AskedEntry[]; isDryRun: boolean };

/** The name of an entry, which may not exist. */
export type EntryName =
  | { journal_entry_id: string }
  | { journal_number: string }
  | { external_id: string };

export type ReversalRequest = OfTenant & {
  kind: 'reversal';
  named: EntryName;
  asked: AskedReversal;
  isDryRun: boolean;
};

export type CancellationRequest = OfTenant & { kind: 'cancellation'; named: EntryName };

/** What of a tenant its application changes. */
export type Settings = {
  lock_date?: string;
  financial_year_end?: string;
  cash_flow_method?: CashFlowMethod;
  company_name?: CompanyName;
};
export type SettingsRequest = OfTenant & { kind: 'settings'; changes: Settings };

/** An image that the table's stream brings. */
export type ImportRequest = { kind: 'import'; image: RawItem };

/** `status` is the one at the gateway or in the browser. */
export type Answer = {
  status: number;
  code?: string | undefined;
  retryable: boolean;
  /** The problems of a refusal, as `code pointer`. */
  problems?: string[];
  data?: Record<string, unknown>;
  isReplay?: boolean;
  /** Whether a repeat differs from its original. */
  isMismatch?: boolean;
};

/** A request in progress, with its reply and its faults. */
export type Operation<Asked extends Request = Request> = {
  number: number;
  request: Asked;
  /** The time of the operation. It does not change. */
  now: Date;
  /** The moments of the simulation at which it started and ended for its caller. */
  startedAt: number;
  endedAt: number;
  /** Ids drawn by the operation. Everything that it creates has one of them. */
  drawn: Set<string>;
  faults: string[];
  /** Calls of it that are still on their way, after its end too. */
  callsUnderWay: number;
  answer: Answer | 'crashed' | undefined;
};

/** The tenant that a request is about. */
export const placeOf = ({ applicationId, prefix }: Omit<OfTenant, 'domainUrl'>): string =>
  `${applicationId} ${prefix}`;

/** From one moment to another. */
export type Span = { startedAt: number; endedAt: number };

/** Whether something may have been written for it, for all that anybody was told. */
export const mayHaveWritten = ({ answer }: Operation): boolean => {
  if (answer === undefined || answer === 'crashed') return true;
  if (answer.status < 400) return true;
  return answer.status >= 500 && answer.code !== 'contention';
};

/** Whether a write of it may be carried out after its end, or was. */
export const mayArriveLate = ({ faults, callsUnderWay }: Operation): boolean =>
  callsUnderWay > 0 || faults.some((fault) => fault.startsWith('arrives late'));

export const isDone = ({ answer }: Operation): boolean =>
  typeof answer === 'object' && answer.status < 400;

export type Of<Kind extends Request['kind']> = Operation<RequestOf<Kind>>;

export const is = <Kind extends Request['kind']>(
  operation: Operation,
  kind: Kind,
): operation is Operation & Of<Kind> => operation.request.kind === kind;
