// What the pages of this machine are made of.

/** What is served at a path. `contentSecurityPolicy` is of the page that loads it. */
export type Resource = {
  contentType: string;
  body: string | Buffer;
  contentSecurityPolicy: string;
  encoding?: 'gzip';
};
