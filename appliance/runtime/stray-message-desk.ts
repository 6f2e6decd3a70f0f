import { CALLBACK_PATH, type SipMessageReceived } from '#shared/contract/callback/index.ts';
import { uuid } from '#shared/id.ts';
import type { ReceiverBridge } from '../alarm/receiver/index.ts';
import type { RequestFacts } from '../sip/auth/index.ts';
import type { Flow, ServerTransaction } from '../sip/endpoint/index.ts';
import type { SipRequest } from '../sip/message/index.ts';
import { bridgeMessageDestination, type DeliveryDesk, messageDestination } from './delivery-desk.ts';
import type { PlatformAlarmDesk } from './platform-alarm-desk.ts';
import type { RuntimePorts } from './port.ts';

interface Arrival {
  readonly request: SipRequest;
  readonly server: ServerTransaction;
  readonly flow: Flow;
  readonly nowMs: number;
}

/** A MESSAGE that no alarm bridge takes: the tenant's `/message` callback, or 404 and an alarm (decisions 3). */
export class StrayMessageDesk {
  readonly #ports: RuntimePorts;
  readonly #delivery: DeliveryDesk;
  readonly #alarms: PlatformAlarmDesk;

  constructor(ports: RuntimePorts, delivery: DeliveryDesk, alarms: PlatformAlarmDesk) {
    this.#ports = ports;
    this.#delivery = delivery;
    this.#alarms = alarms;
  }

  /** `bridge`: of its destination, which takes no such alarm. */
  take(arrival: Arrival, facts: RequestFacts, bridge?: ReceiverBridge): void {
    const { server, nowMs } = arrival;
    const dest = this.#destinationOf(bridge);
    if (dest === undefined) {
      server.respond({ status: 404 }, nowMs);
      const errorDetails = {
        reason: `no alarm bridge takes messages for "${facts.destination}" and messageCallbackBaseUrl is not set`,
        sipFrom: facts.fromUser,
        sourceIp: facts.source,
      };
      this.#alarms.raise({ type: 'serviceAlarm', error: 'noReceiver', errorDetails });
      return;
    }
    this.#ports.run(this.#forward(arrival, facts, dest));
  }

  /** An alarm bridge of events by API is where its messages go too (document 2, 6); else the tenant says. */
  #destinationOf(bridge: ReceiverBridge | undefined): string | undefined {
    if (bridge?.protocol === 'api' && bridge.callbackBaseUrl !== undefined)
      return bridgeMessageDestination(bridge.id);
    const { messageCallbackBaseUrl } = this.#ports.tenant().notification;
    return messageCallbackBaseUrl === undefined ? undefined : messageDestination;
  }

  /** 200 once it is on the disk; 503 when it cannot be written, and the sender tries again. */
  async #forward({ request, server, flow }: Arrival, facts: RequestFacts, dest: string): Promise<void> {
    const body: SipMessageReceived = {
      callId: request.callId,
      received: flow.remoteAddress,
      sourcePort: String(flow.remotePort),
      fromDomain: facts.fromHost,
      fromUser: facts.fromUser,
      fromURI: request.from.uriText,
      to: request.to.uriText,
      replyTo: `sip:${facts.fromUser}@${flow.remoteAddress}:${flow.remotePort}`,
      targetDomain: this.#ports.tenant().domain,
      contentType: request.contentType ?? '',
      body: request.body.toString('utf8'),
      protocol:
        flow.transport === 'TLS' || flow.transport === 'WSS'
          ? 'tls'
          : flow.transport === 'UDP'
            ? 'udp'
            : 'tcp',
    };
    const traceId = uuid(this.#ports.random(16));
    const row = this.#delivery.row({
      lane: 'svc',
      dest,
      orderKey: facts.fromUser,
      type: 'message',
      call: {
        traceId,
        path: CALLBACK_PATH.message,
        headers: {},
        body: JSON.stringify(body),
        eventSeq: 1,
        shape: 'default',
      },
      state: 'new',
      late: false,
    });
    try {
      await this.#ports.journal.commit([{ kind: 'outbox', row }]);
      server.respond({ status: 200 }, this.#ports.clock.monoMs());
      this.#delivery.queued(row);
    } catch {
      server.respond({ status: 503, headers: [['Retry-After', '5']] }, this.#ports.clock.monoMs());
    }
  }
}
