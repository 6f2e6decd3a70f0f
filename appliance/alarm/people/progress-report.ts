import { CALLBACK_PATH, type EmergencyProgress } from '#shared/contract/callback/index.ts';
import { bridgeDestination, type DeliveryService } from '../../delivery/delivery-service.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { ListEffect } from '../emergency-list/index.ts';
import type { ActiveAlarm } from '../receiving/active-alarm.ts';

type Ports = KernelPorts & TenantPorts;
type Progress = ListEffect & { readonly type: 'progress' };

/**
 * Each step of an emergency list for the application of the bridge: a record, in the order of its session. It is written with the state of
 * the session that has the step: a list whose people are called at once takes a dozen steps in one turn.
 */
export class ProgressReport {
  readonly #ports: Ports;
  readonly #delivery: DeliveryService;

  constructor(ports: Ports, delivery: DeliveryService) {
    this.#ports = ports;
    this.#delivery = delivery;
  }

  /** `seq`: counted from 1 in each session. */
  send({ facts, bridge, reports }: ActiveAlarm, { type: _, ...progress }: Progress, seq: number): void {
    if (bridge?.callbackBaseUrl === undefined) return;
    const { clock, tenant, place } = this.#ports;
    const { sessionId, traceId } = facts;
    const body: EmergencyProgress = {
      sessionId,
      ivrServer: place.address,
      domain: tenant().domain,
      traceId,
      siteId: place.siteId,
      time: clock.wallMs(),
      ...progress,
      ...(facts.deviceId !== undefined && { deviceId: facts.deviceId }),
      ...(facts.customerSiteId !== undefined && { customerSiteId: facts.customerSiteId }),
    };
    const row = this.#delivery.row({
      lane: 'svc',
      dest: bridgeDestination(facts.bridgeId),
      orderKey: sessionId,
      type: 'emergencyProgress',
      call: {
        traceId,
        path: CALLBACK_PATH.emergencyProgress,
        headers: {},
        body: JSON.stringify(body),
        eventSeq: seq,
        shape: 'default',
      },
      state: 'new',
      late: false,
    });
    reports.push(row);
  }
}
