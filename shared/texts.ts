// Rules for texts from outside: which characters are allowed, and how imported texts are cleaned.
//
// Texts that look the same must be the same, or people confuse them. So every text is normalized to
// NFC on input, and ids and names have no invisible characters. The three kinds of text:
//
//   ids and codes   no invisible characters
//   names           joiners if the script or an emoji needs them, and variation selectors
//   free text       everything except controls that change the text direction

/** Truncates without splitting a character, as a cut in UTF-16 units could. */
export const truncate = (longest: number, text: string): string =>
  text.length <= longest ? text : [...text].slice(0, longest).join('');

/** Embeddings, overrides and isolates (UAX #9). They reorder the text that follows. */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/;

const invisible = /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Joiners (U+200C, U+200D) are allowed only after characters that need them. Persian and Indic
 * scripts join and separate letters with them, and emoji contain them. Between Latin letters they
 * only create a second name that looks the same.
 */
const joiners = '[\\u200c\\u200d]';
const needsJoiner =
  '[[\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}]--' +
  '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Inherited}]]|\\ufe0f';
const invisibleInName = new RegExp(
  '[[\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}]--' +
    `[\\p{Variation_Selector}${joiners}]]|(?<!${needsJoiner})${joiners}`,
  'v',
);

const forbidden = { id: invisible, name: invisibleInName, free: directionControls };

export type TextKind = keyof typeof forbidden;

/** Whether an NFC text has invisible characters that its kind does not allow. */
export const hasInvisible = (kind: TextKind, text: string): boolean => forbidden[kind].test(text);

const everywhere = ({ source, flags }: RegExp): RegExp => new RegExp(source, `${flags}g`);
const unwanted = {
  id: everywhere(invisible),
  name: everywhere(invisibleInName),
  free: everywhere(directionControls),
};

/** C0 and C1 controls and DEL. Free text can contain the line controls. */
const controls = /\p{Cc}/gu;
const lineControls = /[\t\n\r]/;

/**
 * Removes the characters that requests cannot contain, and surrounding blanks. An import must not
 * fail because of a text that someone once typed on the platform.
 */
export const cleaned = (kind: TextKind, text: string): string => {
  const once = text
    .normalize('NFC')
    .replaceAll(unwanted[kind], '')
    .replaceAll(controls, (it) => (kind === 'free' && lineControls.test(it) ? it : ' '))
    .trim();
  // Characters that are now adjacent may compose or reorder, so normalize again.
  return once === text ? text : cleaned(kind, once);
};
