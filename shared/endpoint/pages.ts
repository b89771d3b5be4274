// The pages that a browser is shown by itself: HTML without scripts or anything from elsewhere.

import { createHash } from 'node:crypto';

/** One of several that a person chooses between. */
export type Choice = { value: string; label: string; note: string };

/** A question with one answer, sent to the page's own path, or taken back. */
export type Form = {
  /** What is sent with the answer as it is. */
  hidden: Readonly<Record<string, string>>;
  legend: string;
  /** The field that has the value of the choice. */
  field: string;
  choices: readonly Choice[];
  submit: string;
  cancel: string;
  /** Where the reply to the answer sends the browser, if it is known already. */
  leadsTo: string | null;
};

export type PageContent = { title: string; text: string; form?: Form };

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const hiddenField = ([name, value]: [string, string]): string =>
  `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`;

const choiceOf = (field: string, { value, label, note }: Choice): string =>
  `<label><input type="radio" name="${escapeHtml(field)}" value="${escapeHtml(value)}" required>
<span>${escapeHtml(label)}<br><small>${escapeHtml(note)}</small></span></label>`;

/** `decision` is `submit` or `cancel`, by the button that was pressed. */
const formOf = (
  form: Form,
  path: string,
): string => `<form method="post" action="${escapeHtml(path)}">
${Object.entries(form.hidden).map(hiddenField).join('\n')}
<fieldset><legend>${escapeHtml(form.legend)}</legend>
${form.choices.map((choice) => choiceOf(form.field, choice)).join('\n')}
</fieldset>
<div><button name="decision" value="submit">${escapeHtml(form.submit)}</button>
<button name="decision" value="cancel" formnovalidate>${escapeHtml(form.cancel)}</button></div>
</form>`;

const style = `
  :root { color-scheme: light dark }
  body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 34rem; overflow-wrap: break-word }
  body { margin: 20vh auto; padding: 0 1.5rem }
  fieldset { border: 1px solid; border-radius: .5rem; margin: 1rem 0; min-width: 0 }
  label { display: flex; gap: .75rem; align-items: center; min-height: 3rem; padding: .25rem 0 }
  label input { width: 1.25rem; height: 1.25rem; flex: none }
  label span { min-width: 0; line-height: 1.3 }
  div { display: flex; flex-wrap: wrap; gap: .75rem }
  button { font: inherit; flex: 1 1 10rem; min-height: 3rem; cursor: pointer }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** @param path that of the page, which is all of its address that a form is sent to */
export const pageOf = ({ title, text, form }: PageContent, path: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>
${form ? formOf(form, path) : ''}</main>
</html>
`;

/**
 * Chromium holds every redirect that follows a form to `form-action` too, those of the application
 * that it leads to included: with `'self'` alone a browser would stop there, on a page that says
 * nothing (github.com/w3c/webappsec-csp/issues/8). So it may go on to any address with TLS, and
 * without it where the application itself is on this machine.
 */
const formActionOf = ({ leadsTo }: Form): string => {
  if (leadsTo === null) return "'self'";
  return /^https:/i.test(leadsTo) ? "'self' https:" : "'self' https: http:";
};

/** Nothing is loaded or run, and no other page may show this one (clickjacking). */
export const contentSecurityPolicyOf = ({ form }: Pick<PageContent, 'form'>): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${form ? formActionOf(form) : "'none'"}`,
  ].join('; ');
