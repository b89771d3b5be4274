// The AWS credentials on this machine. DynamoDB engines accept any, but separate data by region and
// access key. The stand-in for Secrets Manager accepts only the secret key of the running service,
// which is in local.json.

export const localRegion = 'eu-west-1';
export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };
