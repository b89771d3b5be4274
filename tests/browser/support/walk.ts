// The parts of a walk: the running service, a page of the application, a browser, and the steps of
// the person and of the application.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import type { TenantSummary } from '#shared/tenants/tenant.view.ts';
import { ada } from '../../support/builders/requests.ts';
import { operate } from '../../support/processes/operator-process.ts';
import { callApi, makeDataFolder, startService } from '../../support/processes/service.ts';
import { serve } from '../../support/servers/serve.ts';
import { openBrowser } from './browser.ts';

/** The application's page, to which the browser comes back. */
const startApplication = async () => {
  const { url, stop } = await serve((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end('<!doctype html><html lang="en"><title>App</title><h1>Back at the app</h1>');
  });
  return { redirectUrl: `${url}/connected`, stop };
};

export const openWalks = async () => {
  const folder = await makeDataFolder();
  const service = await startService({ dataFolder: folder.path });
  const application = await startApplication();
  const browser = await openBrowser();
  let users = 0;

  /** A user that no other test uses. */
  const newUser = async () => {
    users += 1;
    const email = `user-${users}@example.com`;
    const { body } = await callApi(service.demo, 'users/ensure/', { body: { ...ada, email } });
    return { email, userId: body.data.user_id as string };
  };

  const initiate = async (
    userId: string,
    asked: { slot: Slot; redirectUrl?: string | undefined },
  ) => {
    const query = new URLSearchParams({ user_id: userId, cash_flow_method: 'indirect' });
    if (asked.redirectUrl !== undefined) query.set('redirect_url', asked.redirectUrl);
    return callApi(service.demo, `oauth/${asked.slot}/initiate/?${query}`);
  };

  return {
    service,
    application,
    newUser,
    initiate,
    newPage: async (options: Parameters<typeof browser.newContext>[0] = {}): Promise<Page> =>
      (await browser.newContext(options)).newPage(),
    ops: (line: string) =>
      operate([...line.split(' '), '--local'], {
        PATH: process.env.PATH,
        LEDGER_DATA: folder.path,
      }),
    tenantsOf: async (email: string): Promise<TenantSummary[]> => {
      const { body } = await callApi(service.demo, 'users/profile/', { body: { email } });
      return body.data.tenants;
    },
    /** Runs a scheduled function for a moment of one's choosing. */
    runSchedule: (name: string, time: Date) =>
      fetch(`${service.demo.sandbox_url}/schedules/${name}?time=${time.toISOString()}`, {
        method: 'POST',
      }),
    stop: async () => {
      await browser.close();
      await application.stop();
      await service.stop();
      await folder.remove();
    },
  };
};

export type Walks = Awaited<ReturnType<typeof openWalks>>;
export type WalkUser = { email: string; userId: string };

type Choice = {
  company: string;
  /** Another company of the same consent. */
  besides?: string;
  failure?: string;
  decision?: 'Approve' | 'Deny';
};

const companyOf = (slot: Slot, id: string): DemoCompany => {
  const company = companiesOf[slot].find((one) => one.id === id);
  if (company === undefined) throw new Error(`there is no company ${id}`);
  return company;
};

/** Fills the consent page in as a person does, and sends it. */
export const answerConsent = async (
  page: Page,
  slot: Slot,
  { company, besides, failure, decision = 'Approve' }: Choice,
): Promise<void> => {
  for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
  for (const id of [company, besides]) {
    if (id !== undefined) await page.getByLabel(companyOf(slot, id).name).check();
  }
  if (failure !== undefined) {
    await page.getByLabel('What fails afterwards').selectOption(failure);
  }
  await page.getByRole('button', { name: decision }).click();
};

/** Walks from initiate to the last page, for a new user by default. */
export const walk = async (
  walks: Walks,
  asked: {
    slot: Slot;
    choice: Choice;
    page: Page;
    user?: WalkUser;
    /** Steps between the consent and the application. */
    onTheWay?: () => Promise<void>;
  },
): Promise<{ email: string; landing: URL }> => {
  const { slot, choice, page, onTheWay } = asked;
  const { email, userId } = asked.user ?? (await walks.newUser());
  const { redirectUrl } = walks.application;
  const { body } = await walks.initiate(userId, { slot, redirectUrl });
  await page.goto(body.data.authorization_url);
  await answerConsent(page, slot, choice);
  await onTheWay?.();
  await page.waitForURL(`${redirectUrl}**`, { timeout: 20_000 });
  expect(await page.getByRole('heading').textContent()).toBe('Back at the app');
  return { email, landing: new URL(page.url()) };
};
