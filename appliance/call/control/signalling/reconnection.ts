import type { Flow, Outgoing } from '../../../sip/endpoint/index.ts';
import { DialogNextHop, type FindFlow } from './next-hop.ts';

/** Chosen: a peer that takes connections and breaks them is not tried in a circle. */
const REOPEN_MS = 4_000;

/** The knowledge about a peer when its connection has turned out to be closed. */
interface Lost {
  readonly flow: Flow;
  /** The message that could not be sent. */
  readonly outgoing: Outgoing;
  /** The next hop of a peer that its Contact leads to; undefined: the peer is where it was found. */
  readonly nextHop: DialogNextHop | undefined;
  /** Other connections of the peer, the likeliest first. */
  readonly others: readonly Flow[];
}

/**
 * Finds another connection for a dialog that has lost its own: one that the peer has opened, else one of ours to the address
 * of its Contact (RFC 3261 18.1.1). Behind NAT its Contact leads nowhere, or to another host: the peer must come by itself.
 */
export class Reconnection {
  readonly #find: FindFlow | undefined;
  readonly #lost = new Set<number>();
  /** An ACK and a BYE may both have been under way: one connection serves them. */
  readonly #waiting: ((next?: Flow) => void)[] = [];
  #reopenAtMs = 0;

  constructor(find: FindFlow | undefined) {
    this.#find = find;
  }

  /** `found` follows, at once or when one is opened, with nothing where there is none. */
  seek({ flow, outgoing, nextHop, others }: Lost, nowMs: number, found: (next?: Flow) => void): void {
    this.#lost.add(flow.connection);
    const next = others.find(({ connection }) => !this.#lost.has(connection));
    if (next !== undefined) found(next);
    else if (this.#waiting.length > 0) this.#waiting.push(found);
    else if (nowMs < this.#reopenAtMs) found();
    else {
      this.#reopenAtMs = nowMs + REOPEN_MS;
      this.#waiting.push(found);
      const opened = (stream?: Flow): void => {
        for (const waiting of this.#waiting.splice(0)) waiting(stream);
      };
      if (nextHop !== undefined) nextHop.reopen(outgoing, opened);
      else new DialogNextHop(flow, this.#find).reopen(outgoing, opened, flow.remoteAddress);
    }
  }
}
