// The type of the files that make up the local pages.

/** A file at a path. `contentSecurityPolicy` is the policy of the page that loads it. */
export type Resource = {
  contentType: string;
  body: string | Buffer;
  contentSecurityPolicy: string;
  encoding?: 'gzip';
};
