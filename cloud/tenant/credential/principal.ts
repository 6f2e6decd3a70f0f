import type { Scope } from '#shared/contract/provisioning/index.ts';
import type { Role } from '../../store/index.ts';

export interface TenantName {
  /** ULID; what rows are filed under. */
  readonly id: string;
  /** Its name in the API. */
  readonly domain: string;
}

/** The caller of a request, as its credential proves. */
export interface Principal {
  /** As the audit log names it: `person:<id>`, `key:<kid>`, `token:<id>`. */
  readonly name: string;
  readonly kid?: string;
  /** The person it acts for; a key is no person. */
  readonly personId?: string;
  /** Role owner in every tenant. */
  readonly platformOwner: boolean;
  /** The one tenant it opens; null only for the platform owner. */
  readonly tenant: TenantName | null;
  readonly role: Role;
  /** null = everything. */
  readonly scopes: readonly Scope[] | null;
  /** When it ends, epoch milliseconds: of a token that expires, or that was made by one. */
  readonly endsAt?: number;
  /** When the password was given, epoch milliseconds: of a person's session only. */
  readonly authenticatedAt?: number;
}

/**
 * The scope a new key or token gets: what was asked for, or what its maker has; null = not allowed, for no maker hands out more
 * than it holds.
 */
export function grantedScope(maker: Principal, asked: string | undefined): { scope: string | null } | null {
  if (maker.scopes === null) return { scope: asked ?? null };
  if (asked === undefined) return { scope: maker.scopes.join(' ') };
  const held: readonly string[] = maker.scopes;
  return asked.split(' ').every((word) => held.includes(word)) ? { scope: asked } : null;
}
