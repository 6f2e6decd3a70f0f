import type { Profile, ProfileCreation, ProfileRequest } from '#shared/contract/access/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Call,
  ensurePerson,
  listMemberships,
  listTenants,
  mutate,
  type Page,
  type PersonRow,
  pageOf,
  personByEmail,
  readPerson,
  recordAudit,
  type Tx,
  updatePerson,
} from '../../store/index.ts';
import { platformOwner } from '../credential/bearer.ts';
import { PLATFORM_OWNER_ID } from '../credential/maker.ts';
import type { TenancyPort } from '../credential/port.ts';
import type { Principal } from '../credential/principal.ts';

/** Set by the creation of the profile, which happens once. */
const CREATED = 'createdAt';

/** The fields that PUT replaces. */
const REPLACED: ReadonlySet<string> = new Set(['firstName', 'lastName', 'phone', 'company', 'emailConsent']);

const NAME_KEPT = fail(
  'unscopedTokenRequired',
  'The e-mail address is not changed: it is the sign-in name, and a token with a scope cannot change it. Sign in, or use a token without a scope.',
  '/email',
);

const withoutEmail = ({ email: _, ...fields }: ProfileRequest): Record<string, unknown> => fields;

type Change = (before: Record<string, unknown>) => Result<Record<string, unknown>>;

/** The person that asks: `/currentuser` (provisioning document 2.6 and 4). */
export function profiles({ store }: TenancyPort) {
  /** `email` is the sign-in name and lives beside the profile. */
  const write = (
    call: Call,
    { personId: id = '', authenticatedAt, scopes }: Principal,
    action: string,
    request: ProfileRequest,
    change: Change,
  ) =>
    mutate(store, call, async (tx): Promise<Result<null>> => {
      const person = await known(tx, id, call.actor.at);
      if (person === undefined)
        return fail(
          'forbidden',
          'The profile does not exist: the person of this token was removed. Sign in again.',
        );
      const { email = person.email } = request;
      // The person who sets the name to sign in with decides who comes in as this person.
      if (email !== person.email && authenticatedAt === undefined && scopes !== null) return NAME_KEPT;
      const other = await personByEmail(tx, email);
      if (other !== undefined && other.id !== id)
        return fail('conflict', '/email: must be unique; another account has this address', '/email');
      const profile = change(person.profile ?? {});
      if (!profile.ok) return profile;
      await updatePerson(tx, id, { email, profile: profile.value });
      await recordAudit(tx, call.actor, {
        tenant: '',
        action,
        entity: 'profile',
        entityId: id,
        // The data of a person about himself are his: the log keeps which fields were touched, not their values.
        detail: { fields: Object.keys(request) },
      });
      return ok(null);
    });

  return {
    read: async (id: string): Promise<Profile> => {
      const person = await readPerson(store, id);
      const { firstName, lastName, phone, company, emailConsent } = (person?.profile ?? {}) as Profile;
      const shown = { firstName, lastName, phone, company, emailConsent };
      // The owner's account has no address before it is set up.
      const email = person === undefined || person.email === PLATFORM_OWNER_ID ? undefined : person.email;
      return Object.fromEntries(
        Object.entries({ ...shown, email }).filter(([, value]) => value !== undefined),
      );
    },

    /** At the first sign-in. Fails with `conflict` when it was done before. */
    create: (call: Call, by: Principal, request: ProfileCreation) =>
      write(call, by, 'create', request, (before) =>
        CREATED in before
          ? fail('conflict', 'The profile is not created: it exists already. Change it with PUT or PATCH.')
          : ok({ ...before, ...withoutEmail(request), [CREATED]: call.actor.at }),
      ),

    /** Fields that are not given are cleared; values from the creation stay. */
    overwrite: (call: Call, by: Principal, request: ProfileRequest) =>
      write(call, by, 'put', request, (before) => {
        const stated = Object.entries(before).filter(([name]) => !REPLACED.has(name));
        return ok({ ...Object.fromEntries(stated), ...withoutEmail(request) });
      }),

    patch: (call: Call, by: Principal, request: ProfileRequest) =>
      write(call, by, 'patch', request, (before) => ok({ ...before, ...withoutEmail(request) })),

    /** Tenants the person may enter; of a token that opens one tenant, that one. */
    tenants: async (
      principal: Principal,
      personId: string,
      after: string,
      limit: number,
    ): Promise<Page<{ domain: string; role: string }>> => {
      if (principal.authenticatedAt === undefined && principal.tenant !== null)
        return { items: [{ domain: principal.tenant.domain, role: principal.role }] };
      const rows = principal.platformOwner
        ? (await listTenants(store, after, limit + 1)).map(({ domain }) => ({ domain, role: 'owner' }))
        : await listMemberships(store, personId, after, limit + 1);
      return pageOf(
        rows,
        limit,
        ({ domain }) => domain,
        ({ domain, role }) => ({ domain, role }),
      );
    },
  };
}

/** The row; that of the platform owner is made when it is first written to. */
async function known(tx: Tx, id: string, at: number): Promise<PersonRow | undefined> {
  if (id === PLATFORM_OWNER_ID) await ensurePerson(tx, platformOwner(at));
  return await readPerson(tx, id);
}
