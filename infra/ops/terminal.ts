// Standard output and Ctrl-C for long commands.

import { CommandFailure } from './errors.ts';

/** Waits until the text is written. @throws CommandFailure if the reader has closed the pipe */
export const writeOutput = async (text: string): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<Error | null | undefined>();
  // A closed pipe also emits an error event. Without a listener it would end the process.
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => {});
  process.stdout.write(text, resolve);
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
