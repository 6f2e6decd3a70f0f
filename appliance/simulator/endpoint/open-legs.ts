import { LegTable, type SipLeg } from '../../call/control/index.ts';
import { EngineTimers } from '../../kernel/engine-timers.ts';
import type { Media } from '../../media/control/index.ts';
import { type Capability, type Flow, type ServerTransaction, SipEndpoint } from '../../sip/endpoint/index.ts';
import type { Lookup } from '../../sip/location/index.ts';
import type { SipRequest } from '../../sip/message/index.ts';

/** The ports that a simulated peer with calls needs. */
export interface LegWorld {
  readonly clock: { readonly monoMs: () => number; readonly wallMs: () => number };
  readonly random: (length: number) => Uint8Array;
  readonly run: (work: Promise<unknown>) => void;
  readonly lookup: Lookup;
  readonly media: Media;
  readonly send: (flow: Flow, bytes: Buffer) => void;
  readonly defect: (cause: unknown) => void;
}

export interface LegOwner {
  readonly capability: Capability;
  /** An INVITE outside a dialog. */
  readonly arrive: (request: SipRequest, server: ServerTransaction, flow: Flow) => void;
  /** A request of a peer, before its leg acts upon it. */
  readonly met?: (leg: SipLeg, request: SipRequest) => void;
  /** Gets every other request outside a dialog; without it 481. */
  readonly other?: (request: SipRequest, server: ServerTransaction, flow: Flow) => void;
}

/** The SIP side of a simulated peer: an endpoint, the legs of its calls, and who of them a request is for. */
export function openLegs(address: string, world: LegWorld, owner: LegOwner) {
  const nowMs = world.clock.monoMs;
  const endpoint: SipEndpoint = new SipEndpoint({
    capability: owner.capability,
    random: world.random,
    nowMs: nowMs(),
    effects: {
      send: world.send,
      deliver: (request, server, flow) => deliver(request, server, flow),
      acknowledged: (ack) => {
        const found = legs.byRequest(ack);
        found?.leg.acknowledged(found.tag, ack);
      },
      cancelled: (server, _cancel, atMs) => {
        const leg = legs.byInvite(server);
        if (leg === undefined) server.respond({ status: 487 }, atMs);
        else leg.cancelled(server);
      },
      onDefect: world.defect,
    },
  });
  const { media, lookup } = world;
  const timers = new EngineTimers(world, world.defect);
  const legs = new LegTable(
    { ...world, timers, place: { address } },
    { endpoint, media, lookup, turn: (work) => work() },
  );

  function deliver(request: SipRequest, server: ServerTransaction, flow: Flow): void {
    const found = legs.byRequest(request);
    if (found !== undefined) {
      if (request.method === 'INVITE') legs.invited(server, found.leg);
      owner.met?.(found.leg, request);
      found.leg.requested(found.tag, request, server);
    } else if (request.method === 'INVITE' && request.to.tag === undefined) {
      owner.arrive(request, server, flow);
    } else if (owner.other !== undefined) owner.other(request, server, flow);
    else server.respond({ status: 481 }, nowMs());
  }

  return {
    endpoint,
    legs,
    message: (flow: Flow, bytes: Buffer): void => endpoint.receive(flow, bytes, nowMs()),
    advance: (): void => {
      endpoint.advance(nowMs());
      timers.advance(nowMs());
    },
  };
}
