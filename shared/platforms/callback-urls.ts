// The URL to which a platform redirects after consent. Each platform has its own URL, because a
// reply of one platform must never be taken for another's (RFC 9700 section 4.4.2.2).

/** @param platform the platform's public name */
export const callbackUrl = ({ baseUrl, platform }: { baseUrl: string; platform: string }): string =>
  new URL(`/oauth/${platform}/callback`, baseUrl).href;

/** The platform's public name in a callback path. `undefined` for any other path. */
export const platformInPath = (path: string): string | undefined =>
  /^\/oauth\/([a-z0-9_]+)\/callback$/.exec(path)?.[1];
