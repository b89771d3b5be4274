// What the committed reference says in place of what differs from one service to the next.

/** The address of `npm start`, unless it is told another port. */
export const documentedServer = 'http://localhost:3000';

/** Stands for the application's key; the service on this machine puts its demo key there. */
export const apiKeyPlaceholder = '<API_KEY>';
