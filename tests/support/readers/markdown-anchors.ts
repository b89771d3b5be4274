// The anchors of a Markdown text, as GitHub derives them: from headings, and from `<a id="...">`.

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
