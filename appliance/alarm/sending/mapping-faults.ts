import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import { ReportMemory } from '../../kernel/report-memory.ts';
import type { MappingFault } from './order/mapped-event.ts';

/** Reports `mappingRules` that could not be carried out: their event went out unchanged, and a person must correct them. */
export class MappingFaults {
  readonly #ports: Pick<KernelPorts, 'log' | 'clock'>;
  readonly #alarms: Pick<PlatformAlarms, 'raise'>;
  readonly #reported = new ReportMemory();

  constructor(ports: Pick<KernelPorts, 'log' | 'clock'>, alarms: Pick<PlatformAlarms, 'raise'>) {
    this.#ports = ports;
    this.#alarms = alarms;
  }

  /** The log has every fault, the tenant one of each mapper in ten minutes. */
  report(fault: MappingFault, traceId: string): void {
    const { mapperId, name, path, reason } = fault;
    this.#ports.log(
      'error',
      'event_mapper.apply_failed',
      'Could not apply mappingRules to an event; sent the event unchanged',
      { ...fault, traceId },
    );
    if (!this.#reported.report('mapper', mapperId, this.#ports.clock.monoMs())) return;
    const text = `mappingRules of the event mapper ${name} could not be applied (${reason}); the event was sent unchanged: correct the rule at ${path}`;
    const errorDetails = { reason: text, alarmEventMapperId: mapperId, path };
    this.#alarms.raise({ type: 'serviceAlarm', error: 'mappingRulesFailed', errorDetails }, traceId);
  }
}
