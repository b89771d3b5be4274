// Standard output and Ctrl-C, for commands that take long or write much.

import { CommandFailure } from './errors.ts';

/** Writes to standard output, and waits until it has gone. @throws CommandFailure */
export const writeOutput = async (text: string): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<Error | null | undefined>();
  // Where a pipe is closed, the stream also says so by an event that nobody else listens to.
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => {});
  process.stdout.write(text, resolve);
  const error = await promise;
  if (error) throw new CommandFailure('the output was not read to its end', { cause: error });
};

/** From now on the first Ctrl-C asks the command to stop, and the second ends it. */
export const watchInterrupt = (): (() => boolean) => {
  let isInterrupted = false;
  process.once('SIGINT', () => {
    isInterrupted = true;
  });
  return () => isInterrupted;
};
