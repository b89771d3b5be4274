// The contract for authorizations: a state works once, within ten minutes, and leads its user to
// the company's tenant.

import { unless } from '../../support/readers/violations.ts';
import {
  type Answer,
  type CallbackRequest,
  mayHaveWritten,
  type Operation,
  type RequestOf,
} from '../requests.ts';

type Initiate = Operation<RequestOf<'initiate'>>;
type Callback = Operation<CallbackRequest>;

const lifetimeSeconds = 600;
const secondsOf = ({ now }: Operation): number => Math.floor(now.getTime() / 1000);

/** Whether the state of a callback was looked at and found good. */
const wasLetIn = ({ answer }: Callback): boolean =>
  typeof answer === 'object' && answer.code !== 'page';

export const openAuthorizationsModel = () => {
  const issued = new Map<string, Initiate>();
  const callbacks = new Map<string, Callback[]>();

  return {
    begin: (operation: Callback): void => {
      const { state } = operation.request;
      callbacks.set(state, [...(callbacks.get(state) ?? []), operation]);
    },

    checkInitiate: (operation: Initiate, { data = {} }: Answer): string[] => {
      const { authorization_url: given, ...more } = data;
      const state = new URL(String(given)).searchParams.get('state') ?? '';
      issued.set(state, operation);
      const redirectUri = encodeURIComponent('https://callback.example/oauth/platform_a/callback');
      const address = `https://platform.example/authorize?redirectUri=${redirectUri}`;
      const challenge = new URL(String(given)).searchParams.get('codeChallenge');
      const meant = `${address}&state=${state}&codeChallenge=${challenge}`;
      const [nonce = ''] = state.split('.');
      return [
        ...unless(operation.drawn.has(nonce), 'the state was issued to somebody else'),
        ...unless(given === meant && Object.keys(more).length === 0, `${given} must be ${meant}`),
      ];
    },

    /** The states that were issued, and for which application. */
    states: (): string[] => [...issued.keys()],
    issuerOf: (state: string): Initiate | undefined => issued.get(state),

    checkCallback: (operation: Callback, answer: Answer): string[] => {
      const issuer = issued.get(operation.request.state);
      const isLetIn = answer.code !== 'page';
      const isExpired =
        issuer !== undefined && secondsOf(issuer) + lifetimeSeconds <= secondsOf(operation);
      if (issuer === undefined || isExpired) {
        return unless(!isLetIn, 'a state is let in that is unknown or expired');
      }
      const others = (callbacks.get(operation.request.state) ?? []).filter(
        (it) => it !== operation,
      );
      if (isLetIn) {
        const earlier = others.find(wasLetIn);
        return unless(earlier === undefined, `the state was used before, by ${earlier?.number}`);
      }
      // A try that lost the table's reply may have used the state, and was turned away itself.
      const isUsed = others.some(
        (it) =>
          it.startedAt < operation.endedAt &&
          (wasLetIn(it) || mayHaveWritten(it) || it.faults.length > 0),
      );
      return unless(isUsed || operation.faults.length > 0, 'a good state is not let in');
    },
  };
};
