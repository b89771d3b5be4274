// The functions and packages in which a service spends its processor time, from the profile that
// Node writes with --cpu-prof.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

type CallFrame = { functionName: string; url: string; lineNumber: number };

/** V8's profile. Times are microseconds of the clock that process.hrtime reads. */
type Profile = {
  nodes: { id: number; callFrame: CallFrame }[];
  startTime: number;
  samples: number[];
  timeDeltas: number[];
};

/** A time that process.hrtime.bigint measured. */
export type Span = { from: bigint; to: bigint };

/** The rows of a list. */
const longest = 15;

const isIdle = ({ functionName }: CallFrame): boolean =>
  functionName === '(idle)' || functionName === '(program)';

/** The package of a file, `node`, or a folder of the project. */
const packageOf = ({ url, functionName }: CallFrame): string => {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native code of V8 and Node';
  if (url.startsWith('node:')) return 'node';
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  return name ?? /\/(shared|functions|infra)\//.exec(url)?.[1] ?? url;
};

const functionOf = (frame: CallFrame): string => {
  const { functionName, url, lineNumber } = frame;
  const [file = ''] = /[^/]+\/[^/]+$/.exec(url) ?? [url];
  const place = url === '' ? '' : `  ${packageOf(frame)}: ${file}:${lineNumber + 1}`;
  return `${functionName || '(anonymous)'}${place}`;
};

const topOf = (
  times: readonly (readonly [CallFrame, number])[],
  nameOf: (frame: CallFrame) => string,
): string => {
  const totals = new Map<string, number>();
  for (const [frame, microseconds] of times) {
    const name = nameOf(frame);
    totals.set(name, (totals.get(name) ?? 0) + microseconds);
  }
  const all = times.reduce((sum, [, microseconds]) => sum + microseconds, 0);
  return [...totals]
    .sort(([, one], [, other]) => other - one)
    .slice(0, longest)
    .map(([name, time]) => `${((100 * time) / all).toFixed(1).padStart(6)}%  ${name}`)
    .join('\n');
};

/** The microseconds of a profile's samples within these spans, without idle time. */
export const timesWithin = (
  { nodes, startTime, samples, timeDeltas }: Profile,
  spans: readonly Span[],
): [CallFrame, number][] => {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  let now = startTime;
  return samples.flatMap((id, index): [CallFrame, number][] => {
    const microseconds = timeDeltas[index] ?? 0;
    now += microseconds;
    const at = BigInt(now) * 1_000n;
    const frame = frames.get(id);
    const isMeasured = spans.some(({ from, to }) => at >= from && at <= to);
    return frame && isMeasured && !isIdle(frame) ? [[frame, microseconds]] : [];
  });
};

/** The longest self times by function and by package, of all profiles in a folder. */
export const profileText = async (folder: string, spans: readonly Span[]): Promise<string> => {
  const times: [CallFrame, number][] = [];
  for (const name of await readdir(folder)) {
    const profile: Profile = JSON.parse(await readFile(join(folder, name), 'utf8'));
    for (const time of timesWithin(profile, spans)) times.push(time);
  }
  return [
    'self time by function:',
    topOf(times, functionOf),
    'self time by package:',
    topOf(times, packageOf),
  ].join('\n');
};
