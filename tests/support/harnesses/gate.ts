// A point that somebody comes to, and waits at until the test lets him go on.

export const openGate = () => {
  const [reached, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pass = (): Promise<void> => {
    reached.resolve();
    return left.promise;
  };
  return { pass, reached: reached.promise, open: () => left.resolve() };
};
