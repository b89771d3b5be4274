// HTML pages for browsers, without scripts and external resources.

import { createHash } from 'node:crypto';

/** One option of a form. */
type Choice = { value: string; label: string; note: string };

/** A form with one question. The browser submits it to the page's own path. */
export type Form = {
  /** Hidden fields. */
  hidden: Readonly<Record<string, string>>;
  legend: string;
  /** The name of the field for the selected value. */
  field: string;
  choices: readonly Choice[];
  submit: string;
  cancel: string;
  /** The URL to which the reply redirects, if it is already known. */
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

/** `decision` is `submit` or `cancel`, depending on the button. */
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

/** @param path the page's own path, to which the form is submitted */
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
 * Chromium also applies `form-action` to the redirects after a form, up to the application's page.
 * With `'self'` alone, the browser would show an empty page
 * (github.com/w3c/webappsec-csp/issues/8). So the policy allows every https URL, and http only if
 * the application's URL is http, on this machine.
 */
const formActionOf = ({ leadsTo }: Form): string => {
  if (leadsTo === null) return "'self'";
  return /^https:/i.test(leadsTo) ? "'self' https:" : "'self' https: http:";
};

/** The page loads and runs nothing, and no other page can frame it (clickjacking). */
export const contentSecurityPolicyOf = ({ form }: Pick<PageContent, 'form'>): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${form ? formActionOf(form) : "'none'"}`,
  ].join('; ');
