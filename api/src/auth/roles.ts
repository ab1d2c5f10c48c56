import type { Config } from '../config.ts';
import type { UserDoc } from '../store/users.ts';

/** Administrators are those that the configuration lists; GitHub logins ignore case. */
export const isAdmin = (config: Config, user: UserDoc): boolean =>
  config.ADMIN_LOGINS.some(login => login.toLowerCase() === user.login.toLowerCase());

/** Whether a person may use the product: while the beta gate is down, everybody may. */
export const hasBetaAccess = (config: Config, user: UserDoc): boolean =>
  !config.BETA_GATE || user.beta_access || isAdmin(config, user);
