import type { Role } from '#shared/access/index.ts';
import { PERSON_LIFE_S, PERSON_TYP, type PersonStatement } from '#shared/contract/access/index.ts';
import { canonicalJson } from '#shared/contract/feed/index.ts';
import { type RandomBytes, ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Actor,
  type HostRow,
  readNotificationSettings,
  recordAudit,
  type Store,
} from '../../store/index.ts';

/** A person who is signed in, as the gate let it in. */
export interface AskingPerson {
  readonly actor: Actor;
  readonly role: Role;
}

/** The operation that the person asks for. */
interface AskedOperation {
  readonly tenant: { readonly id: string; readonly domain: string };
  readonly operation: string;
  readonly body: unknown;
}

export type SignPersonStatement = (
  person: AskingPerson,
  host: Pick<HostRow, 'uid' | 'siteId' | 'hostId'>,
  call: AskedOperation,
) => Promise<Result<string, { readonly code: 'personStatementsRefused'; readonly reason: string }>>;

export interface PersonStatementPort {
  readonly store: Store;
  /** By the key that signs twins: hosts follow it already. */
  readonly sign: (typ: string, payload: unknown) => Promise<string>;
  readonly sha256: (text: string) => string;
  readonly random: RandomBytes;
  readonly nowMs: () => number;
}

/**
 * Signs that a person asks one host for one operation with one body, within 60 s. The audit entry is written first: no
 * statement leaves that the tenant cannot find. Fails where the tenant lets no person ask its hosts.
 */
export const createPersonStatements =
  ({ store, sign, sha256, random, nowMs }: PersonStatementPort): SignPersonStatement =>
  async ({ actor, role }, { uid, siteId, hostId }, { tenant, operation, body }) => {
    const settings = await readNotificationSettings(store, tenant.id);
    if ((settings?.body as { personStatements?: string } | undefined)?.personStatements === 'refused')
      return fail(
        'personStatementsRefused',
        'The request is refused: the tenant lets no signed-in person ask its hosts. Send an API token of the tenant, or change personStatements in the notification settings.',
      );
    const at = nowMs();
    const iat = at / 1_000;
    const statement: PersonStatement = {
      v: 1,
      domain: tenant.domain,
      aud: uid,
      sub: actor.name,
      role,
      operation,
      body: sha256(canonicalJson(body)),
      jti: ulid(at, random(10)),
      iat,
      exp: iat + PERSON_LIFE_S,
    };
    await store.withTx((tx) =>
      recordAudit(tx, actor, {
        tenant: tenant.id,
        action: operation,
        entity: 'host',
        entityId: `${siteId}/${hostId}`,
        detail: { statement: statement.jti, role },
      }),
    );
    return ok(await sign(PERSON_TYP, statement));
  };
