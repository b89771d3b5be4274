// Searches for the request to each endpoint that costs the most: it starts from a request, changes
// one field after the other and keeps what costs more, and does so again from random requests.

import type { FunctionRow } from '#infra/manifest/function-row.ts';
import { functions } from '#infra/manifest/manifest.ts';
import { openRandom, type Random } from '../support/builders/random.ts';
import type { HostileTenant } from './hostile-tenant.ts';
import { type EndpointName, endpointNames, type Fields, fieldsOf } from './requests.ts';

/** Which value of each field a request has, by their names. */
type Chosen = Record<string, string>;

type Found = { units: number; chosen: Chosen; status: number };

export type WorstCost = { read: Found; write: Found };

const nothing: Found = { units: -1, chosen: {}, status: 0 };

const firstOf = (fields: Fields): Chosen =>
  Object.fromEntries(
    Object.entries(fields).map(([field, choices]) => [field, Object.keys(choices)[0] ?? '']),
  );

const randomOf = (fields: Fields, random: Random): Chosen =>
  Object.fromEntries(
    Object.entries(fields).map(([field, choices]) => [field, random.pick(Object.keys(choices))]),
  );

const requestOf = async (fields: Fields, chosen: Chosen, method: 'GET' | 'POST') => {
  const values: Record<string, Record<string, unknown>> = { path: {}, header: {}, input: {} };
  for (const [field, choice] of Object.entries(chosen)) {
    const given = fields[field]?.[choice];
    const value = typeof given === 'function' ? await given() : given;
    if (value === undefined) continue;
    const [, place = 'input', name = field] = /^(path|header):(.+)$/.exec(field) ?? [];
    Object.assign(values[place] ?? {}, { [name]: value });
  }
  const { path, header, input } = values;
  return {
    method,
    pathParameters: path as Record<string, string>,
    headers: header as Record<string, string>,
    ...(method === 'GET' ? { query: input as Record<string, string> } : { body: input }),
  };
};

const searchEndpoint = async (
  name: EndpointName,
  tenant: HostileTenant,
  { randomStarts, seed }: { randomStarts: number; seed: number },
): Promise<WorstCost> => {
  const fields = fieldsOf(tenant)[name];
  const { trigger } = functions[name] as FunctionRow;
  if (trigger.kind !== 'api') throw new Error(`${name} is no endpoint`);
  const { method } = trigger;
  const random = openRandom(seed);
  const worst: WorstCost = { read: nothing, write: nothing };
  let isAnswered = false;
  const cost = async (chosen: Chosen): Promise<number> => {
    const { status, units } = await tenant.send(name, await requestOf(fields, chosen, method));
    if (status === 500) throw new Error(`${name} answers 500`);
    isAnswered ||= status === 200;
    for (const kind of ['read', 'write'] as const) {
      if (units[kind] > worst[kind].units) worst[kind] = { units: units[kind], chosen, status };
    }
    return units.read + units.write;
  };
  const starts = [
    firstOf(fields),
    ...Array.from({ length: randomStarts }, () => randomOf(fields, random)),
  ];
  for (let best of starts) {
    let most = await cost(best);
    for (const [field, choices] of Object.entries(fields)) {
      for (const choice of Object.keys(choices)) {
        if (choice === best[field]) continue;
        const changed = { ...best, [field]: choice };
        const units = await cost(changed);
        if (units > most) [best, most] = [changed, units];
      }
    }
  }
  if (!isAnswered) throw new Error(`${name} refuses every request: its fields are wrong`);
  return worst;
};

/** A request in words: the fields that could have other values, without those it leaves out. */
const inWords = ({ chosen, status }: Found, fields: Fields): string => {
  const isChoice = (field: string): boolean => Object.keys(fields[field] ?? {}).length > 1;
  const words = Object.entries(chosen)
    .filter(([field, choice]) => choice !== '' && isChoice(field))
    .map(([field, choice]) => `${field}: ${choice}`);
  return [...words, ...(status === 200 ? [] : [`answered ${status}`])].join('; ');
};

/** The costs of every endpoint as a table in Markdown. */
export const searchWorstCosts = async (
  tenant: HostileTenant,
  options: { randomStarts: number; seed: number },
): Promise<string> => {
  const lines: string[] = [];
  for (const name of endpointNames) {
    const fields = fieldsOf(tenant)[name];
    const { read, write } = await searchEndpoint(name, tenant, options);
    const costs = [
      ...[name, read.units, inWords(read, fields)],
      ...(write.units > 0 ? [write.units, inWords(write, fields)] : [0, '']),
    ];
    lines.push(`| ${costs.join(' | ')} |`);
  }
  return [
    '| endpoint | read units | of this request | write units | of this request |',
    '|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
};
