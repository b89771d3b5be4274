// A process that measures one step and sends its result to the parent.

import type { StepMessage, StepRequest } from './step.ts';

const send = (message: StepMessage) =>
  new Promise<void>((resolve, reject) => {
    process.send?.(message, (error: Error | null) => (error ? reject(error) : resolve()));
  });

process.once('message', async ({ name, quick, benchEnvironment }: StepRequest) => {
  const report = (progress: string) => void send({ progress });
  const measure = {
    operations: async () => {
      const { measureOperations } = await import('./measure-operations.ts');
      const amounts = quick
        ? { samples: 40, slowSamples: 20, warmUp: 20 }
        : { samples: 500, slowSamples: 150, warmUp: 200 };
      return measureOperations(benchEnvironment, amounts, report);
    },
    growth: async () => {
      const { measureGrowth } = await import('./measure-growth.ts');
      const amounts = quick
        ? { accounts: 1_000, tenants: 20, samples: 30, warmUp: 20 }
        : { accounts: 10_000, tenants: 100, samples: 400, warmUp: 100 };
      return measureGrowth(benchEnvironment, amounts, report);
    },
    reports: async () => {
      const { measureReports } = await import('./measure-reports.ts');
      const amounts = quick ? { samples: 5, part: 0.1 } : { samples: 100, part: 1 };
      return measureReports(benchEnvironment, amounts, report);
    },
    throughput: async () => {
      const { measureThroughput } = await import('./measure-throughput.ts');
      const amounts = quick
        ? { pairs: 2, entriesPerBlock: 128, contentionSeconds: 2 }
        : { pairs: 5, entriesPerBlock: 960, contentionSeconds: 15 };
      return measureThroughput(benchEnvironment, amounts, report);
    },
  };
  await send({ result: await measure[name]() });
  process.exit(0);
});
