import type { ApiKey, ApiToken } from '#shared/contract/provisioning/index.ts';
import type { ApiKeyRow, ApiTokenRow } from '../../store/index.ts';

const makerField = ({ maker }: { readonly maker: string | null }) => (maker === null ? {} : { maker });

/** As answers show it: the key as JWK, whatever form it came in. */
export function shownKey(row: ApiKeyRow): ApiKey {
  return {
    kid: row.kid,
    alg: row.alg,
    publicKey: row.jwk as Record<string, string>,
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.scope === null ? {} : { scope: row.scope }),
    createdAt: row.createdAt,
    ...makerField(row),
  };
}

export function shownToken(row: ApiTokenRow): ApiToken {
  return {
    id: row.id,
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.scope === null ? {} : { scope: row.scope }),
    createdAt: row.createdAt,
    ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt }),
    ...makerField(row),
  };
}
