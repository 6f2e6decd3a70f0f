import type { LeaveRequest } from '#shared/contract/access/index.ts';
import type { ApiKey, ApiKeyRequest } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { ApiKeyRow, Call, Page } from '../../store/index.ts';
import {
  deleteApiKey,
  insertApiKey,
  listApiKeys,
  mutate,
  pageOf,
  readApiKey,
  recordAudit,
  recordChange,
} from '../../store/index.ts';
import { settleMade } from './hand-over.ts';
import { checkChain, checkLasts } from './maker.ts';
import { keepingOwner } from './owner-left.ts';
import type { TenancyPort } from './port.ts';
import { grantedScope, type Principal } from './principal.ts';
import { keyChange, recordKey } from './replicated.ts';
import { shownKey } from './shown.ts';

const ENTITY = 'apikey';

/** Public keys a customer registers for signing the tokens of API calls. */
export function apiKeys({ store, token }: TenancyPort) {
  return {
    list: async (tenant: string, after: string, limit: number): Promise<Page<ApiKey>> =>
      pageOf(await listApiKeys(store, tenant, after, limit + 1), limit, (row) => row.kid, shownKey),

    /** Fails with `invalid` (no such key), `forbidden` (more scope than the maker has), `makerEnds`, `conflict` (kid taken). */
    register: async (
      call: Call,
      maker: Principal,
      request: ApiKeyRequest,
    ): Promise<Result<{ kid: string }>> => {
      const key = await token.readPublicKey(request.alg, request.publicKey);
      if (!key.ok) return key;
      const granted = grantedScope(maker, request.scope);
      if (granted === null)
        return fail(
          'forbidden',
          `The key is not registered: its scope exceeds that of its creator (${maker.scopes?.join(' ')}). Send a smaller scope.`,
        );
      const lasts = checkLasts(maker, 'a key');
      if (!lasts.ok) return lasts;
      const kid = request.kid ?? (await token.thumbprint(key.value));
      return await mutate(store, call, async (tx) => {
        if ((await readApiKey(tx, call.tenant, kid)) !== undefined)
          return fail(
            'conflict',
            `The key is not registered: a key with kid ${kid} exists already. Choose another kid.`,
          );
        const chain = await checkChain(tx, call.tenant, maker.name);
        if (!chain.ok) return chain;
        const row: ApiKeyRow = {
          tenant: call.tenant,
          kid,
          name: request.name ?? null,
          alg: request.alg,
          jwk: { ...key.value },
          scope: granted.scope,
          createdAt: call.actor.at,
          maker: maker.name,
          role: null,
        };
        await insertApiKey(tx, row);
        await recordKey(tx, call, row);
        await recordAudit(tx, call.actor, {
          ...auditOf(call, kid),
          action: 'create',
          detail: { after: shownKey(row) },
        });
        return ok({ kid });
      });
    },

    /**
     * Acts at once in the cloud; on the sites with the next revision. Fails with `notFound`, and with `makerInUse` while
     * something that was made with the key is neither handed over nor revoked.
     */
    remove: (call: Call, by: Principal, kid: string, leave: LeaveRequest = {}): Promise<Result<null>> =>
      mutate(store, call, (tx) =>
        keepingOwner(tx, call, async () => {
          if ((await readApiKey(tx, call.tenant, kid)) === undefined)
            return fail('notFound', `The key ${kid} does not exist. List the keys for their ids.`);
          const settled = await settleMade(tx, call, by, `key:${kid}`, leave);
          if (!settled.ok) return settled;
          await deleteApiKey(tx, call.tenant, kid);
          await recordChange(tx, { ...keyChange(call, kid), op: 'delete' });
          await recordAudit(tx, call.actor, { ...auditOf(call, kid), action: 'delete' });
          return ok(null);
        }),
      ),
  };
}

const auditOf = (call: Call, id: string) => ({ tenant: call.tenant, entity: ENTITY, entityId: id });
