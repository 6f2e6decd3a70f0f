import { createHash, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { openMedia } from '../../io/media-worker/index.ts';
import { openRecorder } from '../../io/recorder/index.ts';
import { openLookup } from '../../io/resolve/index.ts';
import { openSipTransport, type SipTransport } from '../../io/sip-transport/index.ts';
import { RecordingClient } from '../endpoint/recording-client.ts';
import { RecordingServer } from '../endpoint/recording-server.ts';

type OnStep = (step: { readonly atMs: number; readonly text: string }) => void;

/** A recording client: whom it calls, and as whom. */
export interface RecordingClientRun {
  /** `host:port` of the recording server. */
  readonly to: string;
  /** User part of the service. */
  readonly service: string;
  readonly domain: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly onStep?: OnStep;
}

export interface OpenRecordingClient {
  readonly callId: string;
  /** Each rejects when it is refused. */
  readonly hold: (index: number, held: boolean) => Promise<void>;
  readonly join: (name: string, aor: string) => Promise<void>;
  readonly leave: () => Promise<void>;
  readonly end: () => Promise<void>;
  /** Resolves when the session is over. */
  readonly over: Promise<'us' | 'server'>;
}

export interface RecordingServerRun {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Where the files go. */
  readonly folder: string;
  readonly onStep?: OnStep;
}

export interface RunningRecordingServer {
  readonly port: number;
  /** Files that are finished. */
  readonly files: readonly string[];
  readonly close: () => Promise<void>;
}

const TICK_MS = 10;
/** Chosen: away from the ports of appliances, telephones and centres. */
const PORTS = { client: { from: 57_000, to: 57_199 }, server: { from: 57_200, to: 57_999 } };
/** Anna says 1,400 Hz, Bo 2,300 Hz. */
const PARTICIPANTS = [
  { name: 'Anna', aor: 'sip:anna@caller.example', hz: 1_400 },
  { name: 'Bo', aor: 'sip:bo@callee.example', hz: 2_300 },
] as const;

const clock = { monoMs: () => performance.now(), wallMs: () => Date.now() };
const hash = (algorithm: string, text: string): string =>
  createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
    .update(text)
    .digest('hex');
/** A defect of the simulator is shown, not survived. */
const fatal = (cause: unknown): void => {
  setImmediate(() => {
    throw cause;
  });
};
const teller = (onStep: OnStep | undefined) => {
  const startMs = performance.now();
  return (text: string): void => onStep?.({ atMs: performance.now() - startMs, text });
};

/** Opens a recording session over UDP. Rejects when it is refused or no server can be reached. */
export async function openRecordingClient(run: RecordingClientRun): Promise<OpenRecordingClient> {
  const tell = teller(run.onStep);
  const colon = run.to.lastIndexOf(':');
  const [host, port] = [run.to.slice(0, colon), Number(run.to.slice(colon + 1))];
  const address = await addressTowards(host, port);
  const media = await openMedia({ ports: PORTS.client, workers: 1, warmUpMs: 50, log: () => undefined });
  let transport: SipTransport | undefined;
  const client = new RecordingClient(
    { ...run, address, participants: PARTICIPANTS },
    {
      clock,
      random: (length) => randomBytes(length),
      hash,
      media,
      send: (flow, bytes) => void transport?.send(flow, bytes),
      defect: fatal,
    },
  );
  transport = await openSipTransport(
    { udp: [{ host: address, port: 0 }], monoMs: clock.monoMs },
    {
      message: (flow, bytes) => client.message(flow, bytes),
      closed: () => undefined,
      failed: () => undefined,
    },
  );
  const ticker = setInterval(() => client.advance(), TICK_MS);
  const ended = Promise.withResolvers<'us' | 'server'>();
  const close = async (): Promise<void> => {
    clearInterval(ticker);
    await transport?.close();
    await media.close();
  };
  const good = async (what: string, doing: ReturnType<RecordingClient['leave']>): Promise<void> => {
    const done = await doing;
    if (!done.ok) throw new Error(done.error.reason);
    tell(what);
  };
  client.ended.add((by) => {
    tell(by === 'us' ? 'the session is over' : 'the server has ended the session');
    ended.resolve(by);
  });
  try {
    const flow = await transport.connect('UDP', host, port);
    if (!flow.ok) throw new Error(`${run.to} cannot be reached: ${flow.error.reason}`);
    client.use(flow.value);
    await good(`${run.service} takes the session: ${PARTICIPANTS.length} streams`, client.begin(run.service));
  } catch (cause) {
    await close();
    throw cause;
  }
  return {
    callId: client.callId,
    hold: (index, held) =>
      good(`${PARTICIPANTS[index]?.name} is ${held ? 'on hold' : 'back'}`, client.hold(index, held)),
    join: (name, aor) => good(`${name} joins`, client.join(name, aor)),
    leave: () => good('the last who joined leaves', client.leave()),
    end: () => client.end(),
    over: ended.promise.finally(close),
  };
}

/** A recording server over UDP. Rejects when its address cannot be had. */
export async function openRecordingServer(run: RecordingServerRun): Promise<RunningRecordingServer> {
  const tell = teller(run.onStep);
  const files: string[] = [];
  const media = await openMedia({ ports: PORTS.server, workers: 1, warmUpMs: 50, log: () => undefined });
  const recorder = await openRecorder({ folder: run.folder, leastFreeBytes: 0, onEvent: () => undefined });
  let transport: SipTransport | undefined;
  const server = new RecordingServer(run.host, {
    clock,
    random: (length) => randomBytes(length),
    run: (work) => void work.catch(fatal),
    lookup: openLookup({ monoMs: clock.monoMs }),
    media,
    recorder,
    send: (flow, bytes) => void transport?.send(flow, bytes),
    defect: fatal,
    tell,
    onFile: (file) => files.push(file),
  });
  transport = await openSipTransport(
    { udp: [{ host: run.host, port: run.port }], monoMs: clock.monoMs },
    {
      message: (flow, bytes) => server.message(flow, bytes),
      closed: () => undefined,
      failed: () => undefined,
    },
  ).catch(async (cause: unknown) => {
    await Promise.all([media.close(), recorder.close()]);
    throw cause;
  });
  const ticker = setInterval(() => server.advance(), TICK_MS);
  return {
    port: transport.bound[0]?.port ?? run.port,
    files,
    async close() {
      clearInterval(ticker);
      await transport.close();
      await recorder.close();
      await media.close();
    },
  };
}

/** Our own address on the way there. */
async function addressTowards(host: string, port: number): Promise<string> {
  const socket = createSocket('udp4');
  const connected = once(socket, 'connect');
  socket.connect(port, host);
  await connected;
  const { address } = socket.address();
  socket.close();
  return address;
}
