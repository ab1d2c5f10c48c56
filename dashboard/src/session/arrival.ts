import { signInErrorMessage } from './sign-in-errors.ts';

/** What GitHub's callback brought back to /login: a session token, or a message that says why there is none. */
export type Arrival = { token: string } | { error: string } | null;

const PARAMETERS = ['token', 'error', 'error_description'] as const;

/** Splits the callback's parameters off an address. Pure: returns what arrived and the address without it. */
export function splitArrival(address: URL): { arrival: Arrival; cleaned: string } {
  const cleaned = new URL(address);
  for (const name of PARAMETERS) cleaned.searchParams.delete(name);
  const token = address.searchParams.get('token');
  const error = address.searchParams.get('error');
  const arrival = token
    ? { token }
    : error
      ? { error: signInErrorMessage(error, address.searchParams.get('error_description')) }
      : null;
  return { arrival, cleaned: cleaned.pathname + cleaned.search + cleaned.hash };
}

/**
 * Takes what arrived out of the address bar and this history entry. main.tsx calls it before anything else, so that the
 * token is in no referrer, history entry or router state.
 */
export function takeArrival(): Arrival {
  const address = new URL(window.location.href);
  if (address.pathname !== '/login') return null;
  const { arrival, cleaned } = splitArrival(address);
  if (arrival) window.history.replaceState(null, '', cleaned);
  return arrival;
}
