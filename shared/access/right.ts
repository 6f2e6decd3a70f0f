import type { roleField } from '../contract/access/index.ts';
import type { Scope } from '../contract/provisioning/index.ts';

export type Role = (typeof roleField.options)[number];

/** Roles by right (control plane, section 12): each line contains the ones below it. */
const ROLES = {
  users: ['owner', 'admin'],
  provisioning: ['owner', 'admin'],
  lifecycle: ['owner', 'admin', 'technician'],
  operation: ['owner', 'admin', 'operator'],
  reading: ['owner', 'admin', 'operator', 'technician', 'viewer'],
} as const satisfies Record<string, readonly Role[]>;

export const ROLE_NAMES: readonly Role[] = ROLES.reading;

export type Right = keyof typeof ROLES;
export type Area = Exclude<Scope, 'read'>;

/** The part of a sign-in that decides the rights of the user. */
export interface Granted {
  readonly role: Role;
  /** null = everything. */
  readonly scopes: readonly Scope[] | null;
}

/** `right` is by role; `area` by the scope of the token; `read` opens reading in every area. */
export function isAllowed({ role, scopes }: Granted, area: Area, right: Right): boolean {
  const roles: readonly Role[] = ROLES[right];
  if (!roles.includes(role)) return false;
  if (scopes === null || scopes.includes(area)) return true;
  return right === 'reading' && scopes.includes('read');
}
