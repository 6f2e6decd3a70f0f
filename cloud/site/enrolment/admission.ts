import type { HostPlace } from '#shared/contract/feed/index.ts';
import { ok } from '#shared/result.ts';
import {
  type Actor,
  type HostRow,
  type Lifecycle,
  mutate,
  readHost,
  revokeCertificates,
  updateHost,
} from '../../store/index.ts';
import { type HostLifecycle, subjectOf } from '../lifecycle/host-lifecycle.ts';
import type { SitePort } from '../lifecycle/port.ts';

/** A host that may speak with the control plane. */
export interface AdmittedHost {
  readonly place: HostPlace;
  /** SPKI PEM. */
  readonly publicKey: string;
  readonly lifecycle: Lifecycle;
  /** Its row, as it was read. */
  readonly row: HostRow;
}

/** Where a host enters: the broker is shut for a quarantined host, its twin it gets by HTTPS. */
export type AccessPoint = 'broker' | 'edge';

const AT_BROKER: readonly Lifecycle[] = ['commissioning', 'active', 'draining', 'drained', 'decommissioning'];

/**
 * Chosen: for so long after a change the certificate before is refused and nothing more: a connection kept open by the
 * host itself may still carry it.
 */
const CHANGE_MS = 10 * 60_000;

export const mayHoldCertificate = (lifecycle: Lifecycle): boolean => AT_BROKER.includes(lifecycle);

const mayEnter = (lifecycle: Lifecycle, accessPoint: AccessPoint): boolean =>
  AT_BROKER.includes(lifecycle) || (accessPoint === 'edge' && lifecycle === 'quarantined');

const placeOf = ({ sh, tenant, siteId, uid }: HostRow): HostPlace => ({ sh, tenant, siteId, uid });

/** Admits hosts to broker and edge listener, by uid and serial number of the certificate. */
export function admission(port: SitePort, course: HostLifecycle) {
  const { store, alarms } = port;

  /** The first use of the certificate that was issued last makes the one before it worthless. */
  async function promote(host: HostRow, at: number): Promise<void> {
    const set = { certSerial: host.certNext, certNext: null, certSince: at };
    const { uid, certSerial, certExpires } = host;
    await store.withTx(async (tx) => {
      await updateHost(tx, uid, set);
      // The one before has not ended, and other brokers do not compare serials.
      if (certSerial === null) return;
      const row = { serial: certSerial, uid, revokedAt: at, until: certExpires ?? 0 };
      await revokeCertificates(tx, [row], at);
    });
  }

  /** A certificate from before the last two is in the hands of a copy of the disk. */
  async function quarantine(host: HostRow, actor: Actor): Promise<void> {
    const call = { tenant: host.tenant, domain: '', actor };
    await mutate(store, call, async (tx) => {
      const current = (await readHost(tx, host.uid)) ?? host;
      const reason = 'a certificate of an earlier generation was used, so a copy of its disk is in use';
      const lived = await course.live(tx, actor, current, { kind: 'lock' }, reason);
      const newAlarm = { error: 'duplicateIdentity', service: '', severity: 'critical' } as const;
      const message = `Host ${host.hostId} was quarantined: ${reason}. Find the copy, then release the host.`;
      await alarms.raise(tx, subjectOf(host), {
        ...newAlarm,
        message,
        details: { condition: 'oldCertificate' },
      });
      return lived.ok ? ok(null) : lived;
    });
    port.onHostChanged(host.uid);
  }

  /**
   * Undefined = refused. `serial`: of the client certificate, lower-case hex; absent at the broker's plain loopback
   * listener, where a token by the host's key stands for it.
   */
  async function admit(
    uid: string,
    serial: string | undefined,
    accessPoint: AccessPoint,
    actor: Actor,
  ): Promise<AdmittedHost | undefined> {
    const host = await readHost(store, uid);
    if (host === undefined || !mayEnter(host.lifecycle, accessPoint)) return undefined;
    if (serial !== undefined && serial !== host.certSerial) {
      if (serial !== host.certNext) {
        const isLate = actor.at > host.certSince + CHANGE_MS;
        if (isLate && mayHoldCertificate(host.lifecycle)) await quarantine(host, actor);
        return undefined;
      }
      await promote(host, actor.at);
    }
    return { place: placeOf(host), publicKey: host.publicKey, lifecycle: host.lifecycle, row: host };
  }

  return { admit };
}
