// Texts that come from outside, made to fit.

/** The first characters of a text, whole ones, which a cut in UTF-16 could split. */
export const truncate = (longest: number, text: string): string =>
  text.length <= longest ? text : [...text].slice(0, longest).join('');
