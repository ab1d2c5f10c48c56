import type { DeploymentDoc, EnvironmentDoc } from '../store/views.ts';

/** What finds our comment again when its id is lost. */
export const COMMENT_MARKER = '<!-- greenroom:preview -->';

const LABELS: Record<EnvironmentDoc['status'], string> = {
  building: '🟡 Building',
  running: '🟢 Running',
  failed: '🔴 Failed',
  stopped: '⚪ Stopped',
};

export interface CommentInput {
  environment: EnvironmentDoc;
  /** The newest deployment, when there is one. */
  deployment: DeploymentDoc | undefined;
  /** Base address of the dashboard. */
  dashboard: string;
}

/** The pull request's comment in Markdown: where the preview is, what it serves, and where to read more. */
export function renderComment({ environment, deployment, dashboard }: CommentInput): string {
  const updated = `${environment.updated_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (environment.status === 'stopped') {
    return `${COMMENT_MARKER}\n### Preview environment\n\nThe environment was removed (${updated}).\n`;
  }
  const commit = (deployment?.commit ?? environment.commit ?? '').slice(0, 8);
  const link = deployment
    ? `[Deployment](${dashboard}/repository/${environment.repository_id}/environment/${environment._id}/deployment/${deployment._id})`
    : '–';
  const row = [
    LABELS[environment.status],
    environment.preview_url ? `[${environment.preview_url}](${environment.preview_url})` : '–',
    commit ? `\`${commit}\`` : '–',
    link,
    updated,
  ];
  const lines = [
    COMMENT_MARKER,
    '### Preview environment',
    '',
    '| Status | URL | Commit | Details | Updated |',
    '|---|---|---|---|---|',
    `| ${row.map(cell).join(' | ')} |`,
  ];
  const reason = deployment?.status === 'failed' ? deployment.failure_reason : null;
  if (reason) lines.push('', `**Deployment failed:** ${oneLine(reason)}`);
  return `${lines.join('\n')}\n`;
}

const oneLine = (value: string) => value.replace(/\s+/g, ' ').slice(0, 1000);
const cell = (value: string) => oneLine(value).replaceAll('|', '\\|');
