// The organisations of a consent at Xero.

import * as z from 'zod/mini';
import type { CompanyChoice } from '../platform.ts';
import { CompanyName } from '../replies.ts';

/**
 * The fields of `Connection` in xero-identity.yaml, in github.com/XeroAPI/Xero-OpenAPI.
 * Disconnecting needs only the ids. Without the other fields an organisation cannot be chosen, or
 * counts as the oldest.
 */
const Connection = z.object({
  id: z.guid(),
  tenantId: z.guid(),
  tenantType: z.catch(z.string(), ''),
  /** "Identifier shared across connections authorised at the same time". */
  authEventId: z.catch(z.nullish(z.string()), null),
  tenantName: z.catch(z.nullable(CompanyName), null),
  /** For example 2019-12-07T18:46:19.5187840. Later times sort later as text. */
  updatedDateUtc: z.catch(z.string().check(z.regex(/^\d{4}-\d\d-\d\dT/)), ''),
});
type Connection = z.output<typeof Connection>;

/** Drops connections that cannot be read. */
export const ConnectionsReply = z.pipe(
  z.array(z.unknown()),
  z.transform((list) => list.flatMap((it) => Connection.safeParse(it).data ?? [])),
);

const AccessTokenClaims = z.object({ authentication_event_id: z.guid() });

/**
 * The consent of an access token. The claim only filters Xero's own list of connections, so it
 * needs no verification. We know of no documentation for it. Without it, the latest connections
 * count.
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
 * The companies of one consent, latest first. A user can consent to several organisations at once,
 * and to practices, which have no books.
 * @param options.isOneConsent whether all connections are from the same consent; otherwise the
 *   latest consent counts
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
