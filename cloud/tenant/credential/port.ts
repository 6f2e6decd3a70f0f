import type { BearerClaims } from '#shared/access/index.ts';
import type { RandomBytes } from '#shared/id.ts';
import type { Result } from '#shared/result.ts';
import type { KeyAlgorithm, Store, Tx } from '../../store/index.ts';

/** A public key as a JWK (RFC 7517), members of the key only. */
export type PublicJwk = Readonly<Record<string, unknown>>;

/** As customers send one: SPKI PEM, or a JWK. */
export type PublicKeyForm = string | Readonly<Record<string, unknown>>;

export type Claims = BearerClaims;

/** Signatures and keys (`cloud/io/token`). */
export interface TokenPort {
  /** `kid` of a JWT's header; undefined when the text is no JWT or has none. */
  readonly kidOf: (token: string) => string | undefined;
  /** Fails with `signature` when it is not this key's work, with `claim` when it is, but expired or incomplete. */
  readonly verify: (
    token: string,
    jwk: PublicJwk,
    alg: KeyAlgorithm,
    nowMs: number,
  ) => Promise<Result<Claims>>;
  /** Fails with `invalid` for anything but a public key that fits `alg`. */
  readonly readPublicKey: (alg: KeyAlgorithm, key: PublicKeyForm) => Promise<Result<PublicJwk>>;
  /** RFC 7638. */
  readonly thumbprint: (jwk: PublicJwk) => Promise<string>;
}

export interface TenancyPort {
  readonly store: Store;
  readonly random: RandomBytes;
  /** SHA-256 of the UTF-8 text, lower-case hex. */
  readonly sha256: (text: string) => string;
  /** HMAC-SHA-1 (RFC 2104), as authenticators use it. */
  readonly hmacSha1: (key: Uint8Array, data: Uint8Array) => Uint8Array;
  readonly token: TokenPort;
  /** argon2id in PHC form; takes tens of milliseconds, so never inside a transaction. */
  readonly hashPassword: (password: string) => Promise<string>;
  /** False without a stored text too, after the same time. */
  readonly verifyPassword: (password: string, stored: string | undefined) => Promise<boolean>;
  /** Compact JWS by the platform's key, which every host knows. */
  readonly sign: (typ: string, payload: unknown) => Promise<string>;
  /** `{base_url}`: the `aud` that tokens may name. */
  readonly publicUrl: string;
  /** SHA-256 of the platform owner's token. */
  readonly bootstrapTokenHash: string;
  /** Resolves after so many ms: the answer to a name that many guess waits. Absent: at once. */
  readonly wait?: (ms: number) => Promise<void>;
  /** Why the tenant cannot be deleted now, one sentence; null = nothing holds it. Asked inside the transaction. */
  readonly tenantHeldBy?: TenantHold;
}

export type TenantHold = (tx: Tx, tenant: string) => Promise<string | null>;
