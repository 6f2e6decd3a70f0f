import type { Operations } from '#shared/client/index.ts';
import { createStore, derive } from './store.ts';

export type Session = Operations['getSession']['answer'];
export type Tenant = Operations['getProvisioningCurrentuserTenants']['answer']['tenants'][number];

/** undefined: unknown yet; null: no person is signed in. */
export const session = createStore<Session | null | undefined>(undefined);
/** The session has ended while its person was at work. */
export const isEnded = createStore(false);
/** The act that a person asked for needs her password once more. */
export const isPasswordAsked = createStore(false);
/** undefined: not asked yet. */
export const tenants = createStore<readonly Tenant[] | undefined>(undefined);
/** Why the tenants are not known. */
export const trouble = createStore('');

const KEPT = 'carillon.domain';
const wanted = createStore(localStorage.getItem(KEPT));

/** The tenant that is looked at; undefined when the person may enter none. */
const tenant = derive(
  [tenants, wanted],
  () => tenants.value?.find((each) => each.domain === wanted.value) ?? tenants.value?.[0],
);
export const domain = derive([tenant], () => tenant.value?.domain ?? '');

/** The rights that the role gives a person (control plane, section 12). The API decides; this only hides what would be refused. */
const RIGHTS = [session, tenant];
const RANKS = { viewer: 0, technician: 1, operator: 2, admin: 3, owner: 4 } as const;
export const mayOperate = derive(RIGHTS, () => rank() >= RANKS.technician);
/** The life of hosts and sites: everybody who may operate, but an operator. */
export const mayService = derive(RIGHTS, () => rank() >= RANKS.technician && rank() !== RANKS.operator);
/** Alarms and callbacks. */
export const mayHandle = derive(RIGHTS, () => rank() >= RANKS.operator);
export const mayProvision = derive(RIGHTS, () => rank() >= RANKS.admin);
export const mayInvite = derive(RIGHTS, () => rank() >= RANKS.owner);

function rank(): number {
  const role = session.value?.person.platformOwner === true ? 'owner' : (tenant.value?.role ?? 'viewer');
  return RANKS[role as keyof typeof RANKS] ?? 0;
}

export function choose(name: string): void {
  localStorage.setItem(KEPT, name);
  wanted.value = name;
}

export const csrfToken = (): string => session.value?.csrfToken ?? '';

let waiting: ((isEntered: boolean) => void)[] = [];

/** Asks for the password over the page; resolves with false where the person does not want to enter it. */
export function passwordAgain(): Promise<boolean> {
  isPasswordAsked.value = true;
  return new Promise((resolve) => waiting.push(resolve));
}

/** The password was entered once more, or will not be. */
export function passwordAnswered(isEntered: boolean): void {
  isPasswordAsked.value = false;
  const asked = waiting;
  waiting = [];
  for (const resolve of asked) resolve(isEntered);
}

/** The person signs out: nothing of her stays in the page. */
export function signedOut(): void {
  passwordAnswered(false);
  isEnded.value = false;
  session.value = null;
  tenants.value = undefined;
}

/**
 * The control plane does not know the session any more. A person who was at work stays where she is, with what she has
 * typed, and signs in again over the page.
 */
export function sessionEnded(): void {
  if (session.value === null || session.value === undefined) signedOut();
  else isEnded.value = true;
}

/** After a sign-in. Another person gets pages of her own. */
export function signedIn(now: Session): void {
  const before = session.value?.person.id;
  if (before !== undefined && before !== now.person.id) signedOut();
  session.value = now;
  isEnded.value = false;
  passwordAnswered(true);
}
