// Where a platform sends the browser back to: one address a platform, as RFC 9700 section 4.4.2.2
// demands, so that the answer of one platform is never taken for another's.

/** The callback of the platform that callers know by this name. */
export const callbackUrl = ({ baseUrl, platform }: { baseUrl: string; platform: string }): string =>
  new URL(`/oauth/${platform}/callback`, baseUrl).href;

/** The platform's name in the path of a callback, or `undefined` where it is no such path. */
export const platformInPath = (path: string): string | undefined =>
  /^\/oauth\/([a-z0-9_]+)\/callback$/.exec(path)?.[1];
