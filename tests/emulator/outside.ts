// Loaded before the code of every function and of an operator's commands. Sends calls for other
// hosts to the stand-in for the world outside, at the path /<host>/<path>.

import dns from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

const { EMULATOR_OUTSIDE: outside = '' } = process.env;
const callHost = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (url.hostname === '127.0.0.1') return callHost(input, init);
  return callHost(`${outside}/${url.host}${url.pathname}${url.search}`, init);
};

// Deliveries to webhooks go to a public address, which the host of the URL has.
const anyPublic = [{ address: '8.8.8.8', family: 4 }];
const callAddress = https.request as (options: https.RequestOptions) => http.ClientRequest;
const deliver = (options: https.RequestOptions, reply: () => void): http.ClientRequest => {
  const { host, servername, path, agent: _agent, ...others } = options;
  if (host !== anyPublic[0]?.address) return callAddress(options);
  return http.request(`${outside}/${servername}${path}`, others, reply);
};
Object.assign(dns, { lookup: async () => anyPublic });
Object.assign(https, { request: deliver });
syncBuiltinESMExports();
