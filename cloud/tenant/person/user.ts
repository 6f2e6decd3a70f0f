import { isRoleWithin, ROLE_NAMES } from '#shared/access/index.ts';
import type { LeaveRequest, User, UserRequest } from '#shared/contract/access/index.ts';
import { ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Call,
  deleteInvitation,
  deleteRole,
  ensurePerson,
  insertInvitation,
  invitationOf,
  listInvitations,
  listMembers,
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
  setInvitationRole,
  type Tx,
} from '../../store/index.ts';
import { OWNERS_ONLY, settleMade } from '../credential/hand-over.ts';
import { forgetPerson } from '../credential/made.ts';
import { chainOf, checkChain, checkLasts, checkMakesPeople, rightsOf } from '../credential/maker.ts';
import { keepingOwner } from '../credential/owner-left.ts';
import type { TenancyPort } from '../credential/port.ts';
import type { Principal } from '../credential/principal.ts';
import { recordMade } from '../credential/replicated.ts';
import { createCode, LINK_MS } from './setup.ts';

const ENTITY = 'user';

const unknown = (id: string) =>
  fail('notFound', `The person ${id} does not exist in this tenant. List the people for their ids.`);

/** People of a tenant and what they may do there. */
export function users(port: TenancyPort) {
  const { store, random } = port;

  /** Fails with `unscopedTokenRequired` and `makerEnds`. */
  const checkMaker = (maker: Principal): Result<null> => {
    const unscoped = checkMakesPeople(maker);
    return unscoped.ok ? checkLasts(maker, 'a person') : unscoped;
  };

  /** The giver of a role answers for it from now on, unless the person is its maker: a person does not limit itself. */
  async function giverOf(tx: Tx, { tenant }: Call, by: Principal, id: string): Promise<string | null> {
    const chain = (await chainOf(tx, tenant, by.name)) ?? [];
    if (!chain.some(({ ref }) => ref === `person:${id}`)) return by.name;
    return (await chainOf(tx, tenant, `person:${id}`))?.[0]?.grant.maker ?? null;
  }

  const audited = (tx: Tx, call: Call, id: string, action: string, detail: object) =>
    recordAudit(tx, call.actor, { tenant: call.tenant, entity: ENTITY, entityId: id, action, detail });

  return {
    /** Members and invited people together, in order of id. */
    list: async (tenant: string, after: string, limit: number, nowMs: number): Promise<Page<User>> => {
      const members = await listMembers(store, tenant, ROLE_NAMES, after, limit + 1);
      const invited = await listInvitations(store, tenant, after, limit + 1);
      const rows = [
        ...members.map(({ person, role, maker }) => shown(person, { role, maker }, undefined)),
        ...invited.map(({ person, invitation }) => shown(person, invitation, invitation.expiresAt)),
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const page = rows.slice(0, limit + 1);
      // Fewer rights than the role says, for a maker has fewer now.
      for (const user of page) {
        if (user.status === 'invited') continue;
        const role = (await rightsOf(store, tenant, `person:${user.id}`, nowMs))?.role;
        if (role !== user.role) user.effectiveRole = role ?? 'viewer';
      }
      return pageOf(
        page,
        limit,
        ({ id }) => id,
        (user) => user,
      );
    },

    /**
     * Invites, or invites again with a new link. Fails with `forbidden` when a non-owner makes an owner, with
     * `unscopedTokenRequired` and `makerEnds`, with `conflict` when the person has a role already.
     */
    invite: async (
      call: Call,
      maker: Principal,
      { email, role }: UserRequest,
    ): Promise<Result<{ id: string; link: string }>> => {
      const mayMake = checkMaker(maker);
      if (!mayMake.ok) return mayMake;
      if (!isRoleWithin(role, maker.role)) return OWNERS_ONLY;
      const { hash, link } = createCode(port);
      const at = call.actor.at;
      const result = await mutate(store, call, async (tx): Promise<Result<{ id: string; hash: string }>> => {
        const person = (await personByEmail(tx, email)) ?? newPerson(email, at, ulid(at, random(10)));
        const { id } = person;
        if (person.platformOwner)
          return fail(
            'conflict',
            'The invitation is refused: the platform owner is an owner of every tenant. Invite another person.',
            '/email',
          );
        if ((await readRole(tx, call.tenant, id)) !== undefined)
          return fail(
            'conflict',
            `The invitation is refused: ${email} has a role in this tenant already. Change it with PUT.`,
            '/email',
          );
        const before = await invitationOf(tx, call.tenant, id);
        if (before?.role === 'owner' && maker.role !== 'owner') return OWNERS_ONLY;
        const chain = await checkChain(tx, call.tenant, maker.name);
        if (!chain.ok) return chain;
        await ensurePerson(tx, person);
        if (before !== undefined) await deleteInvitation(tx, before.hash);
        await insertInvitation(tx, {
          hash,
          tenant: call.tenant,
          person: id,
          role,
          createdAt: at,
          expiresAt: at + LINK_MS,
          maker: maker.name,
        });
        await audited(tx, call, id, 'invite', { after: { email, role } });
        return ok({ id, hash });
      });
      if (!result.ok) return result;
      // The kept answer of an idempotency key holds no secret, so a repetition cannot be given the link again.
      if (result.value.hash !== hash)
        return fail(
          'tokenShownOnce',
          'The link cannot be shown again: the invitation was created and its link shown before. Invite the person again.',
        );
      return ok({ id: result.value.id, link });
    },

    /**
     * Acts at once, also on all that the person made; `transferTo` hands that over first. The giver of the role answers for it.
     * Fails with `unscopedTokenRequired`, `makerEnds`, `forbidden` and `lastOwner`.
     */
    setRole: async (
      call: Call,
      maker: Principal,
      id: string,
      role: Role,
      transferTo?: string,
    ): Promise<Result<{ id: string }>> => {
      const mayMake = checkMaker(maker);
      if (!mayMake.ok) return mayMake;
      return await mutate(store, call, (tx) =>
        keepingOwner(tx, call, async () => {
          const current = await readRole(tx, call.tenant, id);
          const invitation = current === undefined ? await invitationOf(tx, call.tenant, id) : undefined;
          const before = current ?? invitation?.role;
          if (before === undefined) return unknown(id);
          if (!isRoleWithin(before, maker.role) || !isRoleWithin(role, maker.role)) return OWNERS_ONLY;
          if (transferTo !== undefined) {
            const settled = await settleMade(tx, call, maker, `person:${id}`, { transferTo });
            if (!settled.ok) return settled;
          }
          if (invitation === undefined)
            await putRole(tx, call.tenant, id, role, await giverOf(tx, call, maker, id));
          else await setInvitationRole(tx, invitation.hash, { role, maker: maker.name });
          await recordMade(tx, call, `person:${id}`);
          await audited(tx, call, id, 'put', { before: { role: before }, after: { role } });
          return ok({ id });
        }),
      );
    },

    /**
     * Takes role and invitation in this tenant; the account stays while it has a role elsewhere. Fails with `makerInUse`
     * while something that the person made is neither handed over nor revoked.
     */
    remove: async (
      call: Call,
      maker: Principal,
      id: string,
      leave: LeaveRequest = {},
    ): Promise<Result<null>> => {
      const mayRemove = checkMakesPeople(maker);
      if (!mayRemove.ok) return mayRemove;
      return await mutate(store, call, (tx) =>
        keepingOwner(tx, call, async () => {
          const current = await readRole(tx, call.tenant, id);
          const invitation = await invitationOf(tx, call.tenant, id);
          const role = current ?? invitation?.role;
          const person = await readPerson(tx, id);
          if (role === undefined || person === undefined) return unknown(id);
          if (!isRoleWithin(role, maker.role)) return OWNERS_ONLY;
          const settled = await settleMade(tx, call, maker, `person:${id}`, leave);
          if (!settled.ok) return settled;
          if (invitation !== undefined) await deleteInvitation(tx, invitation.hash);
          await deleteRole(tx, call.tenant, id);
          await audited(tx, call, id, 'delete', { before: { email: person.email, role } });
          await forgetPerson(tx, id);
          return ok(null);
        }),
      );
    },
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

function shown(
  person: PersonRow,
  { role, maker }: { readonly role: Role; readonly maker: string | null },
  invitedUntil: number | undefined,
): User {
  const { firstName, lastName } = person.profile ?? {};
  return {
    id: person.id,
    email: person.email,
    role,
    ...(maker === null ? {} : { maker }),
    ...(invitedUntil === undefined
      ? { status: 'active' as const }
      : { status: 'invited' as const, invitedUntil }),
    // Names come with the account; of an invited person none are shown to a tenant that does not know it yet.
    ...(invitedUntil === undefined && typeof firstName === 'string' ? { firstName } : {}),
    ...(invitedUntil === undefined && typeof lastName === 'string' ? { lastName } : {}),
  };
}
