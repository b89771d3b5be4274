// Loaded into every function before its code: a call of another host goes to the stand-in for the
// world outside, by the path /<host>/<path>. The function and its settings know nothing of it.

const { EMULATOR_OUTSIDE: outside = '' } = process.env;
const callHost = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (url.hostname === '127.0.0.1') return callHost(input, init);
  return callHost(`${outside}/${url.host}${url.pathname}${url.search}`, init);
};
