// Prompts for the operator: to confirm a change, and to enter a secret.

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandFailure } from './errors.ts';

/** @throws CommandFailure if the operator cancels (Ctrl-C, Ctrl-D) */
const ask = async (question: string, echo: Writable): Promise<string> => {
  const prompt = createInterface({ input: process.stdin, output: echo, terminal: true });
  const { promise: cancelled, reject } = Promise.withResolvers<never>();
  prompt.once('close', () => reject(new CommandFailure('nothing was changed')));
  prompt.once('SIGINT', () => prompt.close());
  try {
    return await Promise.race([prompt.question(question), cancelled]);
  } finally {
    prompt.close();
    cancelled.catch(() => {});
  }
};

/** @throws CommandFailure if the operator does not type the stage's name */
export const confirmChange = async (stage: string): Promise<void> => {
  if (!process.stdin.isTTY) {
    throw new CommandFailure(`this changes ${stage}; to confirm without a terminal, pass --yes`);
  }
  const answer = await ask(`This changes ${stage}. Type its name to continue: `, process.stderr);
  if (answer.trim() !== stage) throw new CommandFailure('nothing was changed');
};

/** Reads a secret from standard input, or from the terminal without echo. */
export const readSecret = async (question: string): Promise<string> => {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '');
  const noEcho = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(question);
  const answer = await ask('', noEcho);
  process.stderr.write('\n');
  return answer;
};
