import { stored } from './storage.ts';

/** Why a session ended; the shell says so on the way to /login. */
export type SessionEnd = 'expired' | 'signed-out';

const listeners = new Set<(end: SessionEnd) => void>();

/** The session's bearer token; null when signed out. */
export const sessionToken = (): string | null => stored.token.get();

export function startSession(token: string): void {
  stored.token.set(token);
}

/** Forgets the token and tells the shell, once however many calls failed with it. */
export function endSession(end: SessionEnd): void {
  if (sessionToken() === null) return;
  stored.token.set(null);
  for (const listener of listeners) listener(end);
}

export function onSessionEnd(listener: (end: SessionEnd) => void): void {
  listeners.add(listener);
}
