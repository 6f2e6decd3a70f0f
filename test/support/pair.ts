import type { Frame } from '#appliance/alarm/protocol/framed-ip/index.ts';
import { FrameReader } from '#appliance/alarm/protocol/framed-ip/index.ts';
import type { FrameCaller, FrameDestination } from '#appliance/alarm/sending/index.ts';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import { Listeners } from '#shared/listeners.ts';
import { fail, ok } from '#shared/result.ts';
import { type TestOptions, testAppliance } from './appliance.ts';

type Site = Awaited<ReturnType<typeof testAppliance>>;

export const CENTRE = '198.51.100.20';
const SENDER = '192.0.2.10';
/** Audio is exchanged this often. */
const STEP_MS = 40;

const flowOf = (to: string, from: string): Flow => ({
  transport: 'UDP',
  reliable: false,
  localAddress: to,
  localPort: 5060,
  remoteAddress: from,
  remotePort: 5060,
  connection: 0,
});

/**
 * Two whole appliances on one fake network: `sender` has the events, `centre` receives them. SIP, audio and DC-09 frames
 * pass between them; time runs for both.
 */
export async function pair(options: { readonly sender?: TestOptions; readonly centre?: TestOptions } = {}) {
  const frames = frameConnections();
  const sender = await testAppliance({ address: SENDER, frames: frames.caller, ...options.sender });
  const centre = await testAppliance({ address: CENTRE, ...options.centre });
  const sites: readonly Site[] = [sender, centre];
  /** SIP messages that are lost on their way to this address. */
  let loses: (to: string, bytes: Buffer) => boolean = () => false;
  /** Another party of the network: it gets packets to its address. */
  const others = new Map<string, (bytes: Buffer, from: Flow) => void>();

  sender.media.network.carries = (datagram) => passed(datagram, centre);
  centre.media.network.carries = (datagram) => passed(datagram, sender);
  function passed(
    datagram: { fromHost: string; fromPort: number; toHost: string; toPort: number; bytes: Uint8Array },
    to: Site,
  ): boolean {
    if (datagram.toHost !== to.address) return true;
    to.media.inject({ host: datagram.fromHost, port: datagram.fromPort }, datagram.toPort, datagram.bytes);
    return false;
  }

  const pump = async (): Promise<void> => {
    do {
      for (const site of sites) {
        await site.quiet();
        for (const { flow, bytes } of site.sent.splice(0)) {
          if (loses(flow.remoteAddress, bytes)) continue;
          const to = sites.find(({ address }) => address === flow.remoteAddress);
          if (to !== undefined) to.runtime.message(flowOf(to.address, site.address), bytes);
          else others.get(flow.remoteAddress)?.(bytes, flow);
        }
      }
      frames.deliver(sender, centre);
      for (const site of sites) await site.quiet();
    } while (sites.some(({ sent }) => sent.length > 0) || frames.waiting);
  };

  return {
    sender,
    centre,
    frames,
    others,
    pump,
    lose(which: typeof loses) {
      loses = which;
    },
    /** Time passes for both; what they say to each other arrives in between. */
    async after(ms: number): Promise<void> {
      for (let left = ms; left > 0; ) {
        const busy = sites.some(({ media }) => media.openLegs.length > 0);
        const step = Math.min(left, busy ? STEP_MS : 250);
        for (const site of sites) await site.after(step);
        await pump();
        left -= step;
      }
    },
    /** Until it holds, at most so long. */
    async until(holds: () => boolean, mostMs = 60_000): Promise<void> {
      await pump();
      for (let left = mostMs; left > 0 && !holds(); left -= 200) await this.after(200);
      if (!holds()) throw new Error(`not within ${mostMs} ms`);
    },
    async close(): Promise<void> {
      for (const site of sites) await site.close();
    },
  };
}

/** Frames between two appliances, over connections that may be cut. */
function frameConnections() {
  const inFlight: { readonly to: FrameDestination; readonly bytes: Uint8Array; readonly back: boolean }[] =
    [];
  let cut: (to: FrameDestination) => boolean = () => false;
  let losesAnswer: (bytes: Uint8Array) => boolean = () => false;
  const sent: string[] = [];
  const caller: FrameCaller = {
    send: async (to, bytes) => {
      if (cut(to)) return fail('Unreachable', 'nobody listens there');
      sent.push(Buffer.from(bytes).toString('latin1'));
      inFlight.push({ to, bytes, back: false });
      return ok(undefined);
    },
    frames: new Listeners(),
  };
  const framesIn = (bytes: Uint8Array): Frame[] =>
    [...new FrameReader().push(Buffer.from(bytes))].flatMap((found) =>
      found.kind === 'frame' ? [found.frame] : [],
    );
  return {
    caller,
    /** Every frame that left, as text. */
    sent,
    get waiting() {
      return inFlight.length > 0;
    },
    cutTo(which: typeof cut) {
      cut = which;
    },
    loseAnswers(which: typeof losesAnswer) {
      losesAnswer = which;
    },
    deliver(_: Site, centre: Site): void {
      for (const { to, bytes, back } of inFlight.splice(0)) {
        for (const frame of framesIn(bytes)) {
          if (back) caller.frames.emit(to, frame);
          else
            centre.runtime.dc09.frame(frame, {
              id: `tcp ${to.host}`,
              transport: to.transport,
              sourceIp: SENDER,
              sourcePort: 40_000,
              send: (answer) => {
                if (!losesAnswer(answer)) inFlight.push({ to, bytes: answer, back: true });
              },
            });
        }
      }
    },
  };
}
