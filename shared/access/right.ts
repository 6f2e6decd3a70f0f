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

const oneOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/**
 * The sentence for a caller who may not: the role and the scope that are lacking. One of the areas with one of the rights is enough.
 *
 * @returns `undefined` where nothing is lacking: `isAllowed` with one of the areas and one of the rights
 */
export function lackOf(
  { role, scopes }: Granted,
  areas: readonly Area[],
  rights: readonly Right[],
): string | undefined {
  const ofRole = rights.filter((right) => (ROLES[right] as readonly Role[]).includes(role));
  const lacking: string[] = [];
  if (ofRole.length === 0) {
    const roles = ROLE_NAMES.filter((each) =>
      rights.some((right) => (ROLES[right] as readonly Role[]).includes(each)),
    );
    lacking.push(`role ${oneOf(roles)} (it has ${role})`);
  }
  const asked = ofRole.length === 0 ? rights : ofRole;
  const opening: readonly Scope[] = asked.includes('reading') ? [...areas, 'read'] : areas;
  if (scopes !== null && !opening.some((scope) => scopes.includes(scope)))
    lacking.push(`scope ${oneOf(opening)}`);
  if (lacking.length === 0) return undefined;
  return `Access is refused: the token lacks the ${lacking.join(' and the ')}. Use a token that has ${lacking.length > 1 ? 'both' : 'it'}.`;
}
