// The organisations that a consent at Xero is good for, among all that its user has connected.

import * as z from 'zod/mini';
import type { CompanyChoice } from '../platform.ts';
import { CompanyName } from '../replies.ts';

/**
 * The fields of `Connection` in xero-identity.yaml, in github.com/XeroAPI/Xero-OpenAPI. Access is
 * given back by the ids alone; without the others an organisation is none of those to choose from,
 * or not the latest of them.
 */
const Connection = z.object({
  id: z.guid(),
  tenantId: z.guid(),
  tenantType: z.catch(z.string(), ''),
  /** "Identifier shared across connections authorised at the same time". */
  authEventId: z.catch(z.nullish(z.string()), null),
  tenantName: z.catch(z.nullable(CompanyName), null),
  /** As in 2019-12-07T18:46:19.5187840, whose later one is the greater text. */
  updatedDateUtc: z.catch(z.string().check(z.regex(/^\d{4}-\d\d-\d\dT/)), ''),
});
type Connection = z.output<typeof Connection>;

/** Each is read by itself, and one without its ids is left out. */
export const ConnectionsReply = z.pipe(
  z.array(z.unknown()),
  z.transform((given) => given.flatMap((it) => Connection.safeParse(it).data ?? [])),
);

const AccessTokenClaims = z.object({ authentication_event_id: z.guid() });

/**
 * Which consent an access token came from. Nothing is believed because a token says so: the claim
 * only narrows what Xero lists for that token. It is in no documentation of Xero's that we know of,
 * so without it the connections are taken that were made or renewed last.
 */
export const consentOf = (accessToken: string): string | undefined => {
  try {
    const claims = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString();
    return AccessTokenClaims.safeParse(JSON.parse(claims)).data?.authentication_event_id;
  } catch {
    return undefined;
  }
};

/**
 * The companies of one consent, the latest first. A user can consent to several organisations at
 * once, and to practices, which keep no books.
 * @param options.isOneConsent false where the connections may be of others too: the latest counts
 */
export const companiesOf = (
  connections: readonly Connection[],
  { isOneConsent }: { isOneConsent: boolean },
): CompanyChoice[] => {
  const organisations = connections
    .filter(({ tenantType }) => tenantType === 'ORGANISATION')
    .sort((one, other) => other.updatedDateUtc.localeCompare(one.updatedDateUtc));
  const [latest] = organisations;
  const consent = latest?.authEventId ?? undefined;
  return organisations
    .filter((it) => isOneConsent || it === latest || (consent && it.authEventId === consent))
    .map(({ tenantId, tenantName: name }) => ({
      companyId: tenantId.toLowerCase(),
      dataCenter: null,
      name,
    }));
};
