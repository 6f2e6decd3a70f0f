import type { Scope } from '../contract/provisioning/index.ts';
import { type Granted, ROLE_NAMES, type Role } from './right.ts';

/** Rights of a sign-in and their end. */
export interface Rights extends Granted {
  /** Epoch ms; null = no end. */
  readonly endsAt: number | null;
}

/** Roles that each role contains. Operator and technician contain nothing of each other but reading. */
const CONTAINED: { readonly [R in Role]: readonly Role[] } = {
  owner: ['owner', 'admin', 'operator', 'technician', 'viewer'],
  admin: ['admin', 'operator', 'technician', 'viewer'],
  operator: ['operator', 'viewer'],
  technician: ['technician', 'viewer'],
  viewer: ['viewer'],
};

export const isRoleWithin = (inner: Role, outer: Role): boolean => CONTAINED[outer].includes(inner);

/** The greatest role that both contain. */
const commonRole = (a: Role, b: Role): Role =>
  ROLE_NAMES.find((role) => isRoleWithin(role, a) && isRoleWithin(role, b)) ?? 'viewer';

function commonScopes(a: readonly Scope[] | null, b: readonly Scope[] | null): readonly Scope[] | null {
  if (a === null || b === null) return a ?? b;
  return a.filter((scope) => b.includes(scope));
}

const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** Rights that both hold: all that is left of `a` where `b` is its maker. */
export const commonRights = (a: Rights, b: Rights): Rights => ({
  role: commonRole(a.role, b.role),
  scopes: commonScopes(a.scopes, b.scopes),
  endsAt: earlier(a.endsAt, b.endsAt),
});

/** Rights without a limit: the platform owner's, and the neutral element of `commonRights`. */
export const ALL_RIGHTS: Rights = { role: 'owner', scopes: null, endsAt: null };
