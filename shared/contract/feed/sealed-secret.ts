import { z } from 'zod';
import { ulidField } from './field.ts';

/**
 * Secrets in pages: each member that holds one (`SECRET_MEMBERS`) is the text `sealed:<version>:<iv>:<ct>`, AES-256-GCM of
 * its JSON by the tenant's configuration key of that version, `iv` 12 bytes and `ct` with its tag in base64url, bound to
 * `secretPlace`. Broker, caches, backups and sticks see nothing else. `rowHash` is that of the opened body.
 *
 * The key itself is a row of the scope `host`, entity `configkey`, id = version: `{version, jwe}`, a compact JWE (ECDH-ES
 * with A256GCM, `kid` = version) to the host's X25519 key of enrolment, over the JSON of `configKeySchema`.
 */
export const CONFIG_KEY_ENTITY = 'configkey';

const versionNumber = z.number().int().positive();

/** Body of a row `configkey`. */
export const configKeyRowSchema = z.object({ version: versionNumber, jwe: z.string() });

/** The content of the JWE of such a row; `k` is 32 bytes in base64url. */
export const configKeySchema = z.object({
  tenant: ulidField,
  version: versionNumber,
  k: z.string().regex(/^[\w-]{43}$/),
});

export type ConfigKey = z.output<typeof configKeySchema>;

/** A secret as it travels, taken apart. */
export interface SealedSecret {
  readonly version: number;
  readonly iv: string;
  readonly text: string;
}

/** The place that a sealed secret is bound to: in another row, or of another tenant, it does not open. */
export const secretPlace = (
  tenant: string,
  { entity, id }: { readonly entity: string; readonly id: string },
  version: number,
): string => JSON.stringify([tenant, entity, id, version]);

export const formatSealed = ({ version, iv, text }: SealedSecret): string =>
  `sealed:${version}:${iv}:${text}`;

const SEALED = /^sealed:([1-9]\d{0,8}):([\w-]{16}):([\w-]{22,})$/;

/** Undefined = not a sealed secret. */
export function parseSealed(value: unknown): SealedSecret | undefined {
  const [, version, iv, text] = (typeof value === 'string' ? SEALED.exec(value) : null) ?? [];
  if (version === undefined || iv === undefined || text === undefined) return undefined;
  return { version: Number(version), iv, text };
}
