const KEY = 'greenroom.return-to';

/** Remembers, for this tab, the page that asked for sign-in; links in pull request comments arrive this way. */
export function rememberReturn(path: string): void {
  try {
    sessionStorage.setItem(KEY, path);
  } catch {
    // Blocked storage: sign-in ends on the overview instead.
  }
}

/** The remembered page, once; `/` when there is none. Only paths of this site are returned. */
export function takeReturn(): string {
  try {
    const path = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return path && /^\/(?![/\\])/.test(path) ? path : '/';
  } catch {
    return '/';
  }
}
