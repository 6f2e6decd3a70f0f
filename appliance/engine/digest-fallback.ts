import { HOST_ACT, type HostActData } from '#shared/contract/feed/index.ts';
import type { JournalPorts } from '../delivery/outbox/index.ts';
import type { PlatformAlarms } from '../delivery/platform-alarms.ts';
import { cloudRow } from '../delivery/site-report.ts';
import type { KernelPorts } from '../kernel/port.ts';
import type { TenantPorts } from '../replica/index.ts';
import type { Md5Alone } from '../sip/auth/index.ts';

type Ports = KernelPorts & TenantPorts & JournalPorts;

/** Texts for the tenant, by cause. */
const REASONS: Readonly<Record<Md5Alone['cause'], string>> = {
  wrongAnswer: 'the device answered the challenge wrongly',
  noAnswer: 'the device did not answer the challenge',
  algorithmMissing: 'the device answered by MD5 without an algorithm',
};
const REMEDY = 'Set digestAlgorithm of the device to md5 or sha256, or correct its password.';

/** Reports that a device is offered MD5 alone: `serviceAlarm` of the tenant, and an entry of its audit log. */
export class DigestFallbacks {
  readonly #ports: Ports;
  readonly #alarms: Pick<PlatformAlarms, 'raise'>;

  constructor(ports: Ports, alarms: Pick<PlatformAlarms, 'raise'>) {
    this.#ports = ports;
    this.#alarms = alarms;
  }

  report({ deviceId, source, cause }: Md5Alone): void {
    const reason = `${REASONS[cause]}: MD5 alone is offered to it for a day`;
    this.#alarms.raise({
      type: 'serviceAlarm',
      error: 'digestFallback',
      deviceId,
      errorDetails: { reason, cause, sourceIp: source, message: REMEDY },
    });
    this.#audit({ action: 'digestFallback', detail: { deviceId, cause, sourceIp: source } });
  }

  #audit(act: HostActData): void {
    const { journal, run, log } = this.#ports;
    const row = cloudRow(this.#ports, { lane: 'audit', type: HOST_ACT, body: JSON.stringify(act) });
    run(
      journal.commit([{ kind: 'outbox', row }]).catch((cause: unknown) =>
        log('error', 'audit_entry.store_failed', 'Could not store an act for the audit log', {
          action: act.action,
          cause: String(cause),
        }),
      ),
    );
  }
}
