import {
  type Device,
  fitsDigest,
  keepSecrets,
  type ReplicatedDevice,
  SECRET_PLACEHOLDER,
} from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { ProvisioningPort } from '../resource/port.ts';

/**
 * A device as it is stored and as sites receive it: no password in any form that could be read back. `digest` belongs
 * to authType credentials: HA1 (RFC 7616 3.4.2, RFC 8760) over `deviceId:domain:password`. `passwordHash` (argon2id, PHC
 * form) belongs to userid.
 */
export type StoredDevice = ReplicatedDevice;

type Digest = NonNullable<ReplicatedDevice['digest']>;

/** Letters and digits without look-alikes: a technician may have to type it. 24 of 56 signs are 139 bits. */
const SIGNS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const PASSWORD_LENGTH = 24;

function generatePassword(random: ProvisioningPort['random']): string {
  let password = '';
  while (password.length < PASSWORD_LENGTH) {
    for (const byte of random(PASSWORD_LENGTH)) {
      // Bytes beyond the last whole multiple would favour the first signs.
      if (byte < 256 - (256 % SIGNS.length)) password += SIGNS[byte % SIGNS.length];
    }
  }
  return password.slice(0, PASSWORD_LENGTH);
}

/** The credential of a new device or a changed one, computed before the transaction. */
export interface NewCredential {
  readonly digest?: Digest;
  readonly passwordHash?: string;
  /** The generated password, to be shown once. */
  readonly password?: string;
}

/**
 * `credentials` without `ha1` gets a generated password; a given `ha1` is MD5 or SHA-256 by its length. `userid` has its
 * password hashed. The placeholder makes nothing: the stored one stays.
 */
export async function newCredential(
  port: ProvisioningPort,
  domain: string,
  device: Device,
): Promise<NewCredential> {
  const { authType, deviceId, ha1, password } = device;
  if (authType === 'userid' && password !== undefined && password !== SECRET_PLACEHOLDER)
    return { passwordHash: await port.hashPassword(password) };
  if (authType !== 'credentials' || ha1 === SECRET_PLACEHOLDER) return {};
  if (ha1 !== undefined)
    return { digest: ha1.length === 32 ? { md5: ha1.toLowerCase() } : { sha256: ha1.toLowerCase() } };
  const generated = generatePassword(port.random);
  const secret = `${deviceId}:${domain}:${generated}`;
  return { digest: { md5: port.md5(secret), sha256: port.sha256(secret) }, password: generated };
}

/**
 * The device as it will be stored. Fails with `secretUnknown` where a placeholder has nothing to keep, with `invalid` where the
 * kept hash cannot answer `digestAlgorithm`.
 */
export function sealed(
  device: Device,
  credential: NewCredential,
  stored: StoredDevice | undefined,
): Result<StoredDevice> {
  const kept = keepSecrets('device', device, stored && withPlaceholders(stored));
  if (!kept.ok) return kept;
  const { password, ha1, ...plain } = kept.value;
  const digest = ha1 === SECRET_PLACEHOLDER ? stored?.digest : credential.digest;
  const stays = digest === undefined ? [] : (['md5', 'sha256'] as const).filter((name) => digest[name]);
  if (stays.length > 0 && !stays.some((name) => fitsDigest(plain.digestAlgorithm, name)))
    return fail(
      'invalid',
      `/digestAlgorithm: is ${plain.digestAlgorithm}, but the stored ha1 is of the other algorithm; send an ha1 of it, or auto`,
      '/digestAlgorithm',
    );
  const passwordHash = password === SECRET_PLACEHOLDER ? stored?.passwordHash : credential.passwordHash;
  return ok({
    ...plain,
    ...(digest === undefined ? {} : { digest }),
    ...(passwordHash === undefined ? {} : { passwordHash }),
  });
}

/** The contract's form: where a secret is stored stands the placeholder, in the fields it was written to. */
export function withPlaceholders({ digest, passwordHash, ...plain }: StoredDevice): Device {
  return {
    ...plain,
    ...(digest === undefined ? {} : { ha1: SECRET_PLACEHOLDER }),
    ...(passwordHash === undefined ? {} : { password: SECRET_PLACEHOLDER }),
  };
}
