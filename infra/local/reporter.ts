// The messages of the local service on the terminal.

import { fullDiskSentence, tryToWrite } from './disk-space.ts';
import type { RequestLine } from './stand-ins/gateway.ts';

export type Reporter = {
  request: (line: RequestLine) => void;
  /** Background work failed. The service continues. */
  fault: (text: string, fault: unknown) => void;
  /** A message that is not an error. */
  note: (text: string) => void;
};

const quietMilliseconds = 10_000;

/**
 * Adds a message about a full disk, because the database's own error does not mention it. The
 * message appears at most once in ten seconds.
 */
export const reportFullDisk = (reporter: Reporter, folder: string): Reporter => {
  let quietUntil = 0;
  const checkDisk = (): void => {
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
      if (line.status >= 500) checkDisk();
    },
    fault: (text, fault) => {
      reporter.fault(text, fault);
      checkDisk();
    },
  };
};
