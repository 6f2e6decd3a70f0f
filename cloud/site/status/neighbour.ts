import { type Lifecycle, readHost, readHostStatus } from '../../store/index.ts';
import type { SitePort } from '../lifecycle/port.ts';

/** The states in which a host gets its configuration: those in which it has a twin. */
const CONFIGURED: readonly Lifecycle[] = ['commissioning', 'active', 'draining', 'drained'];

/**
 * The host that `uid` may fetch for: itself, or another one of its site that has no way to us. The answer is signed, and the
 * secrets in it are sealed for the other. Undefined: it may not.
 */
export const neighbours =
  ({ store }: Pick<SitePort, 'store'>) =>
  async (uid: string, other: string): Promise<string | undefined> => {
    if (other === uid) return uid;
    const [own, its] = await Promise.all([readHost(store, uid), readHost(store, other)]);
    if (own === undefined || its === undefined) return undefined;
    const together = own.tenant === its.tenant && own.siteId === its.siteId;
    return together && [own, its].every(({ lifecycle }) => CONFIGURED.includes(lifecycle))
      ? other
      : undefined;
  };

/** Whether this host is not held for offline; one in doubt is seen until the doubt is over. */
export const sight =
  ({ store }: Pick<SitePort, 'store'>) =>
  async (uid: string): Promise<boolean> => {
    const connectivity = (await readHostStatus(store, uid))?.connectivity ?? 'never';
    return connectivity !== 'never' && connectivity !== 'offline';
  };
