import type { Flow } from '../../../sip/endpoint/index.ts';

/*
 * How a call of ours comes to a receiver or a program of this very host: the same messages and the same dialogs as any
 * other call, over a line without a wire. Its audio runs between two ports of this host.
 *
 *   call of ours ─▶ SipEndpoint ─ INSIDE ─▶ ··· ─ its other end ─▶ SipEndpoint ─▶ CallControl: a call of `own`
 */

const HERE = '127.0.0.1';
/** Connections of sockets count from 1. */
const endOf = (connection: number): Flow => ({
  transport: 'TCP',
  reliable: true,
  localAddress: HERE,
  localPort: 5060,
  remoteAddress: HERE,
  remotePort: 5060,
  connection,
});
const CALLED = endOf(-2);

/** The end at which calls of ours begin. */
export const INSIDE: Flow = endOf(-1);

/** Is it one of the two ends? No outside host can send on them. */
export const isInside = ({ connection }: Flow): boolean => connection < 0;

/** Chosen: so many programs of this host may send one call on to each other; then 483. */
export const MOST_INSIDE_HOPS = 20;

/** Sends over the line what is for inside, everything else by `wire`. */
export const insideLine =
  (
    wire: (flow: Flow, bytes: Buffer) => void,
    arrived: (flow: Flow, bytes: Buffer) => void,
    run: (work: Promise<unknown>) => void,
  ) =>
  (flow: Flow, bytes: Buffer): void => {
    if (!isInside(flow)) wire(flow, bytes);
    else {
      const other = flow.connection === INSIDE.connection ? CALLED : INSIDE;
      // Never within the input that sends it.
      run(Promise.resolve().then(() => arrived(other, bytes)));
    }
  };
