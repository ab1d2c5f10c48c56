import type { SignInError } from '#contract/routes.ts';

const MESSAGES: Record<SignInError, string> = {
  access_denied: 'You denied the authorization request. Please try again.',
  invalid_state: 'Authentication session expired or invalid. Please try again.',
  invalid_scope: 'GitHub did not grant the permissions that Greenroom needs. Please try again.',
  server_error: 'GitHub reported an error of its own. Please try again in a few minutes.',
  temporarily_unavailable: 'GitHub is temporarily unavailable. Please try again in a few minutes.',
  token_exchange_failed: 'GitHub did not confirm the authorization. Please try again.',
  user_info_failed: 'Your GitHub profile could not be read. Please try again.',
  database_error: 'Your account could not be saved. Please try again in a few minutes.',
  session_creation_failed: 'Your session could not be started. Please try again.',
};

/** Message for an error code of GitHub's callback; GitHub's own description is preferred when given. */
export function signInErrorMessage(code: string, description: string | null): string {
  return (
    description?.trim() ||
    (Object.hasOwn(MESSAGES, code) && MESSAGES[code as SignInError]) ||
    'An unexpected error occurred during authentication. Please try again.'
  );
}
