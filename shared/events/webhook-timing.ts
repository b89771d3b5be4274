// How long a request to the endpoint of a webhook can take. Its application chooses the endpoint, so
// it chooses this time too, up to these limits.

/** The time to resolve the name of the endpoint. */
export const resolveMilliseconds = 5_000;

/** The time from the connection to the status of the reply. */
export const sendMilliseconds = 15_000;
