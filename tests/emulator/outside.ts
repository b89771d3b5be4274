// Loaded before the code of every function and of an operator's commands: a call of another host
// goes to the stand-in for the world outside, by the path /<host>/<path>. They know nothing of it.

const { EMULATOR_OUTSIDE: outside = '' } = process.env;
const callHost = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (url.hostname === '127.0.0.1') return callHost(input, init);
  return callHost(`${outside}/${url.host}${url.pathname}${url.search}`, init);
};
