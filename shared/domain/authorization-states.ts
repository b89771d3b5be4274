// The state of an authorization: what ties a callback to the request that it answers.

/** 256 random bits as base64url, far beyond what RFC 6749 section 10.10 asks for. */
export const newState = (random: (bytes: number) => Buffer): string =>
  random(32).toString('base64url');

/** Whether a text has the form of a state, so that nothing else is looked for. */
export const isState = (text: string): boolean => /^[\w-]{43}$/.test(text);
