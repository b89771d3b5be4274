// Lets the time that is measured go by with every look at it, however long anything really takes:
// what gives up after some time then gives up after so many tries, under any load.

const millisecondsPerLook = 25;

export const countTime = () => {
  const measure = performance.now;
  let shown = 0;
  performance.now = (): number => {
    shown += millisecondsPerLook;
    return shown;
  };
  return {
    stop: (): void => {
      performance.now = measure;
    },
  };
};
