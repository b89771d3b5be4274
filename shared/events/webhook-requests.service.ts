// What the endpoints of webhooks check in a request.

import { type Problem, pointerTo, problem, tenantNotFound, throwIfProblems } from '../errors.ts';
import { prefixOfSchema, tenantNameFrom } from '../tenants/domain-names.ts';
import type { TenantReader } from '../tenants/tenant-links.store.ts';
import type { WebhookSending } from './webhook-sending.service.ts';

export type WebhookRequests = ReturnType<typeof openWebhookRequests>;

export const openWebhookRequests = ({
  baseDomain,
  tenants,
  sending,
}: {
  baseDomain: string;
  tenants: Pick<TenantReader, 'findMany'>;
  sending: Pick<WebhookSending, 'findProblem'>;
}) => {
  const problemOfUrl = async (url: string | undefined): Promise<Problem[]> => {
    const refused = url === undefined ? undefined : await sending.findProblem(url);
    if (refused === undefined) return [];
    return [
      problem('webhook_url_not_allowed', '/url', {
        rule: refused.rule,
        ...(refused.resolvedTo.length > 0 && { resolved_to: refused.resolvedTo }),
      }),
    ];
  };

  return {
    /**
     * Checks the URL and the tenants. Returns the prefixes of the tenants.
     * @throws ApiError `validation_failed`
     */
    check: async (
      applicationId: string,
      input: { url?: string | undefined; tenants?: string[] | undefined },
    ): Promise<string[] | undefined> => {
      const names = input.tenants?.map((it) => tenantNameFrom(it, { applicationId, baseDomain }));
      const known = names?.filter((it) => it !== undefined) ?? [];
      const [ofUrl, found] = await Promise.all([
        problemOfUrl(input.url),
        known.length === 0 ? [] : tenants.findMany(known),
      ]);
      const exists = new Set(found.map(({ schemaName }) => schemaName));
      const missing = (names ?? []).flatMap((name, index) =>
        name !== undefined && exists.has(name.schemaName)
          ? []
          : [{ ...tenantNotFound, pointer: pointerTo('tenants', index) }],
      );
      throwIfProblems([...ofUrl, ...missing]);
      return names && [...new Set(known.map(({ schemaName }) => prefixOfSchema(schemaName)))];
    },
  };
};
