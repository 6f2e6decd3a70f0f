import { ROLE_NAMES } from '#shared/access/index.ts';
import type { User, UserRequest } from '#shared/contract/access/index.ts';
import { ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  apiTokensOf,
  type Call,
  deleteApiToken,
  deleteInvitation,
  deletePerson,
  deleteRole,
  ensurePerson,
  hasInvitations,
  insertInvitation,
  invitationOf,
  listInvitations,
  listMembers,
  listMemberships,
  mutate,
  type Page,
  type PersonRow,
  pageOf,
  personByEmail,
  putRole,
  type Role,
  readPerson,
  readRole,
  recordAudit,
  recordChange,
  setInvitationRole,
  type Tx,
} from '../store/index.ts';
import { replicatedToken, tokenChange } from './api-token.ts';
import type { TenancyPort } from './port.ts';
import type { Principal } from './principal.ts';
import { createCode, LINK_MS } from './setup.ts';

const ENTITY = 'user';

const unknown = (id: string) => fail('notFound', `There is no user ${id} in this tenant.`);
const OWNERS_ONLY = fail('forbidden', 'Only an owner may make, change or remove owners.');
const LAST_OWNER = fail('lastOwner', 'This is the last owner of the tenant; make another one first.');

/** People of a tenant and what they may do there. */
export function users(port: TenancyPort) {
  const { store, random } = port;

  /** Fails with `lastOwner` when nobody else is left who may do everything. */
  async function checkOwnerLeft(tx: Tx, tenant: string, id: string): Promise<Result<null>> {
    const owners = await listMembers(tx, tenant, ['owner'], '', 2);
    return owners.some(({ person }) => person.id !== id) ? ok(null) : LAST_OWNER;
  }

  const audited = (tx: Tx, call: Call, id: string, action: string, detail: object) =>
    recordAudit(tx, call.actor, { tenant: call.tenant, entity: ENTITY, entityId: id, action, detail });

  return {
    /** Members and invited people together, in order of id. */
    list: async (tenant: string, after: string, limit: number): Promise<Page<User>> => {
      const members = await listMembers(store, tenant, ROLE_NAMES, after, limit + 1);
      const invited = await listInvitations(store, tenant, after, limit + 1);
      const rows = [
        ...members.map(({ person, role }) => shown(person, role, undefined)),
        ...invited.map(({ person, invitation }) => shown(person, invitation.role, invitation.expiresAt)),
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return pageOf(
        rows.slice(0, limit + 1),
        limit,
        ({ id }) => id,
        (user) => user,
      );
    },

    /**
     * Invites, or invites again with a new link. Fails with `forbidden` when a non-owner makes an owner, with `conflict`
     * when the person has a role already.
     */
    invite: async (
      call: Call,
      maker: Principal,
      { email, role }: UserRequest,
    ): Promise<Result<{ id: string; link: string }>> => {
      if (role === 'owner' && maker.role !== 'owner') return OWNERS_ONLY;
      const { hash, link } = createCode(port);
      const at = call.actor.at;
      const result = await mutate(store, call, async (tx): Promise<Result<{ id: string; hash: string }>> => {
        const person = (await personByEmail(tx, email)) ?? newPerson(email, at, ulid(at, random(10)));
        const { id } = person;
        if (person.platformOwner)
          return fail('conflict', 'The platform owner is owner of every tenant already.', '/email');
        if ((await readRole(tx, call.tenant, id)) !== undefined)
          return fail('conflict', `${email} has a role here already; change it with PUT.`, '/email');
        const before = await invitationOf(tx, call.tenant, id);
        if (before?.role === 'owner' && maker.role !== 'owner') return OWNERS_ONLY;
        await ensurePerson(tx, person);
        if (before !== undefined) await deleteInvitation(tx, before.hash);
        await insertInvitation(tx, {
          hash,
          tenant: call.tenant,
          person: id,
          role,
          createdAt: at,
          expiresAt: at + LINK_MS,
        });
        await audited(tx, call, id, 'invite', { after: { email, role } });
        return ok({ id, hash });
      });
      if (!result.ok) return result;
      // The kept answer of an idempotency key holds no secret, so a repetition cannot be given the link again.
      if (result.value.hash !== hash)
        return fail('tokenShownOnce', 'The invitation was made and its link shown already; invite again.');
      return ok({ id: result.value.id, link });
    },

    /** Acts at once, also on tokens that act for the person. */
    setRole: (call: Call, maker: Principal, id: string, role: Role): Promise<Result<{ id: string }>> =>
      mutate(store, call, async (tx) => {
        const current = await readRole(tx, call.tenant, id);
        const invitation = current === undefined ? await invitationOf(tx, call.tenant, id) : undefined;
        const before = current ?? invitation?.role;
        if (before === undefined) return unknown(id);
        if ((before === 'owner' || role === 'owner') && maker.role !== 'owner') return OWNERS_ONLY;
        if (current === 'owner' && role !== 'owner') {
          const left = await checkOwnerLeft(tx, call.tenant, id);
          if (!left.ok) return left;
        }
        if (invitation === undefined) await putRole(tx, call.tenant, id, role);
        else await setInvitationRole(tx, invitation.hash, role);
        for (const token of await apiTokensOf(tx, call.tenant, id))
          await recordChange(tx, {
            ...tokenChange(call, token.id),
            op: 'put',
            body: replicatedToken(token, role),
          });
        await audited(tx, call, id, 'put', { before: { role: before }, after: { role } });
        return ok({ id });
      }),

    /** Takes role, invitation and tokens in this tenant; the account stays while it has a role elsewhere. */
    remove: (call: Call, maker: Principal, id: string): Promise<Result<null>> =>
      mutate(store, call, async (tx) => {
        const current = await readRole(tx, call.tenant, id);
        const invitation = await invitationOf(tx, call.tenant, id);
        const role = current ?? invitation?.role;
        const person = await readPerson(tx, id);
        if (role === undefined || person === undefined) return unknown(id);
        if (role === 'owner' && maker.role !== 'owner') return OWNERS_ONLY;
        if (current === 'owner') {
          const left = await checkOwnerLeft(tx, call.tenant, id);
          if (!left.ok) return left;
        }
        if (invitation !== undefined) await deleteInvitation(tx, invitation.hash);
        await deleteRole(tx, call.tenant, id);
        for (const token of await apiTokensOf(tx, call.tenant, id)) {
          await deleteApiToken(tx, call.tenant, token.id);
          await recordChange(tx, { ...tokenChange(call, token.id), op: 'delete' });
        }
        await audited(tx, call, id, 'delete', { before: { email: person.email, role } });
        const elsewhere = (await listMemberships(tx, id, '', 1)).length > 0 || (await hasInvitations(tx, id));
        if (!elsewhere) await deletePerson(tx, id);
        return ok(null);
      }),
  };
}

const newPerson = (email: string, createdAt: number, id: string): PersonRow => ({
  id,
  email,
  platformOwner: false,
  createdAt,
  passwordHash: null,
  profile: null,
});

function shown(person: PersonRow, role: Role, invitedUntil: number | undefined): User {
  const { firstName, lastName } = person.profile ?? {};
  return {
    id: person.id,
    email: person.email,
    role,
    ...(invitedUntil === undefined
      ? { status: 'active' as const }
      : { status: 'invited' as const, invitedUntil }),
    // Names come with the account; of an invited person none are shown to a tenant that does not know it yet.
    ...(invitedUntil === undefined && typeof firstName === 'string' ? { firstName } : {}),
    ...(invitedUntil === undefined && typeof lastName === 'string' ? { lastName } : {}),
  };
}
