import type { ApplianceConfig } from '../config.ts';
import { HeldIdentity, lackingNames, renewCertificate } from '../io/edge/index.ts';
import type { Log } from '../io/system/index.ts';
import type { StartTimer } from '../kernel/one-shot.ts';
import { fraction } from '../site/host/site-port.ts';
import type { SiteAgent } from '../site/host/uplink/site-agent.ts';
import type { HostIdentity } from '../site/index.ts';
import { CertificateRenewal } from '../site/system/index.ts';
import { clock, random } from './adapters.ts';
import { namesOf } from './certificate-name.ts';

interface RenewalParts {
  readonly log: Log;
  readonly run: (work: Promise<unknown>) => void;
  readonly startTimer: StartTimer;
  readonly trustPem: string | undefined;
  readonly site: Pick<SiteAgent, 'identity' | 'tenant'>;
  /** Listeners show the new certificate from now on. */
  readonly show: (identity: HostIdentity) => Promise<void>;
}

/** The renewal of the certificate in the identity of this host. */
export function openRenewal(config: ApplianceConfig, parts: RenewalParts): CertificateRenewal {
  const { log, run, startTimer, trustPem, site } = parts;
  const held = (): HeldIdentity | undefined =>
    site.identity instanceof HeldIdentity ? site.identity : undefined;
  return new CertificateRenewal({
    held: () => {
      const identity = held();
      if (identity === undefined) return undefined;
      const { beginsAtMs, expiresAtMs, certificatePem } = identity;
      const lacking = () => lackingNames(certificatePem, namesOf(config).needed);
      return { beginsAtMs, expiresAtMs, lacking };
    },
    renew: async () => {
      const identity = held();
      // A host that was enrolled without the setting knows the address that the platform gives.
      const cloud = config.cloud ?? site.tenant.access.publicUrl;
      if (identity === undefined || cloud === undefined) return undefined;
      const names = namesOf({ ...config, hostId: identity.hostId }).asked;
      return await renewCertificate(identity, { folder: config.data, cloud, names, trustPem });
    },
    show: async () => {
      const identity = held();
      if (identity !== undefined) await parts.show(identity);
    },
    chance: fraction({ random }),
    wallMs: clock.wallMs,
    startTimer,
    log,
    run,
  });
}
