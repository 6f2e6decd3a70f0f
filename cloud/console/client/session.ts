import { computed, signal } from '@preact/signals';
import type { Operations } from '#shared/client/index.ts';

export type Session = Operations['getSession']['answer'];
export type Tenant = Operations['getProvisioningCurrentuserTenants']['answer']['tenants'][number];

/** undefined: unknown yet; null: no person is signed in. */
export const session = signal<Session | null | undefined>(undefined);
/** undefined: not asked yet. */
export const tenants = signal<readonly Tenant[] | undefined>(undefined);
/** Why the tenants are not known. */
export const trouble = signal('');

const KEPT = 'carillon.domain';
const wanted = signal(localStorage.getItem(KEPT));

/** The tenant that is looked at; undefined when the person may enter none. */
const tenant = computed(
  () => tenants.value?.find((each) => each.domain === wanted.value) ?? tenants.value?.[0],
);
export const domain = computed(() => tenant.value?.domain ?? '');

/** The rights that the role gives a person (control plane, section 12). The API decides; this only hides what would be refused. */
const RANKS = { viewer: 0, technician: 1, operator: 2, admin: 3, owner: 4 } as const;
export const mayOperate = computed(() => rank() >= RANKS.technician);
/** The life of hosts and sites: everybody who may operate, but an operator. */
export const mayService = computed(() => rank() >= RANKS.technician && rank() !== RANKS.operator);
/** Alarms and callbacks. */
export const mayHandle = computed(() => rank() >= RANKS.operator);
export const mayProvision = computed(() => rank() >= RANKS.admin);
export const mayInvite = computed(() => rank() >= RANKS.owner);

function rank(): number {
  const role = session.value?.person.platformOwner === true ? 'owner' : (tenant.value?.role ?? 'viewer');
  return RANKS[role as keyof typeof RANKS] ?? 0;
}

export function choose(name: string): void {
  localStorage.setItem(KEPT, name);
  wanted.value = name;
}

export const csrfToken = (): string => session.value?.csrfToken ?? '';

export function signedOut(): void {
  if (session.value !== null) session.value = null;
  tenants.value = undefined;
}
