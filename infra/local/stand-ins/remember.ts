// Remembers the results of a pure function that the local service calls for every request.

/** The largest number of results. Keys with an email or a minute never repeat after a while. */
const maximumResults = 10_000;

/** Computes the result of each argument once, and again only after many other arguments. */
export const remember = <Argument, Result>(
  compute: (argument: Argument) => Result,
): ((argument: Argument) => Result) => {
  const results = new Map<Argument, Result>();
  return (argument) => {
    const remembered = results.get(argument);
    if (remembered !== undefined) return remembered;
    const result = compute(argument);
    if (results.size >= maximumResults) results.clear();
    results.set(argument, result);
    return result;
  };
};
