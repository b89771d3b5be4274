// The credentials of the parts on this machine. An engine takes any, but keeps data by region and
// access key. Secrets Manager's stand-in takes requests that are signed with a secret key of the
// running service only, which stands in its data folder.

export const localRegion = 'eu-west-1';
export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };
