import { createHash, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { LegPolicy } from '../../call/control/index.ts';
import { openMedia } from '../../io/media-worker/index.ts';
import { openLookup } from '../../io/resolve/index.ts';
import { openSipTransport, type SipTransport } from '../../io/sip-transport/index.ts';
import type { Media } from '../../media/control/index.ts';
import { Telephone } from '../endpoint/telephone.ts';

/** Where a telephone registers, and as whom. */
export interface TelephoneRun {
  /** `host:port` of the appliance. */
  readonly to: string;
  readonly transport: 'udp' | 'tcp';
  readonly domain: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly policy: LegPolicy;
  /** How late its audio may be before it takes no new call, ms; without it as the appliance. */
  readonly tooLateMs?: number;
  /** Called for a defect; without it the defect ends the program. */
  readonly onDefect?: (cause: unknown) => void;
}

export interface OpenTelephone {
  readonly telephone: Telephone;
  readonly media: Media;
  /** Hangs up, and lets the other side hear of it. */
  readonly close: () => Promise<void>;
}

const TICK_MS = 10;
/** So long a BYE or CANCEL may take; a person does not wait longer at Ctrl-C for a peer that does not answer. */
const DONE_WITHIN_MS = 700;
/** Ports of a telephone's audio: away from the appliance's own range, and each telephone has its own. */
const FIRST_PORT = 30_000;
const PORTS_EACH = 100;
const BLOCKS = 250;

/** A telephone on real sockets with a media engine of its own. Rejects when the appliance cannot be reached. */
export async function openTelephone(run: TelephoneRun): Promise<OpenTelephone> {
  const colon = run.to.lastIndexOf(':');
  const host = run.to.slice(0, colon).replace(/^\[|\]$/g, '');
  const port = Number(run.to.slice(colon + 1));
  const address = await addressTowards(host, port);
  const clock = { monoMs: () => performance.now(), wallMs: () => Date.now() };
  const from = FIRST_PORT + PORTS_EACH * Math.floor(Math.random() * BLOCKS);
  const ports = { from, to: from + PORTS_EACH - 1 };
  const defect = run.onDefect ?? fatal;
  const media = await openMedia({
    ports,
    workers: 1,
    warmUpMs: 50,
    ...(run.tooLateMs !== undefined && { tooLateMs: run.tooLateMs }),
    log: () => undefined,
  });
  let transport: SipTransport | undefined;
  const telephone = new Telephone(
    { user: run.user, domain: run.domain, password: run.password, address, policy: run.policy },
    {
      clock,
      random: (length) => randomBytes(length),
      run: (work) => void work.catch(defect),
      hash: (algorithm, text) =>
        createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
          .update(text)
          .digest('hex'),
      lookup: openLookup({ monoMs: clock.monoMs }),
      media,
      send: (flow, bytes) => void transport?.send(flow, bytes),
      contactPort: (flow) => flow.localPort,
      defect,
    },
  );
  transport = await openSipTransport(
    { ...(run.transport === 'udp' && { udp: [{ host: address, port: 0 }] }), monoMs: clock.monoMs },
    {
      message: (flow, bytes) => telephone.message(flow, bytes),
      closed: (flow) => telephone.flowFailed(flow),
      failed: (flow) => telephone.flowFailed(flow),
    },
  );
  const ticker = setInterval(() => telephone.advance(), TICK_MS);
  const close = async (): Promise<void> => {
    telephone.hangUp();
    for (const deadlineMs = clock.monoMs() + DONE_WITHIN_MS; !telephone.isDone; await pause(TICK_MS))
      if (clock.monoMs() > deadlineMs) break;
    clearInterval(ticker);
    await transport?.close();
    await media.close();
  };
  const flow = await transport.connect(run.transport === 'udp' ? 'UDP' : 'TCP', host, port);
  if (!flow.ok) {
    await close();
    throw new Error(`${run.to} cannot be reached over ${run.transport}: ${flow.error.reason}`);
  }
  telephone.use(flow.value);
  return { telephone, media, close };
}

/** A defect of the simulator is shown, not survived. */
function fatal(cause: unknown): void {
  setImmediate(() => {
    throw cause;
  });
}

/** Our own address on the way there. */
async function addressTowards(host: string, port: number): Promise<string> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  const connected = once(socket, 'connect');
  socket.connect(port, host);
  await connected;
  const { address } = socket.address();
  socket.close();
  return address;
}
