import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A new secret of 256 random bits, safe in URLs. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What is stored of a secret that need only be compared. Fit for secrets of high entropy only, not for passwords. */
export const hash = (value: string): string => createHash('sha256').update(value).digest('hex');

/** Encrypts with AES-256-GCM. `purpose` must be given again to open it, so that a value cannot be used elsewhere. */
export function seal(key: Buffer, purpose: string, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The text of `seal`, or undefined when it was made with another key or purpose, or was changed. */
export function open(key: Buffer, purpose: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)).toString('utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
