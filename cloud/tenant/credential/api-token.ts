import type { LeaveRequest } from '#shared/contract/access/index.ts';
import type { ApiToken, ApiTokenRequest } from '#shared/contract/provisioning/index.ts';
import { ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { ApiTokenRow, Call, Page } from '../../store/index.ts';
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
} from '../../store/index.ts';
import { platformOwner } from './bearer.ts';
import { settleMade } from './hand-over.ts';
import { checkChain, PLATFORM_OWNER_ID } from './maker.ts';
import { keepingOwner } from './owner-left.ts';
import type { TenancyPort } from './port.ts';
import { grantedScope, type Principal } from './principal.ts';
import { recordToken, tokenChange } from './replicated.ts';
import { shownToken } from './shown.ts';

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
      pageOf(await listApiTokens(store, tenant, after, limit + 1), limit, (row) => row.id, shownToken),

    /** Fails with `forbidden` when more scope or a longer life is asked for than the maker has. */
    create: async (
      call: Call,
      maker: Principal,
      request: ApiTokenRequest,
    ): Promise<Result<ApiTokenCreated>> => {
      const granted = grantedScope(maker, request.scope);
      if (granted === null)
        return fail(
          'forbidden',
          `The token is not created: its scope exceeds that of its creator (${maker.scopes?.join(' ')}). Send a smaller scope.`,
        );
      const life = lifeOf(maker, request, call.actor.at);
      if (!life.ok) return life;
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
        expiresAt: life.value,
        maker: maker.name,
        role: null,
      };
      const result = await mutate(store, call, async (tx) => {
        if (maker.personId === PLATFORM_OWNER_ID) await ensurePerson(tx, platformOwner(at));
        const chain = await checkChain(tx, call.tenant, maker.name);
        if (!chain.ok) return chain;
        await insertApiToken(tx, row);
        await recordToken(tx, call, row);
        await recordAudit(tx, call.actor, {
          ...auditOf(call, row.id),
          action: 'create',
          detail: { after: shownToken(row) },
        });
        return ok({ id: row.id });
      });
      if (!result.ok) return result;
      // The kept answer of an idempotency key holds no secret, so a repetition cannot be given the token again.
      if (result.value.id !== row.id)
        return fail(
          'tokenShownOnce',
          `The token ${result.value.id} cannot be shown again: it was created and shown before. Delete it and create another.`,
        );
      return ok({ id: row.id, token, ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt }) });
    },

    /** Fails with `notFound`, and with `makerInUse` like the removal of a key. */
    remove: (call: Call, by: Principal, id: string, leave: LeaveRequest = {}): Promise<Result<null>> =>
      mutate(store, call, (tx) =>
        keepingOwner(tx, call, async () => {
          if ((await readApiToken(tx, call.tenant, id)) === undefined)
            return fail('notFound', `The token ${id} does not exist. List the tokens for their ids.`);
          const settled = await settleMade(tx, call, by, `token:${id}`, leave);
          if (!settled.ok) return settled;
          await deleteApiToken(tx, call.tenant, id);
          await recordChange(tx, { ...tokenChange(call, id), op: 'delete' });
          await recordAudit(tx, call.actor, { ...auditOf(call, id), action: 'delete' });
          return ok(null);
        }),
      ),
  };
}

/** When the token ends: as asked, else with its maker. */
function lifeOf({ endsAt }: Principal, { expiresIn }: ApiTokenRequest, at: number): Result<number | null> {
  const asked = expiresIn === undefined ? undefined : at + expiresIn * 1000;
  if (endsAt === undefined) return ok(asked ?? null);
  return asked === undefined || asked <= endsAt
    ? ok(asked ?? endsAt)
    : fail(
        'forbidden',
        'The token is not created: it would outlive the token that creates it. Send a shorter life.',
        '/expiresIn',
      );
}

const auditOf = (call: Call, id: string) => ({ tenant: call.tenant, entity: ENTITY, entityId: id });
