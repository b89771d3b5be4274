// What the operator is asked: to confirm a change of production, and for secrets.

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandFailure } from './errors.ts';

/** Asks at the terminal. @throws CommandFailure where there is no answer (Ctrl-C, Ctrl-D) */
const ask = async (question: string, echo: Writable): Promise<string> => {
  const prompt = createInterface({ input: process.stdin, output: echo, terminal: true });
  const { promise: left, reject } = Promise.withResolvers<never>();
  prompt.once('close', () => reject(new CommandFailure('nothing was changed')));
  prompt.once('SIGINT', () => prompt.close());
  try {
    return await Promise.race([prompt.question(question), left]);
  } finally {
    prompt.close();
    left.catch(() => {});
  }
};

/** @throws CommandFailure where the answer is not the name of the stage */
export const confirmChange = async (stage: string): Promise<void> => {
  if (!process.stdin.isTTY) {
    throw new CommandFailure(`this changes ${stage}, and nobody is here to ask: pass --yes`);
  }
  const answer = await ask(`This changes ${stage}. Type its name to go on: `, process.stderr);
  if (answer.trim() !== stage) throw new CommandFailure('nothing was changed');
};

/** A secret from standard input, or from the terminal without being shown. */
export const readSecret = async (question: string): Promise<string> => {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(question);
  const answer = await ask('', nowhere);
  process.stderr.write('\n');
  return answer;
};
