import { BoundedMap } from '#shared/bounded-map.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import { ReportMemory } from '../../kernel/report-memory.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { Arrival } from './arrival.ts';

const MOST_ALARMS = 10_000;

/**
 * Possible repeats that are only answered, because their alarm came from as many addresses as are taken. Each is
 * logged; a person is notified once for each sender in ten minutes, with their number so far: one of them may be the
 * device itself.
 */
export class CountedRepeats {
  readonly #ports: Pick<KernelPorts, 'clock' | 'log'> & Pick<TenantPorts, 'tenant'>;
  readonly #alarms: Pick<PlatformAlarms, 'raise'>;
  readonly #reports = new ReportMemory();
  /** By session of the first telling. */
  readonly #counts = new BoundedMap<string, number>(MOST_ALARMS);

  constructor(
    ports: Pick<KernelPorts, 'clock' | 'log'> & Pick<TenantPorts, 'tenant'>,
    alarms: Pick<PlatformAlarms, 'raise'>,
  ) {
    this.#ports = ports;
    this.#alarms = alarms;
  }

  add(sessionId: string, { bridge, fromUser, sourceIp, protocol, trace }: Arrival): void {
    const count = (this.#counts.get(sessionId) ?? 0) + 1;
    this.#counts.set(sessionId, count);
    const reason =
      'the same alarm came from more addresses than are told, and its sender proves no identity; look after the device, and give it credentials or a key';
    const said = { sessionId, sender: fromUser, sourceIp, protocol, count };
    this.#ports.log(
      'warn',
      'possible_repeat.counted',
      'Counted a possible repeat without a callback of its own',
      { ...said, traceId: trace.traceId },
    );
    trace.add('note', { text: `possible repeat of ${sessionId}, number ${count} that is not reported` });
    const whose = `${bridge.id} ${fromUser}`;
    if (!this.#reports.report(this.#ports.tenant().domain, whose, this.#ports.clock.monoMs())) return;
    this.#alarms.raise(
      {
        type: 'serviceAlarm',
        error: 'possibleRepeats',
        errorDetails: { reason, sender: fromUser, sourceIp, count },
        sessionId,
        alarmBridgeId: bridge.id,
      },
      trace.traceId,
    );
  }
}
