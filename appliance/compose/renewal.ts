import type { ApplianceConfig } from '../config.ts';
import { HeldIdentity, lackingNames, renewCertificate } from '../io/edge/index.ts';
import { type Log, startTimer } from '../io/system/index.ts';
import type { RemoteOperation } from '../site/host/site-port.ts';
import type { SiteAgent } from '../site/host/uplink/site-agent.ts';
import { type HostIdentity, nextRenewalMs } from '../site/index.ts';
import { clock, random } from './adapters.ts';
import { namesOf } from './certificate-name.ts';

interface RenewalParts {
  readonly log: Log;
  readonly run: (work: Promise<unknown>) => void;
  readonly trustPem: string | undefined;
  readonly site: Pick<SiteAgent, 'identity' | 'tenant'>;
  /** Listeners show the new certificate from now on. */
  readonly show: (identity: HostIdentity) => Promise<void>;
}

/** The certificate of this host, renewed in time, when the cloud asks and when it lacks a name; alarms and calls notice nothing of it. */
export interface Renewal {
  /** From now on in time; also one that has ended while the machine was off. */
  readonly start: () => void;
  readonly now: RemoteOperation;
  readonly stop: () => void;
}

export function openRenewal(config: ApplianceConfig, parts: RenewalParts): Renewal {
  const { log, run, trustPem, site } = parts;
  let cancel: () => void = () => undefined;
  let failed = 0;
  /** A name that the control plane has left out of a certificate once is left out the next time. */
  let asked = false;
  const chance = Buffer.from(random(4)).readUInt32BE() / 2 ** 32;

  async function renew(): Promise<Awaited<ReturnType<typeof renewCertificate>> | undefined> {
    const { identity, tenant } = site;
    // A host that was enrolled without the setting knows the address that the platform gives.
    const cloud = config.cloud ?? tenant.access.publicUrl;
    if (!(identity instanceof HeldIdentity) || cloud === undefined) return undefined;
    const names = namesOf({ ...config, hostId: identity.hostId }).asked;
    const outcome = await renewCertificate(identity, { folder: config.data, cloud, names, trustPem });
    if (outcome.ok) {
      failed = 0;
      asked = true;
      log('info', 'certificate.renewed', 'Renewed the certificate of this host', {
        expiresAt: new Date(outcome.value.expiresAt).toISOString(),
      });
      await parts.show(identity);
    } else {
      failed += 1;
      const { code, reason } = outcome.error;
      log(
        code === 'refused' ? 'error' : 'warn',
        'certificate.renew_failed',
        'Could not renew the certificate of this host',
        { code, reason },
      );
    }
    return outcome;
  }

  function schedule(): void {
    const { identity } = site;
    if (!(identity instanceof HeldIdentity)) return;
    const { beginsAtMs, expiresAtMs } = identity;
    const soon = failed === 0 && lacks(identity).length > 0;
    const delayMs = soon ? 0 : nextRenewalMs({ beginsAtMs, expiresAtMs, failed }, clock.wallMs(), chance);
    cancel();
    cancel = startTimer(delayMs, () => run(look()));
  }

  async function look(): Promise<void> {
    const { identity } = site;
    if (identity instanceof HeldIdentity && isDue(identity)) await renew();
    schedule();
  }

  /** The clock may have been wrong when the timer was set. */
  const isDue = (identity: HeldIdentity): boolean => {
    const { beginsAtMs, expiresAtMs } = identity;
    const lacking = lacks(identity);
    if (lacking.length > 0)
      log('info', 'certificate.names_missing', 'The certificate lacked names of this host', { lacking });
    return (
      lacking.length > 0 ||
      nextRenewalMs({ beginsAtMs, expiresAtMs, failed: 0 }, clock.wallMs(), chance) === 0
    );
  };

  /** A listener or a shared address that came after the certificate. */
  const lacks = ({ certificatePem }: HeldIdentity): readonly string[] =>
    asked ? [] : lackingNames(certificatePem, namesOf(config).needed);

  return {
    start: schedule,
    now: async () => {
      const outcome = await renew();
      schedule();
      if (outcome === undefined)
        return { ok: false, code: 'noCloud', reason: 'this host does not know the address of the cloud' };
      return outcome.ok
        ? { ok: true, value: { expiresAt: outcome.value.expiresAt } }
        : { ok: false, code: outcome.error.code, reason: outcome.error.reason };
    },
    stop: () => cancel(),
  };
}
