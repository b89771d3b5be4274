// Reads JSON from outside.

/** `undefined` if the text is not JSON. */
export const readJson = (text = ''): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
