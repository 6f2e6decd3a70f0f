import { AlarmReceiver } from '#appliance/alarm/receiver/index.ts';
import { CallControl, CallRouter } from '#appliance/call/control/index.ts';
import { type Connect, NextHopResolver, TrunkGroup } from '#appliance/call/trunk/index.ts';
import { DeliveryService } from '#appliance/delivery/delivery-service.ts';
import type { Outbox } from '#appliance/delivery/outbox/index.ts';
import { PlatformAlarms } from '#appliance/delivery/platform-alarms.ts';
import { TraceWriteBehind } from '#appliance/delivery/trace-write-behind.ts';
import { capability } from '#appliance/engine/capability.ts';
import type { EnginePorts } from '#appliance/engine/engine-port.ts';
import { directory } from '#appliance/registration/directory.ts';
import { Registrations } from '#appliance/registration/registrations.ts';
import { type AuthCrypto, Authenticator, requestFacts } from '#appliance/sip/auth/index.ts';
import { type Flow, type ServerTransaction, SipEndpoint } from '#appliance/sip/endpoint/index.ts';
import type { Lookup } from '#appliance/sip/location/index.ts';
import type { SipRequest } from '#appliance/sip/message/index.ts';

export interface CallingParts {
  readonly crypto: AuthCrypto;
  readonly outbox: Outbox;
  readonly send: (flow: Flow, bytes: Buffer) => void;
  readonly connect: Connect;
  readonly lookup: Lookup;
  readonly contactAt: (flow: Flow) => string;
}

/**
 * The appliance as far as its calls: parser, transactions, who is it and may it, routing, the control of calls with its
 * traces. A call to an alarm bridge is answered and nothing is said in it. Without the limit of new calls a second.
 */
export class Calling {
  readonly endpoint: SipEndpoint;
  readonly calls: CallControl;
  readonly #ports: EnginePorts;
  readonly #authenticator: Authenticator;
  readonly #router: CallRouter;
  readonly #registrations: Registrations;
  readonly #pages: TraceWriteBehind;

  constructor(ports: EnginePorts, parts: CallingParts) {
    const { crypto, lookup, contactAt } = parts;
    this.#ports = ports;
    this.endpoint = new SipEndpoint({
      capability: capability(() => true),
      random: ports.random,
      nowMs: ports.clock.monoMs(),
      ...(ports.wakeBy && { wakeBy: ports.wakeBy }),
      effects: {
        send: parts.send,
        deliver: (request, server, flow, nowMs) => this.#deliver(request, server, flow, nowMs),
        acknowledged: (ack) => this.calls.acknowledged(ack),
        cancelled: (invite, _cancel, nowMs) => this.calls.cancelled(invite, nowMs),
        onDefect: (error, doing) =>
          ports.log('error', 'sip.defect_caught', 'Caught a defect in the SIP endpoint', {
            doing,
            error: String(error),
          }),
      },
    });
    this.#pages = new TraceWriteBehind(ports);
    const alarms = new PlatformAlarms(ports, new DeliveryService(ports, parts.outbox));
    const reach = new NextHopResolver(lookup, parts.connect, Math.random);
    const trunks = new TrunkGroup(ports, { endpoint: this.endpoint, reach, alarms, crypto, contactAt });
    const receiver = new AlarmReceiver(ports.tenant().bridges, ports.tenant());
    this.#registrations = new Registrations(ports, this.#pages, alarms);
    this.#router = new CallRouter(ports, { receiver: () => receiver, trunks, contactAt });
    this.calls = new CallControl(ports, {
      endpoint: this.endpoint,
      registrations: this.#registrations,
      trunks,
      reach,
      lookup,
      pages: this.#pages,
      router: this.#router,
      hash: crypto.hash,
      contactAt,
    });
    ports.media.events.add((event) => this.calls.onMediaEvent(event));
    this.calls.takeReceivedBy(({ call }) => this.calls.turn(() => call.input({ kind: 'attend' })));
    const known = directory(ports, {
      trunk: (claim) => trunks.identify(claim),
      verifyToken: () => undefined,
    });
    this.#authenticator = new Authenticator(known, crypto);
  }

  #deliver(request: SipRequest, server: ServerTransaction, flow: Flow, nowMs: number): void {
    if (request.to.tag !== undefined) {
      this.calls.requested(request, server, nowMs);
      return;
    }
    const decision = this.#authenticator.identify(requestFacts(request, flow), nowMs);
    const identity = decision.outcome === 'accepted' ? decision.identity : undefined;
    const arrival = { request, server, flow, nowMs };
    const caller = identity && this.#router.callerOf(identity);
    if (request.method === 'REGISTER' && identity?.kind === 'device')
      this.#registrations.register(arrival, identity.account);
    else if (request.method === 'INVITE' && caller !== undefined) this.calls.arrive({ ...arrival, caller });
    else server.respond({ status: 403 }, nowMs);
  }

  message(flow: Flow, bytes: Buffer): void {
    this.endpoint.receive(flow, bytes, this.#ports.clock.monoMs());
  }

  flowFailed(flow: Flow): void {
    this.endpoint.transportFailed(flow, this.#ports.clock.monoMs());
  }

  advance(): void {
    const nowMs = this.#ports.clock.monoMs();
    for (const part of [this.endpoint, this.#ports.timers]) part.advance(nowMs);
  }

  nextDueMs(): number {
    const never = Number.POSITIVE_INFINITY;
    return Math.min(this.endpoint.nextDueMs() ?? never, this.#ports.timers.nextDueMs ?? never);
  }
}
