import type { ApiToken, ApiTokenRequest } from '#shared/contract/provisioning/index.ts';
import { ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { ApiTokenRow, Call, Page, Role } from '../store/index.ts';
import {
  deleteApiToken,
  ensurePerson,
  insertApiToken,
  listApiTokens,
  mutate,
  pageOf,
  readApiToken,
  recordAudit,
  recordChange,
} from '../store/index.ts';
import { PLATFORM_OWNER_ID, platformOwner } from './bearer.ts';
import type { TenancyPort } from './port.ts';
import { grantedScope, type Principal } from './principal.ts';

const ENTITY = 'apitoken';
const TOKEN_BYTES = 32;

export interface ApiTokenCreated {
  readonly id: string;
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expiresAt?: number;
}

/** Opaque tokens for scripts. Only their hash is kept; the token is shown once. */
export function apiTokens({ store, random, sha256 }: TenancyPort) {
  return {
    list: async (tenant: string, after: string, limit: number): Promise<Page<ApiToken>> =>
      pageOf(await listApiTokens(store, tenant, after, limit + 1), limit, (row) => row.id, shown),

    /** Fails with `forbidden` when more scope is asked for than the maker has. */
    create: async (
      call: Call,
      maker: Principal,
      request: ApiTokenRequest,
    ): Promise<Result<ApiTokenCreated>> => {
      const granted = grantedScope(maker, request.scope);
      if (granted === null)
        return fail('forbidden', 'A token cannot have more scope than the one who makes it.');
      const token = `ct_${Buffer.from(random(TOKEN_BYTES)).toString('base64url')}`;
      const at = call.actor.at;
      const row: ApiTokenRow = {
        tenant: call.tenant,
        id: ulid(at, random(10)),
        name: request.name ?? null,
        hash: sha256(token),
        scope: granted.scope,
        person: maker.personId ?? null,
        createdAt: at,
        expiresAt: request.expiresIn === undefined ? null : at + request.expiresIn * 1000,
      };
      const result = await mutate(store, call, async (tx) => {
        if (maker.personId === PLATFORM_OWNER_ID) await ensurePerson(tx, platformOwner(at));
        await insertApiToken(tx, row);
        const body = replicatedToken(row, maker.role);
        await recordChange(tx, { ...tokenChange(call, row.id), op: 'put', body });
        await recordAudit(tx, call.actor, {
          ...auditOf(call, row.id),
          action: 'create',
          detail: { after: shown(row) },
        });
        return ok({ id: row.id });
      });
      if (!result.ok) return result;
      // The kept answer of an idempotency key holds no secret, so a repetition cannot be given the token again.
      if (result.value.id !== row.id)
        return fail(
          'tokenShownOnce',
          `The token ${result.value.id} was made and shown already; delete it and make another.`,
        );
      return ok({ id: row.id, token, ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt }) });
    },

    remove: (call: Call, id: string): Promise<Result<null>> =>
      mutate(store, call, async (tx) => {
        if ((await readApiToken(tx, call.tenant, id)) === undefined)
          return fail('notFound', `There is no token ${id}.`);
        await deleteApiToken(tx, call.tenant, id);
        await recordChange(tx, { ...tokenChange(call, id), op: 'delete' });
        await recordAudit(tx, call.actor, { ...auditOf(call, id), action: 'delete' });
        return ok(null);
      }),
  };
}

export const tokenChange = (call: Call, id: string) =>
  ({ scope: 'tenant', owner: call.tenant, entity: ENTITY, id, at: call.actor.at }) as const;

const auditOf = (call: Call, id: string) => ({ tenant: call.tenant, entity: ENTITY, entityId: id });

/** What sites get: they check tokens too, by hash, and let the holder do what its person may do now. */
export const replicatedToken = (row: ApiTokenRow, role: Role) => ({ ...shown(row), hash: row.hash, role });

function shown(row: ApiTokenRow): ApiToken {
  return {
    id: row.id,
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.scope === null ? {} : { scope: row.scope }),
    createdAt: row.createdAt,
    ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt }),
  };
}
