// What every part that is started has, so that nothing of it stays behind.

/** `kill` is for an end of the whole process, which cannot wait. */
export type Stoppable = { stop: () => Promise<void>; kill?: () => void };
