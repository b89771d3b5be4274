// How `npm run deploy` tells the synthesis about the deployed service: environment variables.

/** The file with the template of the deployed service stack. */
export const deployedTemplateVariable = 'LEDGER_DEPLOYED_TEMPLATE';

/** `true` if all new versions must start with all calls. */
export const allAtOnceVariable = 'LEDGER_ALL_AT_ONCE';
