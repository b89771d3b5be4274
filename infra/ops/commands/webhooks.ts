// The operator's commands for the webhooks of an application.

import type { ListedWebhook } from '#shared/events/webhooks.store.ts';
import { webhookStatusOf } from '#shared/events/webhooks.ts';
import { type Dependencies, defineChange, defineQuery, type Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { applicationName, required, webhookId } from '../options.ts';
import { getApplication } from './applications.ts';

const ofApplication = { application: required(applicationName) };
const ofWebhook = { ...ofApplication, webhook: required(webhookId) };

/** The path and query of a URL can contain a secret of the application. */
const hostOf = (url: string): string => new URL(url).host;

const rowOf = ({ webhook, delivery }: ListedWebhook) => ({
  webhook_id: webhook.webhookId,
  host: hostOf(webhook.url),
  status: webhookStatusOf(webhook, delivery),
  disabled_reason: webhook.disabledReason,
  delivered_through: delivery.deliveredThrough,
  parked: delivery.parked.length,
  dropped: delivery.dropped,
  failing_since: delivery.failingSince,
  next_attempt_at: delivery.retryAt,
  last_status_code: delivery.lastAttempt?.status ?? null,
  last_error: delivery.lastAttempt?.error ?? null,
});

const report = async (
  dependencies: Pick<Readers, 'applications' | 'webhooks'>,
  { application }: { application: string },
) => {
  const { applicationId, name } = await getApplication(dependencies, application);
  const { isForbidden, webhooks } = await dependencies.webhooks.list(applicationId);
  return {
    application: name,
    application_id: applicationId,
    forbidden: isForbidden,
    webhooks: webhooks.map(rowOf),
  };
};

export const listWebhooks = defineQuery({
  needs: ['applications', 'webhooks'],
  options: ofApplication,
  run: report,
});

export const disableWebhook = defineChange({
  needs: ['applications', 'webhooks'],
  change: { before: report, after: ['webhooks'] },
  options: ofWebhook,
  run: async (dependencies, options) => {
    const { applicationId, name } = await getApplication(dependencies, options.application);
    const webhook = { applicationId, webhookId: options.webhook };
    const changed = await dependencies.webhooks.disable(webhook, 'disabled_by_operator');
    if (changed === 'not_found') {
      throw new CommandFailure(`"${name}" has no webhook ${options.webhook}`);
    }
    return report(dependencies, options);
  },
});

const setForbidden = (isForbidden: boolean) =>
  defineChange({
    needs: ['applications', 'webhooks'],
    change: { before: report, after: ['forbidden'] },
    options: ofApplication,
    run: async (
      dependencies: Pick<Dependencies, 'applications' | 'webhooks'>,
      options: { application: string },
    ) => {
      const { applicationId } = await getApplication(dependencies, options.application);
      await dependencies.webhooks.forbid(applicationId, isForbidden);
      return report(dependencies, options);
    },
  });

export const commands = {
  list: listWebhooks,
  disable: disableWebhook,
  forbid: setForbidden(true),
  allow: setForbidden(false),
};
