// The operator's terminal: prompts, standard output, and Ctrl-C for long commands.

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandFailure } from './errors.ts';

/** Waits until the text is written. @throws CommandFailure if the reader has closed the pipe */
export const writeOutput = async (output: string): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<Error | null | undefined>();
  // A closed pipe also emits an error event. Without a listener it would end the process.
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => {});
  process.stdout.write(output, resolve);
  const error = await promise;
  if (error) throw new CommandFailure('the output was closed before its end', { cause: error });
};

/**
 * Catches the first Ctrl-C, so that the command can stop cleanly. A second one ends the process.
 * @returns a function that reports whether Ctrl-C was pressed
 */
export const watchInterrupt = (): (() => boolean) => {
  let isInterrupted = false;
  process.once('SIGINT', () => {
    isInterrupted = true;
  });
  return () => isInterrupted;
};

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
