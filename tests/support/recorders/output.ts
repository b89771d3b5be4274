// Captures the output of some work, as CloudWatch gets it.

import { secrets } from './secrets-collector.ts';

export type OutputLine = Record<string, unknown>;

/** Runs the work, and returns the JSON lines that it wrote; nothing of them is printed. */
export const linesOf = async (work: () => Promise<unknown>): Promise<OutputLine[]> => {
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write);
  let text = '';
  for (const stream of streams) {
    stream.write = (chunk: string | Uint8Array): boolean => {
      text += chunk.toString();
      return true;
    };
  }
  try {
    await work();
  } finally {
    streams.forEach((stream, index) => {
      stream.write = writes[index] as typeof stream.write;
    });
  }
  secrets.keep('the output of a piece of work', text);
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as OutputLine);
};
