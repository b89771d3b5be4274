// The official libraries of Standard Webhooks verify our deliveries, unmodified: npm's and PyPI's.

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signedHeaders } from '#shared/events/webhook-signature.ts';
import {
  hasPython,
  howToGetPython,
  installPythonPackages,
} from '../support/processes/python-tools.ts';
import { cacheFolder, type Outcome } from './outcomes.ts';

const library = 'standardwebhooks==1.1.0';

type Delivery = { secret: string; headers: Record<string, string>; body: string };

const [old, current, other] = Array.from({ length: 3 }, () => newWebhookSecret(randomBytes));
const body = JSON.stringify({ sequence: 1, type: 'journal_entry.posted', data: { code: 'é€' } });
const signed = (secrets: string[], at = new Date()) =>
  signedHeaders({ id: 'evt_1', at, body }, secrets);

/** Deliveries, and whether a library must accept them. */
const cases: [title: string, expected: boolean, delivery: Delivery][] = [
  ['a delivery', true, { secret: `${current}`, headers: signed([`${current}`]), body }],
  [
    'with the old secret during a rotation',
    true,
    { secret: `${old}`, headers: signed([`${old}`, `${current}`]), body },
  ],
  [
    'with the new secret during a rotation',
    true,
    { secret: `${current}`, headers: signed([`${old}`, `${current}`]), body },
  ],
  ['with another secret', false, { secret: `${other}`, headers: signed([`${current}`]), body }],
  [
    'with a changed body',
    false,
    { secret: `${current}`, headers: signed([`${current}`]), body: body.replace('1', '2') },
  ],
  [
    'an hour old',
    false,
    {
      secret: `${current}`,
      headers: signed([`${current}`], new Date(Date.now() - 60 * 60_000)),
      body,
    },
  ],
];

const acceptsInNode = ({ secret, headers, body }: Delivery): boolean => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

const acceptsInPython = (deliveries: readonly Delivery[]): boolean[] => {
  const programs = installPythonPackages(join(cacheFolder, library.replace('==', '-')), [library]);
  const driver = fileURLToPath(new URL('drivers/verify-webhooks.py', import.meta.url));
  const input = JSON.stringify(deliveries);
  const { stdout } = spawnSync(join(programs, 'python'), [driver], { input, encoding: 'utf8' });
  return JSON.parse(stdout);
};

const report = (name: string, accepted: readonly boolean[]): Outcome => {
  const wrong = cases.filter(([, expected], place) => accepted[place] !== expected);
  for (const [title] of wrong) console.error(`${name}: FAILED: ${title}`);
  console.log(`${name}: agrees on ${cases.length - wrong.length} of ${cases.length} deliveries.`);
  return wrong.length > 0 ? 'failed' : 'passed';
};

export const verifyWebhooks = (): Outcome[] => {
  const deliveries = cases.map(([, , delivery]) => delivery);
  const inNode = report('standardwebhooks of npm', deliveries.map(acceptsInNode));
  if (!hasPython()) {
    console.log(`standardwebhooks of PyPI: left out. ${howToGetPython}`);
    return [inNode, 'left out'];
  }
  return [inNode, report('standardwebhooks of PyPI', acceptsInPython(deliveries))];
};
