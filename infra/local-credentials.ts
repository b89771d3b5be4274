// The credentials of the parts on this machine. They take any, but keep data by region and key.

export const localRegion = 'eu-west-1';
export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };
