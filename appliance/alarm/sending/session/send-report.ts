import { readAddressUser } from '#shared/address-user.ts';
import {
  type AlarmQueued,
  type AlarmSendFailure,
  type AlarmSent,
  CALLBACK_PATH,
} from '#shared/contract/callback/index.ts';
import { type CallbackPorts, makeReplyId } from '../../../delivery/callback/index.ts';
import { bridgeDestination, type DeliveryService } from '../../../delivery/delivery-service.ts';
import type { OutboxRow } from '../../../delivery/outbox/index.ts';
import type { PlatformAlarms } from '../../../delivery/platform-alarms.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import type { SendWarning } from '../../protocol/index.ts';
import type { ActiveSending, SendingInfo } from './active-sending.ts';

type Ports = KernelPorts & TenantPorts & CallbackPorts;

/** Progress of an event, as its application gets it. */
export type SendProgress =
  | { readonly kind: 'alarmQueued' | 'alarmSent'; readonly alarmString: string; readonly dialogId: string }
  | { readonly kind: 'alarmSendFailure'; readonly warning: SendWarning; readonly reason: string };

/** Handle for later operations on this session. */
export const replyIdOf = (
  ports: TenantPorts & Pick<KernelPorts, 'clock'> & Pick<CallbackPorts, 'signReply'>,
  { sessionId }: SendingInfo,
): string =>
  makeReplyId(
    {
      domain: ports.tenant().domain,
      host: ports.place.hostId,
      epoch: ports.place.epoch,
      session: sessionId,
      refers: 'alarm',
      iat: Math.floor(ports.clock.wallMs() / 1000),
    },
    ports.signReply,
  );

/** Tells applications what became of their events: a row of the outbox, in the commit that ends the session. */
export class SendReport {
  readonly #ports: Ports;
  readonly #delivery: DeliveryService;
  readonly #alarms: PlatformAlarms;

  constructor(ports: Ports, delivery: DeliveryService, alarms: PlatformAlarms) {
    this.#ports = ports;
    this.#delivery = delivery;
    this.#alarms = alarms;
  }

  /** Undefined: there is no application to tell. A failure then becomes an alarm of the platform: never silence. */
  row(known: ActiveSending, progress: SendProgress): OutboxRow | undefined {
    const { facts } = known;
    if (facts.order.selfTest === true) return undefined;
    const { bridgeId } = facts.order;
    const bridge = bridgeId === undefined ? undefined : this.#ports.tenant().bridge(bridgeId);
    if (bridge?.callbackBaseUrl === undefined) {
      if (progress.kind === 'alarmSendFailure') this.#raise(known, progress);
      return undefined;
    }
    return this.#delivery.row({
      lane: 'alarm',
      dest: bridgeDestination(bridge.id),
      orderKey: facts.sessionId,
      type: progress.kind,
      call: {
        traceId: facts.traceId,
        path: CALLBACK_PATH[progress.kind],
        headers: {},
        body: JSON.stringify(this.#body(known, progress)),
        eventSeq: ++known.callbacks,
        shape: 'default',
      },
      state: 'new',
      late: false,
    });
  }

  /** The row is on the disk, or could not be written. It is sent in both cases, since there is no second report. */
  send(row: OutboxRow): void {
    this.#delivery.queued(row);
  }

  #raise(
    { facts, target }: ActiveSending,
    progress: SendProgress & { readonly kind: 'alarmSendFailure' },
  ): void {
    const { order, sessionId, traceId, protocol } = facts;
    this.#alarms.raise(
      {
        type: 'serviceAlarm',
        error: 'alarmNotSent',
        errorDetails: {
          reason: progress.reason,
          warning: progress.warning,
          protocol,
          destination: target?.addresses.primary.destination ?? null,
          controllerId: order.event.controllerId,
          unit: order.event.deviceId ?? null,
        },
        sessionId,
        ...(order.deviceId !== undefined && { deviceId: order.deviceId }),
        ...(order.bridgeId !== undefined && { alarmBridgeId: order.bridgeId }),
      },
      traceId,
    );
  }

  #body(
    { facts, target }: ActiveSending,
    progress: SendProgress,
  ): AlarmQueued | AlarmSent | AlarmSendFailure {
    const { sessionId, traceId, protocol, order } = facts;
    const { place, tenant } = this.#ports;
    const head = {
      sessionId,
      ivrServer: place.address,
      domain: tenant().domain,
      protocol,
      callingParty: order.callingParty,
      serviceProvider: providerOf(target?.addresses.primary.destination ?? order.direct?.destAddr ?? ''),
      traceId,
      replyId: replyIdOf(this.#ports, facts),
      ...(order.alarmSessionId !== undefined && { alarmSessionId: order.alarmSessionId }),
      siteId: place.siteId,
      siteBaseUrl: place.siteBaseUrl,
    };
    if (progress.kind === 'alarmSendFailure')
      return { ...head, warning: progress.warning, reason: progress.reason };
    return { ...head, alarmString: progress.alarmString, dialogId: progress.dialogId };
  }
}

/** SIP user or number of a destination; of anything else the destination itself. */
function providerOf(destination: string): string {
  const address = readAddressUser(destination);
  return address?.scheme === undefined ? destination : address.user;
}
