/** Says what is being done, why, and how long it took; plain lines, so that it reads the same in a terminal and in CI. */
export interface Progress {
  /** A line without a duration. */
  note(text: string): void;
  /** Runs `work` between a starting and an ending line. A failure is reported and rethrown. */
  step<T>(text: string, work: () => Promise<T>): Promise<T>;
}

const seconds = (since: number): string => {
  const s = (Date.now() - since) / 1000;
  return s < 10 ? `${s.toFixed(1)} s` : `${Math.round(s)} s`;
};

/** Progress as lines written by `write`; the default is standard error, as standard output belongs to results. */
export function createProgress(
  write: (line: string) => void = l => void process.stderr.write(`${l}\n`),
): Progress {
  const start = Date.now();
  const line = (mark: string, text: string) => write(`${mark} ${text}`);
  return {
    note: text => line('·', `${text} [${seconds(start)}]`),
    async step(text, work) {
      const began = Date.now();
      line('•', text);
      try {
        const result = await work();
        line('✔', `${text.replace(/ \(.*\)$/, '')} in ${seconds(began)}`);
        return result;
      } catch (error) {
        line('✘', `${text.replace(/ \(.*\)$/, '')} failed after ${seconds(began)}`);
        throw error;
      }
    },
  };
}
