// The requests that a section of the reference's introduction shows.

/** The shell commands in order. */
export const shellBlocksOf = (introduction: string, section: string): string[] => {
  const [, text = ''] = introduction.split(`\n## ${section}\n`);
  const [own = ''] = text.split(/^## /m);
  return [...own.matchAll(/^```sh\n(.+?)^```/gms)].map(([, block = '']) => block);
};
