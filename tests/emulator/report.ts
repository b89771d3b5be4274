// The output of the command: each step with its time and its failure, and a summary.

export type Step = { title: string; seconds: number; failure?: unknown };

export type Report = ReturnType<typeof openReport>;

const wordsOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message : String(failure);

const indented = (text: string): string => text.replaceAll(/^/gm, '      ');

export const openReport = () => {
  const steps: Step[] = [];
  const notes: string[] = [];

  const timed = async <Result>(title: string, work: () => Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    const noted = notes.length;
    const end = (mark: string, failure?: unknown): void => {
      const seconds = (performance.now() - startedAt) / 1000;
      steps.push({ title, seconds, ...(failure !== undefined && { failure }) });
      console.log(`  ${mark} ${title} (${seconds.toFixed(1)} s)`);
      for (const note of notes.slice(noted)) console.log(`      ${note}`);
      if (failure !== undefined) console.log(indented(wordsOf(failure)));
    };
    try {
      const result = await work();
      end('✓');
      return result;
    } catch (error) {
      end('✗', error);
      throw error;
    }
  };

  return {
    heading: (text: string): void => console.log(`\n${text}`),
    /** A remark on the current step. */
    note: (text: string): void => {
      notes.push(text);
    },
    /** A step that the rest requires. If it fails, the run ends. */
    step: timed,
    /** An independent step. If it fails, the run continues. */
    check: async (title: string, work: () => Promise<void>): Promise<void> => {
      await timed(title, work).catch(() => undefined);
    },
    failures: (): Step[] => steps.filter((step) => 'failure' in step),
    summary: (): string[] => {
      const failed = steps.filter((step) => 'failure' in step);
      const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
      return [
        `${steps.length - failed.length} of ${steps.length} steps went well, in ` +
          `${seconds.toFixed(0)} s.`,
        ...failed.map(({ title }) => `✗ ${title}`),
      ];
    },
  };
};
