import type { LoginTries } from '#shared/authorize/index.ts';
import type { SetupRequest } from '#shared/contract/access/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Actor,
  deleteInvitation,
  ensurePerson,
  insertInvitation,
  listInvitations,
  mutate,
  type PersonRow,
  personByEmail,
  putRole,
  readInvitation,
  readPerson,
  recordAudit,
  tenantById,
  updatePerson,
} from '../../store/index.ts';
import { platformOwner } from '../credential/bearer.ts';
import { makerMay, PLATFORM_OWNER_ID } from '../credential/maker.ts';
import type { TenancyPort } from '../credential/port.ts';
import type { SecondFactors } from './second-factor.ts';

export const LINK_MS = 7 * 86_400_000;
const CODE_BYTES = 20;

/** The scopes that an invitation needs. */
const INVITING = ['provisioning', 'users'] as const;

const INVITER_REMOVED = fail(
  'forbidden',
  'The invitation is refused: its creator may no longer invite people. Ask an owner of the tenant for a new link.',
);

const NO_LINK = fail(
  'notFound',
  'The invitation is refused: this link was used, has expired, or never existed. Ask the sender for a new one.',
);

/** The purpose of a link. */
export interface Invited {
  /** Absent for the set-up of the platform owner, who says it. */
  readonly email?: string;
  readonly domain?: string;
  /** The person has an account already, and gives its password. */
  readonly known: boolean;
}

/** A code for a link, 160 bits; only its hash is kept. */
export function createCode({ random, sha256, publicUrl }: TenancyPort) {
  const code = Buffer.from(random(CODE_BYTES)).toString('base64url');
  return { hash: sha256(code), link: `${publicUrl.replace(/\/+$/, '')}/setup/${code}` };
}

/** Links by which people come in: the first owner, and who was invited. */
export function setup(port: TenancyPort, tries: LoginTries, factors: SecondFactors) {
  const { store, sha256, hashPassword, verifyPassword, wait } = port;

  async function valid(code: string, nowMs: number) {
    const found = await readInvitation(store, sha256(code));
    return found === undefined || found.invitation.expiresAt <= nowMs ? undefined : found;
  }

  /** Checks the password of an account that is there, or makes what is stored of a new one. */
  async function credential(
    person: PersonRow,
    password: string,
    actor: Actor,
  ): Promise<Result<{ passwordHash: string }>> {
    if (person.passwordHash === null) return ok({ passwordHash: await hashPassword(password) });
    const one = { name: person.email, source: actor.address };
    const free = await tries.begin(one, actor.at);
    if (!free.ok) return free;
    if (free.value.delayMs > 0) await wait?.(free.value.delayMs);
    if (!(await verifyPassword(password, person.passwordHash)))
      return fail(
        'forbidden',
        'The invitation is not accepted: an account with this address exists. Enter its password.',
        '/password',
      );
    // A password alone does not let this person in: it must not free the counter for guesses of codes either.
    if (!(await factors.isSet(person.id))) await tries.right(one, actor.at);
    return ok({ passwordHash: person.passwordHash });
  }

  return {
    look: async (code: string, nowMs: number): Promise<Result<Invited>> => {
      const found = await valid(code, nowMs);
      if (found === undefined) return NO_LINK;
      const { invitation, person } = found;
      const known = person.passwordHash !== null;
      if (invitation.tenant === null) return ok({ known });
      const tenant = await tenantById(store, invitation.tenant);
      return ok({ email: person.email, known, ...(tenant && { domain: tenant.domain }) });
    },

    /**
     * Takes the role up, once. Fails with `notFound` for a link that is none, with `invalid` for another address than
     * the invited one, with `conflict` when the address of a new owner is taken, with `forbidden` for a wrong password
     * of an account that is there, and when the maker of the invitation may no longer invite.
     */
    accept: async (
      code: string,
      request: SetupRequest,
      actor: Actor,
    ): Promise<Result<{ personId: string }>> => {
      const found = await valid(code, actor.at);
      if (found === undefined) return NO_LINK;
      const { invitation, person } = found;
      const { email, password, firstName, lastName } = request;
      if (invitation.tenant !== null && email !== person.email)
        return fail('invalid', '/email: must be the invited address', '/email');
      const proof = await credential(person, password, actor);
      if (!proof.ok) return proof;
      const tenant = invitation.tenant ?? '';
      const call = { tenant, domain: '', actor: { ...actor, name: `person:${person.id}` } };
      return await mutate(store, call, async (tx) => {
        const now = await readInvitation(tx, invitation.hash);
        // Hashing took its time: another request may have been first.
        if (now === undefined || now.person.passwordHash !== person.passwordHash) return NO_LINK;
        const { maker } = now.invitation;
        if (tenant !== '' && !(await makerMay(tx, tenant, maker, INVITING, actor.at))) return INVITER_REMOVED;
        const other = await personByEmail(tx, email);
        if (other !== undefined && other.id !== person.id)
          return fail(
            'conflict',
            'The account is not created: another account has this address. Use another address.',
            '/email',
          );
        await deleteInvitation(tx, invitation.hash);
        await updatePerson(tx, person.id, {
          email,
          ...proof.value,
          profile: {
            ...(now.person.profile ?? {}),
            ...(firstName === undefined ? {} : { firstName }),
            ...(lastName === undefined ? {} : { lastName }),
          },
        });
        if (invitation.tenant !== null)
          await putRole(tx, tenant, person.id, now.invitation.role, now.invitation.maker);
        await recordAudit(tx, call.actor, {
          tenant,
          action: 'set up',
          entity: 'user',
          entityId: person.id,
          detail: { after: { email, role: now.invitation.role } },
        });
        return ok({ personId: person.id });
      });
    },

    /** The link of the first owner, made when there is neither an owner with a password nor a link that is good. */
    firstLink: async (at: number): Promise<string | undefined> => {
      const owner = await readPerson(store, PLATFORM_OWNER_ID);
      if (owner !== undefined && owner.passwordHash !== null) return undefined;
      const { hash, link } = createCode(port);
      return await store.withTx(async (tx) => {
        await ensurePerson(tx, platformOwner(at));
        for (const { invitation } of await listInvitations(tx, null, '', 100)) {
          if (invitation.expiresAt > at) return undefined;
          await deleteInvitation(tx, invitation.hash);
        }
        await insertInvitation(tx, {
          hash,
          tenant: null,
          person: PLATFORM_OWNER_ID,
          role: 'owner',
          createdAt: at,
          expiresAt: at + LINK_MS,
          maker: null,
        });
        return link;
      });
    },
  };
}
