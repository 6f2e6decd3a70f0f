import { ORDINARY_POLICY, type SipLeg, type SipLegUser } from '../../call/control/index.ts';
import {
  changes,
  followed,
  RECORDING_METADATA,
  type RecordingMetadata,
  readMetadata,
} from '../../call/siprec/index.ts';
import { LegTap } from '../../call/sound/index.ts';
import type { Recorder } from '../../media/recording/index.ts';
import type { Flow, ServerTransaction } from '../../sip/endpoint/index.ts';
import type { SipRequest } from '../../sip/message/index.ts';
import { bodyParts, SDP } from '../../sip/sdp/index.ts';
import { type LegWorld, openLegs } from './open-legs.ts';

export interface RecordingServerPorts extends LegWorld {
  readonly recorder: Recorder;
  readonly tell: (text: string) => void;
  /** A session is over; its file, a channel for each stream. */
  readonly onFile: (file: string) => void;
}

interface Session {
  readonly leg: SipLeg;
  readonly file: string;
  metadata: RecordingMetadata | undefined;
  tap: LegTap | undefined;
}

const METHODS = ['INVITE', 'ACK', 'BYE', 'CANCEL', 'OPTIONS', 'UPDATE'];

/**
 * A recording server (RFC 7866) for trying clients: takes every session, prints its metadata and writes a WAV file with a
 * channel for each stream.
 */
export class RecordingServer {
  readonly #address: string;
  readonly #ports: RecordingServerPorts;
  readonly #sip: ReturnType<typeof openLegs>;
  readonly #sessions = new Map<string, Session>();
  #count = 0;

  constructor(address: string, ports: RecordingServerPorts) {
    this.#address = address;
    this.#ports = ports;
    this.#sip = openLegs(address, ports, {
      capability: {
        methods: METHODS,
        accept: [SDP, 'multipart/mixed', RECORDING_METADATA],
        supported: ['timer', 'siprec'],
      },
      arrive: (request, server, flow) => this.#arrive(request, server, flow),
      met: ({ name }, request) => {
        const session = this.#sessions.get(name);
        if (session !== undefined) this.#learn(session, request);
      },
    });
  }

  message(flow: Flow, bytes: Buffer): void {
    this.#sip.message(flow, bytes);
  }

  advance(): void {
    this.#sip.advance();
  }

  get size(): number {
    return this.#sessions.size;
  }

  #arrive(request: SipRequest, server: ServerTransaction, flow: Flow): void {
    const name = `session-${++this.#count}`;
    const address = this.#address;
    const settings = {
      contact: `<sip:recorder@${address}:${flow.localPort}>;+sip.srs`,
      allow: METHODS,
      timer: { expiresS: 1_800, minSeS: 90 },
      t1Ms: 500,
      t2Ms: 4_000,
      reliableProvisional: false,
    };
    const leg = this.#sip.legs.open(
      { name, flow, policy: { ...ORDINARY_POLICY, records: true }, settings, address },
      this.#user,
    );
    const file = `${new Date(this.#ports.clock.wallMs()).toISOString().replaceAll(':', '-')}-${this.#count}.wav`;
    const session: Session = { leg, file, metadata: undefined, tap: undefined };
    this.#sessions.set(name, session);
    this.#ports.tell(`a recording session of ${request.from.uriText}`);
    this.#learn(session, request);
    this.#sip.legs.invited(server, leg);
    leg.arrive(request, server);
  }

  #learn(session: Session, request: SipRequest): void {
    const type = request.header('Content-Type');
    const parts = type === undefined ? undefined : bodyParts(type, request.body);
    const text = parts?.ok
      ? parts.value.find((part) => part.type === RECORDING_METADATA)?.content
      : undefined;
    if (text === undefined) return;
    const read = readMetadata(text);
    this.#ports.tell(Buffer.from(text).toString('utf8').trim());
    if (!read.ok) {
      this.#ports.tell(`the metadata cannot be read: ${read.error.reason}`);
      return;
    }
    const now = followed(session.metadata, read.value);
    for (const change of changes(session.metadata, now)) this.#ports.tell(change);
    session.metadata = now;
  }

  readonly #user: SipLegUser = {
    ready: (leg) => leg.accept(),
    progressed: () => undefined,
    answered: () => undefined,
    acknowledged: (leg) => this.#record(leg),
    failed: (leg) => this.#ports.run(this.#over(leg)),
    ended: (leg) => this.#ports.run(this.#over(leg)),
    held: () => undefined,
    delivered: (leg, _request, server) => leg.respond(server, 200),
    replied: () => undefined,
    stranded: () => undefined,
    broken: (leg, _status, text) => {
      this.#ports.tell(`the session is broken: ${text}`);
      leg.end();
      this.#ports.run(this.#over(leg));
    },
  };

  #record(leg: SipLeg): void {
    const session = this.#sessions.get(leg.name);
    if (session === undefined || session.tap !== undefined) return;
    const { channels } = leg.media;
    session.tap = new LegTap(
      this.#ports,
      `tap of ${leg.name}`,
      channels.map((channel) => [channel.leg]),
      'said',
    );
    session.tap.begin();
    this.#ports.tell(`${channels.length} streams are recorded into ${session.file}`);
    const { recorder, run, tell } = this.#ports;
    const started = recorder.start({
      recording: leg.name,
      file: session.file,
      inputs: session.tap.rings,
      layout: 'perSide',
    });
    run(started.then((done) => (done.ok ? undefined : tell(`nothing is recorded: ${done.error.reason}`))));
  }

  async #over(leg: SipLeg): Promise<void> {
    const session = this.#sessions.get(leg.name);
    this.#sessions.delete(leg.name);
    if (session?.tap === undefined) return;
    await session.tap.end();
    const stopped = await this.#ports.recorder.stop(leg.name);
    if (!stopped.ok) this.#ports.tell(`the file is lost: ${stopped.error.reason}`);
    else {
      this.#ports.tell(`${session.file}: ${(stopped.value.durationMs / 1_000).toFixed(1)} s`);
      this.#ports.onFile(session.file);
    }
  }
}
