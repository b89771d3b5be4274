// An adapter with a fake server, and plain forms of its results.

import { afterAll, beforeEach } from 'vitest';
import type { AdapterOptions } from '#shared/platforms/http.ts';
import type {
  AccountReference,
  CompanyAccess,
  ListedJournal,
  PageRequest,
  Platform,
  PlatformJournal,
} from '#shared/platforms/platform.ts';
import { failureOf } from '../readers/platform-failures.ts';
import { type FakeReply, startFakeServer } from '../servers/fake-server.ts';

/** No failure may contain these secrets, which start with `Secret`. */
export const client = { clientId: 'ledger', clientSecret: 'Secret-Client' };
export const basic = `Basic ${Buffer.from('ledger:Secret-Client').toString('base64')}`;
export const redirectUri = 'https://ledger.example/oauth/platform/callback';

/** The reply of a token endpoint, and the tokens that adapters read from it. */
export const tokenReply = {
  token_type: 'Bearer',
  access_token: 'Secret-Access',
  refresh_token: 'Secret-Refresh',
  expires_in: 3600,
};
export const tokens = {
  accessToken: 'Secret-Access',
  refreshToken: 'Secret-Refresh',
  expiresInSeconds: 3600,
  reconnectInSeconds: null,
};

/** A request for the first page of a list, of a thousand rows. */
export const pageOf = (more: Partial<PageRequest> = {}): PageRequest => ({
  cursor: null,
  rows: 1000,
  modifiedSince: null,
  timeoutMilliseconds: 2_000,
  ...more,
});

export const status = (code: number, body?: unknown, headers = {}): FakeReply => ({
  status: code,
  headers,
  body: body === undefined ? '' : JSON.stringify(body),
});
export const json = (body: unknown): FakeReply => status(200, body);

/** Opens the adapter for a test file; by `replyWith` each request gets the next of the replies. */
export const openAdapter = async (create: (options: AdapterOptions) => Platform) => {
  const server = await startFakeServer();
  afterAll(server.stop);
  beforeEach(() => {
    server.requests.length = 0;
  });
  const options = { ...client, baseUrlOverride: server.url, timeoutMilliseconds: 2_000 };
  return {
    server,
    platform: create(options),
    /** The same adapter with nothing in its memory. */
    openAnother: () => create(options),
    /** The last reply is repeated. */
    replyWith: (...replies: FakeReply[]): void => {
      const left = [...replies];
      server.reply = () => (left.length > 1 ? left.shift() : left[0]) ?? {};
    },
    /** The requests, without fetch's own headers and without empty parts. */
    sentRequests: () =>
      server.requests.map(({ method, path = '', headers, body }) => {
        const { pathname, searchParams } = new URL(path, server.url);
        const { authorization, 'xero-tenant-id': tenant, 'content-type': type } = headers;
        const since = headers['if-modified-since'];
        return {
          call: `${method} ${pathname}`,
          ...(searchParams.size > 0 && { query: Object.fromEntries(searchParams) }),
          ...(authorization !== undefined && { authorization }),
          ...(tenant !== undefined && { tenant }),
          ...(since !== undefined && { since }),
          ...(type === 'application/json' && { json: JSON.parse(body) }),
          ...(type?.includes('form') && { form: Object.fromEntries(new URLSearchParams(body)) }),
        };
      }),
  };
};

/** The reason of a failed call, with the seconds to wait and the platform's reply after a colon. */
export const refusalOf = async (failing: Promise<unknown>): Promise<string> => {
  const { reason, retryAfterSeconds = '', cause } = await failureOf(failing, ['Secret']);
  const [, answered] = / was answered (\d.*)$/.exec(cause) ?? [];
  return `${reason} ${retryAfterSeconds}`.trim() + (answered ? `: ${answered}` : '');
};

/** The reason without the platform's reply. */
export const reasonOf = async (failing: Promise<unknown>): Promise<string> =>
  (await refusalOf(failing)).split(':')[0] as string;

/** An account by its id, its code with # before it, or as tax. */
const plainAccount = (account: AccountReference): string =>
  account === 'tax' ? account : 'id' in account ? account.id : `#${account.code}`;

/** A journal with amounts as text: each line is account, description, debit and credit. */
const plainJournal = ({ exchangeRate, lines, ...journal }: PlatformJournal) => ({
  ...journal,
  exchangeRate: exchangeRate?.toFixed() ?? null,
  lines: lines.map(({ account, description, debit, credit }) => [
    plainAccount(account),
    description,
    debit.toFixed(),
    credit.toFixed(),
  ]),
});

/** Reads a listed journal: as plain data if it is posted, else its state. */
export const readListed = async ({ reference, read }: ListedJournal, access: CompanyAccess) => {
  const result = await read(access, { timeoutMilliseconds: 2_000 });
  if (result.state !== 'posted') return result;
  if (result.journal.reference !== reference) throw new Error('another journal');
  return { state: result.state, journal: plainJournal(result.journal) };
};

/** A posted journal. @throws if it is not posted */
export const readJournal = async (listed: ListedJournal, access: CompanyAccess) => {
  const result = await readListed(listed, access);
  if (result.state !== 'posted') throw new Error(`the journal is ${result.state}`);
  return result.journal;
};
