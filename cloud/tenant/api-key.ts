import type { ApiKey, ApiKeyRequest } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { ApiKeyRow, Call, Page } from '../store/index.ts';
import {
  deleteApiKey,
  insertApiKey,
  listApiKeys,
  mutate,
  pageOf,
  readApiKey,
  recordAudit,
  recordChange,
} from '../store/index.ts';
import type { TenancyPort } from './port.ts';
import { grantedScope, type Principal } from './principal.ts';

const ENTITY = 'apikey';

/** Public keys a customer registers for signing the tokens of API calls. */
export function apiKeys({ store, token }: TenancyPort) {
  return {
    list: async (tenant: string, after: string, limit: number): Promise<Page<ApiKey>> =>
      pageOf(await listApiKeys(store, tenant, after, limit + 1), limit, (row) => row.kid, shown),

    /** Fails with `invalid` (no such key), `forbidden` (more scope than the maker has), `conflict` (kid taken). */
    register: async (
      call: Call,
      maker: Principal,
      request: ApiKeyRequest,
    ): Promise<Result<{ kid: string }>> => {
      const key = await token.readPublicKey(request.alg, request.publicKey);
      if (!key.ok) return key;
      const granted = grantedScope(maker, request.scope);
      if (granted === null)
        return fail('forbidden', 'A key cannot have more scope than the one who registers it.');
      const kid = request.kid ?? (await token.thumbprint(key.value));
      return await mutate(store, call, async (tx) => {
        if ((await readApiKey(tx, call.tenant, kid)) !== undefined)
          return fail('conflict', `A key with kid ${kid} is registered already.`);
        const row: ApiKeyRow = {
          tenant: call.tenant,
          kid,
          name: request.name ?? null,
          alg: request.alg,
          jwk: { ...key.value },
          scope: granted.scope,
          createdAt: call.actor.at,
        };
        await insertApiKey(tx, row);
        const body = shown(row);
        await recordChange(tx, { ...changeOf(call, kid), op: 'put', body });
        await recordAudit(tx, call.actor, {
          ...auditOf(call, kid),
          action: 'create',
          detail: { after: body },
        });
        return ok({ kid });
      });
    },

    /** Acts at once in the cloud; on the sites with the next revision. */
    remove: (call: Call, kid: string): Promise<Result<null>> =>
      mutate(store, call, async (tx) => {
        if ((await readApiKey(tx, call.tenant, kid)) === undefined)
          return fail('notFound', `There is no key ${kid}.`);
        await deleteApiKey(tx, call.tenant, kid);
        await recordChange(tx, { ...changeOf(call, kid), op: 'delete' });
        await recordAudit(tx, call.actor, { ...auditOf(call, kid), action: 'delete' });
        return ok(null);
      }),
  };
}

const changeOf = (call: Call, id: string) =>
  ({ scope: 'tenant', owner: call.tenant, entity: ENTITY, id, at: call.actor.at }) as const;

const auditOf = (call: Call, id: string) => ({ tenant: call.tenant, entity: ENTITY, entityId: id });

/** As answers and sites see it: the key as JWK, whatever form it came in. */
function shown(row: ApiKeyRow): ApiKey {
  return {
    kid: row.kid,
    alg: row.alg,
    publicKey: row.jwk as Record<string, string>,
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.scope === null ? {} : { scope: row.scope }),
    createdAt: row.createdAt,
  };
}
