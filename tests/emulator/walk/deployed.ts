// The deployed stage, for the rest of the walk.

export type Deployed = {
  /** As `callApi` takes it: the API by way of LocalStack's address, and the application's key. */
  api: { base_url: string; api_key: string };
  /** Where platforms send browsers back to. */
  callbackUrl: string;
  applicationId: string;
};

/** Where browsers end up, as the reference shows it. The application has registered it. */
export const redirectUrl = 'https://app.example.com/connected';
