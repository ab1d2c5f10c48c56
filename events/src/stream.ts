import { type JetStreamManager, NatsError, RetentionPolicy, StorageType } from 'nats';
import { STREAM, STREAM_SUBJECTS } from './subjects.ts';

const STREAM_NOT_FOUND = 10059;
const THIRTY_DAYS_NS = 30 * 24 * 3600 * 1e9;

/** Makes the event stream when it is not there. File storage, kept 30 days, at most 2 GiB; safe to call at any time. */
export async function ensureStream(manager: JetStreamManager): Promise<void> {
  try {
    await manager.streams.info(STREAM);
  } catch (error) {
    if (!(error instanceof NatsError) || error.api_error?.err_code !== STREAM_NOT_FOUND) throw error;
    await manager.streams.add({
      name: STREAM,
      subjects: STREAM_SUBJECTS,
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      max_age: THIRTY_DAYS_NS,
      max_bytes: 2 * 1024 ** 3,
      allow_direct: true,
    });
  }
}
