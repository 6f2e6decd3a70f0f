import type { PlatformAlarm } from '#shared/contract/callback/index.ts';
import { ulid } from '#shared/id.ts';
import { listTenants, type TenantRow, type Tx } from '../../store/index.ts';
import type { ProvisioningPort } from '../resource/port.ts';
import { type UnusableCredential, unusableCredentials } from './unusable-credential.ts';

type Trouble = { readonly error: 'credentialUnusable'; readonly subject: string };

export interface CredentialWatchPort extends Pick<ProvisioningPort, 'store' | 'random' | 'signingFault'> {
  readonly nowMs: () => number;
  /** Puts a platform alarm on its way to the tenant, in the given transaction. `id` is its idempotency key. */
  readonly relay: (tx: Tx, tenant: string, id: string, alarm: PlatformAlarm, at: number) => Promise<void>;
  /** Alarms of the deployment: the operator hears of a tenant whose own endpoint has such a credential. */
  readonly platform: {
    readonly raise: (trouble: Trouble & { readonly message: string }) => void;
    readonly clear: (trouble: Trouble) => void;
  };
}

const PAGE = 200;
/** So many credentials are named in an alarm; all are counted. */
const NAMED = 20;

/**
 * A round over all tenants: each with a stored credential that cannot sign gets one `serviceAlarm credentialUnusable`
 * while the program runs, and the deployment one alarm that stands until the credential is changed.
 */
export function createCredentialWatch(port: CredentialWatchPort): () => Promise<void> {
  const { store, platform } = port;
  const raised = new Set<string>();

  async function watch({ id, domain }: TenantRow): Promise<void> {
    const unusable = await unusableCredentials(port, store, id);
    const trouble: Trouble = { error: 'credentialUnusable', subject: domain };
    if (unusable.length === 0) {
      raised.delete(id);
      platform.clear(trouble);
      return;
    }
    platform.raise({ ...trouble, message: sentence(unusable) });
    if (raised.has(id)) return;
    raised.add(id);
    const at = port.nowMs();
    const key = ulid(at, port.random(10));
    await store.withTx((tx) => port.relay(tx, id, key, alarmOf(domain, unusable, at), at));
  }

  return async () => {
    let after = '';
    for (;;) {
      const tenants = await listTenants(store, after, PAGE);
      for (const tenant of tenants) await watch(tenant);
      const last = tenants.at(-1);
      if (last === undefined || tenants.length < PAGE) return;
      after = last.domain;
    }
  };
}

function sentence(unusable: readonly UnusableCredential[]): string {
  const [first] = unusable;
  const place = [first?.entity, first?.id].filter((part) => part !== undefined).join(' ');
  return `${unusable.length} credentials cannot sign callbacks; the first is of ${place}, ${first?.path}: ${first?.reason}.`;
}

const alarmOf = (domain: string, unusable: readonly UnusableCredential[], time: number): PlatformAlarm => ({
  type: 'serviceAlarm',
  domain,
  time,
  error: 'credentialUnusable',
  errorDetails: {
    message: sentence(unusable),
    count: unusable.length,
    credentials: unusable.slice(0, NAMED),
  },
});
