// What the service on this machine tells whoever started it.

import { fullDiskSentence, tryToWrite } from './disk-space.ts';
import type { RequestLine } from './stand-ins/gateway.ts';

export type Reporter = {
  request: (line: RequestLine) => void;
  /** Something went wrong behind the scenes; the service goes on. */
  fault: (text: string, fault: unknown) => void;
  /** Something to know that is no fault. */
  note: (text: string) => void;
};

const quietMilliseconds = 10_000;

/**
 * Reports as before, and says in plain words that the disk is full if something fails while it is:
 * the database only answers that it failed. Says it once in ten seconds at most.
 */
export const reportFullDisk = (reporter: Reporter, folder: string): Reporter => {
  let quietUntil = 0;
  const look = (): void => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + quietMilliseconds;
    tryToWrite(folder).catch((error: unknown) => {
      const sentence = fullDiskSentence(folder, error);
      if (sentence !== undefined) reporter.note(sentence);
    });
  };
  return {
    ...reporter,
    request: (line) => {
      reporter.request(line);
      if (line.status >= 500) look();
    },
    fault: (text, fault) => {
      reporter.fault(text, fault);
      look();
    },
  };
};
