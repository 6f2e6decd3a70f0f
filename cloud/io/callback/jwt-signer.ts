import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { RestAuthenticationEntry } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';

/** A bearer token by the key or shared secret of a `restAuthentication` entry; the reason never shows the secret. */
export async function signJwt(
  { type, secret }: RestAuthenticationEntry,
  claims: Readonly<Record<string, unknown>>,
): Promise<Result<string>> {
  try {
    const key = type === 'HS256' ? Buffer.from(secret, 'utf8') : createPrivateKey(secret);
    return ok(await new SignJWT({ ...claims }).setProtectedHeader({ alg: type, typ: 'JWT' }).sign(key));
  } catch {
    return fail('keyInvalid', `the secret of the ${type} entry does not fit its type`);
  }
}
