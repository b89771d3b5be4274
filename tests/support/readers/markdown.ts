// What tests read in Markdown: its anchors and its code.

/** The anchors, as GitHub derives them: from headings, and from `<a id="...">`. */
export const anchorsOf = (markdown: string): string[] => {
  const headings = [...markdown.matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(' ', '-'),
  );
  const explicit = [...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return [...headings, ...explicit];
};

/** The shell commands of a section, in order. */
export const shellBlocksOf = (introduction: string, section: string): string[] => {
  const [, text = ''] = introduction.split(`\n## ${section}\n`);
  const [own = ''] = text.split(/^## /m);
  return [...own.matchAll(/^```sh\n(.+?)^```/gms)].map(([, block = '']) => block);
};

const blockOrSpan = /^ *```\w*\n([\s\S]+?)^ *```$|`([^`]+)`/gm;

/** The code in its order: each line of a block, and each span on one line. */
export const codeIn = (markdown: string): string[] =>
  [...markdown.matchAll(blockOrSpan)]
    .flatMap(([, block, span = '']) => block?.replace(/\\\n/g, '').split('\n') ?? [span])
    .map((code) => code.replace(/\s+/g, ' ').trim());
