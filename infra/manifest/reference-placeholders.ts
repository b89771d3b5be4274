// Placeholders in the committed reference for values that differ between services.

/** The address of `npm start` with the default port. */
export const documentedServer = 'http://localhost:3000';

/** A placeholder for the API key. The local service replaces it with its demo key. */
export const apiKeyPlaceholder = '<API_KEY>';
