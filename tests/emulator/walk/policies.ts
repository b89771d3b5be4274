// Holds every call of AWS that a function made in the walk against what the function may do: its
// row of the manifest, and the statements of its role as they were deployed.

import assert from 'node:assert/strict';
import type { FunctionRow } from '#infra/manifest/function-row.ts';
import { type FunctionName, functions } from '#infra/manifest/manifest.ts';
import { functionNameOf, tableNameOf } from '#infra/manifest/names.ts';
import { type PartitionKind, partitionPatterns } from '#shared/table/partitions.ts';
import { accessesOf } from '../accesses.ts';
import type { Emulator } from '../emulator.ts';
import { type Access, isAllowed, matches } from '../policies.ts';
import type { Report } from '../report.ts';

const writingActions = new Set(['DeleteItem', 'PutItem', 'UpdateItem']);
const tablePrefix = 'dynamodb:';

const actionOf = ({ action }: Access): string => action.slice(tablePrefix.length);
const isOfIndex = ({ resource }: Access): boolean => resource.includes('/index/');

/** The partitions that a row grants for an access to the table. */
const kindsFor = (
  { reads, writes, queriesDue = [] }: FunctionRow,
  access: Access,
): PartitionKind[] => {
  if (isOfIndex(access)) return [...queriesDue];
  return [...(writingActions.has(actionOf(access)) ? writes : reads)];
};

const rowAllows = (row: FunctionRow, access: Access): boolean => {
  const kinds = kindsFor(row, access);
  const action = actionOf(access);
  const hasAction = isOfIndex(access)
    ? action === 'Query'
    : row.table.some((granted) => granted === action);
  const keys = access.context['dynamodb:LeadingKeys'] ?? [];
  const isWithin = (key: string): boolean =>
    kinds.some((kind) => matches(partitionPatterns[kind], key));
  return hasAction && keys.length > 0 && keys.every(isWithin);
};

const wordsOf = ({ action, resource, context }: Access): string =>
  [action, resource.split(':').at(-1), ...Object.values(context).flat()].join(' ');

const names = Object.keys(functions) as FunctionName[];

/** What each function asked of AWS, each access once. */
const readAccesses = async ({ awsCalls, aws, stage }: Emulator) => {
  const place = { region: aws.region, secretArns: await aws.secretArns() };
  const byFunction = Map.groupBy(awsCalls.calls, ({ functionName }) => functionName);
  return new Map(
    names.map((name) => {
      const calls = byFunction.get(functionNameOf(stage, name)) ?? [];
      const accesses = calls.flatMap((call) => accessesOf(call, place));
      return [name, [...new Map(accesses.map((it) => [wordsOf(it), it])).values()]] as const;
    }),
  );
};

type Accesses = Awaited<ReturnType<typeof readAccesses>>;

const checkManifest = (accesses: Accesses): void => {
  const beyond = [...accesses].flatMap(([name, all]) =>
    all
      .filter((access) => access.action.startsWith(tablePrefix))
      .filter((access) => !rowAllows(functions[name], access))
      .map((access) => `${name}: ${wordsOf(access)}`),
  );
  assert.deepEqual(beyond, []);
};

/** The name of the table; nothing where something else was asked for. */
const tableOf = ({ resource }: Access): string | undefined =>
  resource.split(':table/')[1]?.split('/')[0];

/** Holds what was asked of the table that the stage is bound to against the roles of now. */
export const checkRoles = async (emulator: Emulator, table: string): Promise<void> => {
  const { aws, stage } = emulator;
  const denied: string[] = [];
  for (const [name, all] of await readAccesses(emulator)) {
    const statements = await aws.statementsOf(functionNameOf(stage, name));
    for (const access of all.filter((it) => (tableOf(it) ?? table) === table)) {
      if (!isAllowed(statements, access)) denied.push(`${name}: ${wordsOf(access)}`);
    }
  }
  assert.deepEqual(denied, []);
};

/** Actions on the table that are granted and that the walk did not come to: no fault. */
const noteUnused = (accesses: Accesses, report: Report): void => {
  const unused = [...accesses].flatMap(([name, all]) => {
    const used = new Set(all.map(({ action }) => action));
    const { table }: FunctionRow = functions[name];
    const left = table.filter((action) => !used.has(`${tablePrefix}${action}`));
    return left.length > 0 ? [`${name} ${left.join(', ')}`] : [];
  });
  report.note(`granted, and not used by this walk: ${unused.join('; ') || 'nothing'}`);
};

/** A role that reads only must not be found to allow what another function writes. */
const checkDenial = async ({ aws, stage }: Emulator, accesses: Accesses): Promise<void> => {
  const statements = await aws.statementsOf(functionNameOf(stage, 'get-user-profile'));
  const others = accesses.get('ensure-user') ?? [];
  const writes = others.filter((access) => writingActions.has(actionOf(access)));
  assert.equal(writes.length > 0 && !writes.some((it) => isAllowed(statements, it)), true);
};

export const walkPolicies = async (emulator: Emulator, report: Report): Promise<void> => {
  const { lambdaHost, outside, awsCalls, stage } = emulator;
  report.heading('What the functions did');
  await report.check('every function of the manifest has run', async () => {
    const idle = names.filter((name) => !lambdaHost.events.has(functionNameOf(stage, name)));
    assert.deepEqual(idle, []);
  });
  const accesses = await report.step('their calls of AWS can be read', () =>
    readAccesses(emulator),
  );
  await report.check('every call of the table is within the row of the manifest', async () => {
    const count = awsCalls.calls.filter(({ service }) => service === 'dynamodb').length;
    report.note(`${count} calls of the table, ${awsCalls.calls.length} of AWS`);
    checkManifest(accesses);
    noteUnused(accesses, report);
  });
  await report.check('every call of AWS is allowed by the role that was deployed', () =>
    checkRoles(emulator, tableNameOf(stage)),
  );
  await report.check('and would not be by the role of another function', () =>
    checkDenial(emulator, accesses),
  );
  await report.check('nobody was called but platforms and the bank', async () => {
    report.note([...outside.hosts].map(([host, count]) => `${host} ${count}`).join(', '));
    assert.deepEqual(outside.strangers, []);
  });
};
