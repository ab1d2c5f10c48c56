import { positionOf } from '../positions.ts';
import type { ComposeProject } from '../project.ts';
import type { Finding, Verdict } from '../translation.ts';

/** Collects the verdicts of one translation, each with its place in the file. */
export class Report {
  private readonly findings = new Map<string, Finding>();
  private readonly project: ComposeProject;

  constructor(project: ComposeProject) {
    this.project = project;
  }

  /** @param key below the service, or from the file's top where the service is empty */
  add(service: string, key: string, verdict: Verdict, reason?: string): void {
    const path = service === '' ? key : `services.${service}.${key}`;
    const position = positionOf(this.project.positions, path, this.project.file);
    const finding: Finding = { service, key, verdict, ...(reason && { reason }), ...position };
    this.findings.set(JSON.stringify([service, key, reason ?? '']), finding);
  }

  /**
   * Every finding in the order of the file. A key is only called supported where nothing else is said about it or
   * about a part of it.
   */
  list(): Finding[] {
    const all = [...this.findings.values()];
    const said = all.filter(finding => finding.verdict !== 'supported');
    const covered = (one: Finding) =>
      said.some(
        ({ service, key }) => service === one.service && (key === one.key || key.startsWith(`${one.key}.`)),
      );
    return all
      .filter(finding => finding.verdict !== 'supported' || !covered(finding))
      .sort(
        (a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.key, b.key),
      );
  }
}

/** By code units: the same everywhere, whatever the locale. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** An object's entries in a fixed order. */
export function sortedEntries<T>(record: Record<string, T> | undefined): [string, T][] {
  return Object.entries(record ?? {}).sort(([a], [b]) => compare(a, b));
}
