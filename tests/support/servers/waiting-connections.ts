// A consent to a connection that must be confirmed, from the application's request to the redirect.

import type { Slot } from '#shared/platforms/slots.ts';
import { giveConsent } from './sandbox.ts';

const landing = 'https://app.example.com/connected';

type Call = (path: string) => Promise<{
  body: { data: { authorization_url: string } };
}>;

/** The authorization URL of a user. The browser returns to the landing page. */
export const startWaiting = async (
  call: Call,
  { slot, userId }: { slot: Slot; userId: string },
): Promise<string> => {
  const query = new URLSearchParams({
    user_id: userId,
    cash_flow_method: 'direct',
    redirect_url: landing,
    confirm_connection: 'true',
  });
  return (await call(`oauth/${slot}/initiate/?${query}`)).body.data.authorization_url;
};

/** Consents for a company. Returns the parameters of the redirect without its status. */
export const consentToWaiting = async (authorizationUrl: string, company: string) => {
  const callback = await giveConsent(authorizationUrl, { company });
  const reply = await fetch(callback, { redirect: 'manual' });
  const location = new URL(reply.headers.get('Location') ?? '');
  const { status, ...brought } = Object.fromEntries(location.searchParams);
  if (status !== 'success') throw new Error(`came back with ${location.search}`);
  return brought as { domain_url: string; confirmation_code: string };
};
