// Texts that come from outside: what may stand in them, and how they are made to fit.
//
// Two texts that look the same must be the same, or a person takes one for the other. So every text
// is brought into Unicode's form NFC where it comes in, and a text by which something is found or
// known has no invisible characters. Three kinds of text differ in what they allow:
//
//   ids and codes   no invisible character at all
//   names           joiners where their script or an emoji needs them, and variation selectors
//   free text       all but the controls that turn the direction of what follows them

/** The first characters of a text, whole ones, which a cut in UTF-16 could split. */
export const truncate = (longest: number, text: string): string =>
  text.length <= longest ? text : [...text].slice(0, longest).join('');

/** Embeddings, overrides and isolates (UAX #9): the text after one is shown in another order. */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/;

const invisible = /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u;

/**
 * What does not show in a name and is not needed there. Persian and the scripts of India join and
 * part letters by joiners (U+200C, U+200D), and emoji are made with them; between Latin letters
 * they only make a second name that looks the same.
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

/** What a text is for: to find or know something by, to name something for people, to be read. */
export type TextKind = keyof typeof forbidden;

/** Whether a text of this kind, in NFC, has a character that would deceive who reads it. */
export const hasInvisible = (kind: TextKind, text: string): boolean => forbidden[kind].test(text);

const everywhere = ({ source, flags }: RegExp): RegExp => new RegExp(source, `${flags}g`);
const unwanted = {
  id: everywhere(invisible),
  name: everywhere(invisibleInName),
  free: everywhere(directionControls),
};

/** C0 and C1 controls and DEL, and those of them that free text may have. */
const controls = /\p{Cc}/gu;
const lineControls = /[\t\n\r]/;

/**
 * A text as a platform has it, made into one that we would take: its import must not fail for what
 * its people once typed. What a caller could not write is left out, and so are blanks around it.
 */
export const cleaned = (kind: TextKind, text: string): string => {
  const once = text
    .normalize('NFC')
    .replaceAll(unwanted[kind], '')
    .replaceAll(controls, (it) => (kind === 'free' && lineControls.test(it) ? it : ' '))
    .trim();
  // What was apart by what is gone may be put together, or in order, by its normalization.
  return once === text ? text : cleaned(kind, once);
};
