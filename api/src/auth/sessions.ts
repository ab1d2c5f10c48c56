import { hash, newToken } from '../secrets.ts';
import type { Store } from '../store/store.ts';
import type { SessionDoc, UserDoc } from '../store/users.ts';

const DAY_MS = 24 * 3600_000;
const LIFETIME_MS = 30 * DAY_MS;
const IDLE_MS = 7 * DAY_MS;
/** A session's use is written down at most this often. */
const TOUCH_MS = 3600_000;

/** A new session; its token is answered once and kept as a hash. */
export async function createSession(store: Store, userId: string): Promise<string> {
  const token = newToken();
  const now = new Date();
  await store.sessions.create({
    _id: hash(token),
    user_id: userId,
    created_at: now,
    used_at: now,
    expires_at: expiry(now, now),
  });
  return token;
}

/** Whose session a token is; undefined when it is unknown, over, or not used for a week. */
export async function findSession(
  store: Store,
  token: string,
): Promise<{ session: SessionDoc; user: UserDoc } | undefined> {
  const now = new Date();
  const session = await store.sessions.findById(hash(token)).lean<SessionDoc>();
  if (!session || session.expires_at <= now) return undefined;
  const user = await store.users.findById(session.user_id).lean<UserDoc>();
  if (!user) return undefined;
  if (now.getTime() - session.used_at.getTime() > TOUCH_MS) {
    await store.sessions.updateOne(
      { _id: session._id },
      { $set: { used_at: now, expires_at: expiry(session.created_at, now) } },
    );
  }
  return { session, user };
}

/** Whether a session is still good; for streams that outlast a request. */
export async function isAlive(store: Store, id: string): Promise<boolean> {
  return (await store.sessions.exists({ _id: id, expires_at: { $gt: new Date() } })) !== null;
}

export async function endSession(store: Store, id: string): Promise<void> {
  await store.sessions.deleteOne({ _id: id });
}

const expiry = (created: Date, used: Date) =>
  new Date(Math.min(created.getTime() + LIFETIME_MS, used.getTime() + IDLE_MS));
