// The layout of the sandbox's pages: HTML without scripts or external resources.

import { createHash } from 'node:crypto';

/** Text that is HTML. Templates escape all other text. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const htmlText = (value: string | Html | Html[]): string => {
  if (typeof value === 'string') return escapeHtml(value);
  return [value]
    .flat()
    .map(({ text }) => text)
    .join('');
};

export const html = (texts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html =>
  new Html(String.raw({ raw: texts }, ...values.map(htmlText)));

const style = `
  :root { color-scheme: light dark; --edge: light-dark(#767676, #8e918f);
    --accent: light-dark(#0b57d0, #a8c7fa); --on-accent: light-dark(#ffffff, #062e6f) }
  * { box-sizing: border-box }
  html { background: light-dark(#ffffff, #1b1c1d); color: light-dark(#1b1c1d, #e8eaed) }
  body { margin: 0 auto; max-width: 40rem; padding: 1.5rem 1rem 4rem;
    font: 1.0625rem/1.5 system-ui, sans-serif; overflow-wrap: break-word }
  h1 { line-height: 1.2 }
  .note { border: 1px solid var(--edge); border-radius: .5rem; padding: .5rem .75rem }
  fieldset { border: 1px solid var(--edge); border-radius: .5rem; margin: 1.25rem 0;
    padding: .5rem 1rem 1rem; min-width: 0 }
  legend { font-weight: 600; padding: 0 .4rem }
  .choice { display: flex; gap: .75rem; align-items: center; min-height: 2.75rem;
    padding: .4rem 0; line-height: 1.3 }
  .choice input { width: 1.25rem; height: 1.25rem; flex: none; accent-color: var(--accent) }
  label { display: block }
  select { font: inherit; width: 100%; min-height: 2.75rem; margin-top: .25rem }
  .actions { display: flex; flex-wrap: wrap; gap: .75rem }
  button { font: inherit; font-weight: 600; flex: 1 1 10rem; min-height: 3rem; cursor: pointer;
    border: 2px solid var(--accent); border-radius: .5rem; padding: 0 1rem;
    background: transparent; color: var(--accent) }
  button.first { background: var(--accent); color: var(--on-accent) }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
`;

/**
 * The pages' Content-Security-Policy. It has no form-action, because browsers apply that to each
 * redirect after a form, and only the client knows the address after the consent.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const reloadEvery = (seconds: number): Html =>
  new Html(`<meta http-equiv="refresh" content="${seconds}">`);

export const page = (
  title: string,
  content: Html,
  { reloadSeconds }: { reloadSeconds?: number } = {},
): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${reloadSeconds === undefined ? '' : reloadEvery(reloadSeconds)}
<title>${title} - Sandbox accounting platform</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
