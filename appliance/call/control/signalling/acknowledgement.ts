import type { Flow, Outgoing } from '../../../sip/endpoint/index.ts';

interface AcknowledgementParts {
  readonly nowMs: () => number;
  readonly send: (ack: Outgoing, flow: Flow) => void;
  /** Another way to the peer, whose connection is closed. */
  readonly seek: (gone: Flow, ack: Outgoing, found: (next: Flow | undefined) => void) => void;
  readonly stranded: (reason: string) => void;
  /** 64 x T1: so long a 2xx is repeated, ms. */
  readonly repeatedMs: number;
}

/**
 * The ACK of a 2xx has no transaction that would tell of the end of its connection: the last one that went over one is kept, and
 * goes by another when that ends (RFC 3261 13.2.2.4, 18.1.1), twice at worst.
 */
export class Acknowledgement {
  readonly #parts: AcknowledgementParts;
  #last: { readonly ack: Outgoing; readonly flow: Flow; readonly atMs: number } | undefined;

  constructor(parts: AcknowledgementParts) {
    this.#parts = parts;
  }

  send(ack: Outgoing, flow: Flow): void {
    this.#last = flow.reliable ? { ack, flow, atMs: this.#parts.nowMs() } : undefined;
    this.#parts.send(ack, flow);
  }

  connectionLost({ connection }: Flow): void {
    const { nowMs, seek, stranded, repeatedMs } = this.#parts;
    const last = this.#last;
    if (last?.flow.connection !== connection) return;
    this.#last = undefined;
    const { ack, flow, atMs } = last;
    if (nowMs() - atMs > repeatedMs) return;
    seek(flow, ack, (next) => {
      if (next !== undefined) this.send(ack, next);
      else
        stranded(
          `the ACK was not sent: its connection is closed, and ${ack.uri} takes no other one, as behind NAT`,
        );
    });
  }
}
