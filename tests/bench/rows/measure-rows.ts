// The rows, through `npm start`: this checkout, or blocks that alternate between this one and
// another, because the throughput of shared machines changes within minutes.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  definePart,
  medianOf,
  type PartOptions,
  type Ratio,
  type Report,
  type Spread,
  show,
  spreadOf,
  withExtremes,
} from '../part.ts';
import type { ProcessorTimes } from '../processor-times.ts';
import { profileText, type Span } from './profile.ts';
import { type Client, type RowService, type Sample, startRowService } from './row-service.ts';
import { rows as allRows, type Row } from './rows.ts';

type RowResult = {
  row: string;
  checkout: string;
  /** Entries or reads. Medians of the blocks. */
  perSecond: number;
  latency: Spread;
  refused: number;
  /** Per 1,000 entries or reads. */
  processorMilliseconds: ProcessorTimes;
  /** The rate over that of the other checkout, in pairs of blocks; only for this checkout. */
  overOther?: Ratio;
};

type Side = {
  checkout: string;
  service: RowService;
  profileFolder: string | undefined;
  /** When its blocks were measured. */
  spans: Span[];
};
type Block = Sample & { perSecond: number; spent: ProcessorTimes };

const timesOf = ({ seconds, blocks }: { seconds: number; blocks: number }, quick: boolean) =>
  quick ? { seconds: 1, blocks: 1 } : { seconds, blocks };

const measureBlock = async (
  { service, spans }: Side,
  clients: readonly Client[],
  limit: { seconds: number } | { count: number },
): Promise<Block> => {
  const from = process.hrtime.bigint();
  const before = service.processorTimes();
  const startedAt = performance.now();
  const sample = await service.run(clients, limit);
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = service.processorTimes();
  spans.push({ from, to: process.hrtime.bigint() });
  const spent = { service: after.service - before.service, engine: after.engine - before.engine };
  return { ...sample, perSecond: sample.done / seconds, spent };
};

const sumOf = <It>(all: readonly It[], pick: (it: It) => number): number =>
  all.reduce((sum, it) => sum + pick(it), 0);

const resultOf = (row: Row, { checkout }: Side, blocks: readonly Block[]): RowResult => {
  const done = sumOf(blocks, (it) => it.done);
  const perThousand = (pick: (spent: ProcessorTimes) => number): number =>
    (sumOf(blocks, ({ spent }) => pick(spent)) / done) * 1_000;
  return {
    row: row.title,
    checkout,
    perSecond: medianOf(blocks.map((it) => it.perSecond)),
    latency: spreadOf(blocks.flatMap((it) => it.latencies)),
    refused: sumOf(blocks, (it) => it.refused),
    processorMilliseconds: {
      service: perThousand((spent) => spent.service),
      engine: perThousand((spent) => spent.engine),
    },
  };
};

/** Measures a row on each side, in alternating blocks. The side that begins changes as well. */
const measureRow = async (
  row: Row,
  sides: readonly Side[],
  { quick }: { quick: boolean },
): Promise<RowResult[]> => {
  const { seconds, blocks: count } = timesOf({ seconds: 3, blocks: 5 }, quick);
  const measured: { side: Side; clients: Client[]; blocks: Block[] }[] = [];
  for (const side of sides) {
    const clients = await row.prepare(side.service, { quick });
    if (!row.entries) await side.service.run(clients, { seconds: 1 });
    measured.push({ side, clients, blocks: [] });
  }
  const limit = row.entries
    ? { count: Math.ceil(row.entries / (quick ? 20 : count)) }
    : { seconds };
  for (let block = 0; block < count; block += 1) {
    for (const it of block % 2 ? measured.toReversed() : measured) {
      it.blocks.push(await measureBlock(it.side, it.clients, limit));
    }
  }
  const results = measured.map(({ side, blocks }) => resultOf(row, side, blocks));
  const [own, other] = measured;
  const [result, otherResult] = results;
  if (own && other && result && otherResult) {
    const ratios = own.blocks.map(
      ({ perSecond }, block) => perSecond / (other.blocks[block]?.perSecond ?? Number.NaN),
    );
    result.overOther = withExtremes(medianOf(ratios), ratios);
  }
  return results;
};

const openSides = async ({ against, profile }: PartOptions): Promise<Side[]> => {
  const checkouts = [undefined, ...(against === undefined ? [] : [against])];
  return Promise.all(
    checkouts.map(async (checkout): Promise<Side> => {
      const profileFolder = profile ? await mkdtemp(join(tmpdir(), 'ledger-')) : undefined;
      const service = await startRowService({ checkout, profileFolder });
      return { checkout: checkout ?? 'this', service, profileFolder, spans: [] };
    }),
  );
};

/** Ends the services, and prints what their processors did in the measured blocks. */
const closeSides = async (sides: readonly Side[], report: Report): Promise<void> => {
  for (const { checkout, service, profileFolder, spans } of sides) {
    await service.stop();
    if (profileFolder === undefined) continue;
    report(`profile of ${checkout}:\n${await profileText(profileFolder, spans)}`);
    await rm(profileFolder, { recursive: true });
  }
};

export const rows = definePart<RowResult>({
  title: 'Rows',
  columns: {
    row: (it) => it.row,
    checkout: (it) => it.checkout,
    'per second': (it) => it.perSecond.toFixed(0),
    latency: (it) => show.spread(it.latency),
    refused: (it) => it.refused,
    'processor ms per 1,000: service': (it) => it.processorMilliseconds.service.toFixed(0),
    engine: (it) => it.processorMilliseconds.engine.toFixed(0),
    'this / other': (it) => (it.overOther ? show.extremes(it.overOther) : '-'),
  },
  targets: () => [],
  measure: async (options) => {
    const { report, rows: names } = options;
    const sides = await openSides(options);
    const results: RowResult[] = [];
    for (const [name, row] of Object.entries(allRows)) {
      if (names.length > 0 && !names.includes(name)) continue;
      for (const result of await measureRow(row, sides, options)) {
        results.push(result);
        const { checkout, perSecond, processorMilliseconds } = result;
        const [service, engine] = Object.values(processorMilliseconds).map((it) => it.toFixed(0));
        report(
          `${name}, ${checkout}: ${perSecond.toFixed(0)} per second, ` +
            `service ${service} and engine ${engine} ms of processor per 1,000`,
        );
      }
    }
    await closeSides(sides, report);
    return results;
  },
});
