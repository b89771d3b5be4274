// A consent to a connection that is to be confirmed, from the application's request to what the
// browser brings back to it.

import type { Slot } from '#shared/platforms/slots.ts';
import { giveConsent } from './sandbox.ts';

const landing = 'https://app.example.com/connected';

type Call = (path: string) => Promise<{
  body: { data: { authorization_url: string } };
}>;

/** The authorization URL of a user; whoever opens it and consents comes back here. */
export const startWaiting = async (
  call: Call,
  { slot, userId }: { slot: Slot; userId: string },
): Promise<string> => {
  const query = new URLSearchParams({
    ...{ user_id: userId, cash_flow_method: 'direct', redirect_url: landing },
    confirm_connection: 'true',
  });
  return (await call(`oauth/${slot}/initiate/?${query}`)).body.data.authorization_url;
};

/** Somebody consents for this company: what the redirect brings, without its status. */
export const consentToWaiting = async (authorizationUrl: string, company: string) => {
  const callback = await giveConsent(authorizationUrl, { company });
  const reply = await fetch(callback, { redirect: 'manual' });
  const location = new URL(reply.headers.get('Location') ?? '');
  const { status, ...brought } = Object.fromEntries(location.searchParams);
  if (status !== 'success') throw new Error(`came back with ${location.search}`);
  return brought as { domain_url: string; confirmation_code: string };
};
