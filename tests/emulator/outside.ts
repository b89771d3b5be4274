// Loaded before the code of every function and of an operator's commands. Sends calls for other
// hosts to the stand-in for the world outside, at the path /<host>/<path>.

const { EMULATOR_OUTSIDE: outside = '' } = process.env;
const callHost = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (url.hostname === '127.0.0.1') return callHost(input, init);
  return callHost(`${outside}/${url.host}${url.pathname}${url.search}`, init);
};
