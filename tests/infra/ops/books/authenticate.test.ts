// `ops books authenticate` gives authenticators to the items of an earlier version, and then
// requires them.

import { expect, test } from 'vitest';
import { authenticateBooks } from '#infra/ops/commands/books.ts';
import { retireSecret } from '#infra/ops/commands/secret-versions.ts';
import { rotateSecret, setSecret } from '#infra/ops/commands/secrets.ts';
import { entryKey } from '#shared/table/keys.ts';
import { openBooks } from '../../../support/builders/books.ts';
import { refusalOf, useOperator } from '../../../support/harnesses/operator.ts';

const operator = useOperator({ each: true, hasAuthenticators: false });
const secret = 'authenticator-keys';
const authenticate = (options: { again?: boolean } = {}) =>
  authenticateBooks.run(operator.dependencies, options);
const macs = async () =>
  (await operator.database.scan()).flatMap(({ mac }) => (mac === undefined ? [] : [String(mac)]));
const lines = [
  ['1010', '5'],
  ['4010', '-5'],
] as const;
const settle = () => {
  operator.clock.now = new Date(Date.now() + 11 * 60_000);
};

test('the items of an earlier version get authenticators, and altered ones are named', async () => {
  const { name, post } = await openBooks(operator.ledger, { prefix: 'acme' });
  await post({ lines });
  await post({ lines });
  await setSecret.run(operator.dependencies, { secret });
  expect((await operator.dependencies.secrets.read(secret)).value?.use).toBe('off');
  expect(await authenticate()).toMatchObject({ use: 'adopting', authenticated: 0 });
  operator.clock.now = new Date();
  expect(await refusalOf(authenticate())).toMatch(/^functions can use the earlier keys until/);
  settle();
  const adopted = await authenticate();
  expect(adopted).toMatchObject({ use: 'required', altered: 0 });
  expect(adopted.authenticated).toBeGreaterThan(4);
  expect(await macs()).toHaveLength(Number(adopted.authenticated));
  await rotateSecret.run(operator.dependencies, { secret });
  const key = entryKey(name, { series: 'MJ', date: '2026-03-20', sequence: 1 });
  const sound = (await operator.database.scan()).find(({ sk }) => sk === key.sk) ?? {};
  await operator.database.tamper({ ...sound, memo: 'Gift' });
  expect(await authenticate()).toMatchObject({
    altered: 1,
    first_altered: [`${key.pk} ${key.sk}`],
  });
  const retire = () =>
    retireSecret.run(operator.dependencies, { secret, version: '1', loseLiveKeys: false });
  expect(await refusalOf(retire())).toBe('1 items are altered: see books authenticate');
  await operator.database.tamper(sound);
  expect(await retire()).toMatchObject({ current: '2', versions: ['2'] });
  expect((await macs()).filter((mac) => !mac.startsWith('2.'))).toEqual([]);
});

test('a restored table of a time before the adoption is adopted again', async () => {
  await setSecret.run(operator.dependencies, { secret });
  expect((await operator.dependencies.secrets.read(secret)).value?.use).toBe('required');
  // These are written without authenticators, as an earlier version did.
  const { post } = await openBooks(operator.ledger, { prefix: 'acme' });
  await post({ lines });
  expect(await authenticate({ again: true })).toMatchObject({ use: 'adopting' });
  settle();
  const { use, authenticated } = await authenticate();
  expect(use).toBe('required');
  expect(authenticated).toBeGreaterThan(4);
});
