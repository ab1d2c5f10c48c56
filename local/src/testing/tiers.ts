/** The tiers of tests, in the order in which they run; each needs what the ones before it need, and more. */
export const TIERS = ['unit', 'integration', 'e2e'] as const;
export type Tier = (typeof TIERS)[number];

/** The tiers that hold any of the given files; all of them for an empty list. */
export function tiersOf(files: readonly string[]): readonly Tier[] {
  if (files.length === 0) return TIERS;
  const tierOf = (file: string): Tier => {
    const path = file.replace(/^\.\//, '');
    if (path.startsWith('tests/e2e')) return 'e2e';
    return path.startsWith('tests') ? 'integration' : 'unit';
  };
  const wanted = new Set(files.map(tierOf));
  return TIERS.filter(tier => wanted.has(tier));
}

/** What one run of tests or checks came to. */
export interface Count {
  passed: number;
  failed: number;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

/**
 * Counts a run of vitest. A file that could not be loaded holds no test and is counted as one that failed; so is a test
 * that was skipped, for nothing may be skipped silently, and a run that failed without saying where.
 * @param report vitest's JSON report; undefined where there is none
 */
export function countOf(report: VitestReport | undefined, exitCode: number | null): Count {
  if (!report) return { passed: 0, failed: 1 };
  const unloaded = report.testResults.filter(
    file => file.status === 'failed' && file.assertionResults.length === 0,
  );
  const failed = report.numFailedTests + report.numPendingTests + report.numTodoTests + unloaded.length;
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

export const addCounts = (a: Count, b: Count): Count => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
});
