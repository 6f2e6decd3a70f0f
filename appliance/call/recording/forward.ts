import type { RecordingEvent } from '#shared/contract/callback/index.ts';
import { type ActiveCall, ORDINARY_POLICY, type PlacedCall } from '../control/index.ts';
import type { CallProgress } from '../session/index.ts';
import {
  METADATA_REQUEST,
  RECORDING_METADATA,
  type ReceivedStream,
  type RecordingMetadata,
  withData,
  writeMetadata,
} from '../siprec/index.ts';

/** The fields of startsiprecforward besides the destinations. */
export interface SiprecForwardRequest {
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export interface ForwardDependencies {
  readonly place: (wanted: PlacedCall) => ActiveCall;
  readonly domain: () => string;
  readonly wallMs: () => number;
  readonly tell: (
    event: Extract<RecordingEvent, `STREAM${string}`>,
    body: Readonly<Record<string, unknown>>,
  ) => void;
  /** Its audio has begun or ended. */
  readonly changed: () => void;
  readonly over: (forward: Forward) => void;
}

/** The session that is sent on. */
export interface ForwardedSession {
  readonly call: ActiveCall;
  /** Labels of its streams when it began to be sent on: they keep their places. */
  readonly labels: readonly string[];
  /** Metadata as a whole document; '': the client gave none. */
  readonly metaData: () => string;
}

const ABOUT = [
  ['Content-Type', RECORDING_METADATA],
  ['Content-Disposition', 'recording-session'],
  ['Require', 'siprec'],
] as const;

/**
 * A recording session of ours, as its client (RFC 7866): a copy of one that came to us, to one recording server.
 *
 *   begin ─ INVITE: a stream for each label, metadata ─┬─ 200 ─▶ up, STREAMSTARTED ── UPDATE: metadata ─┬─ stop: BYE, STREAMSTOPPED
 *                                                      └─ refused, unreachable: STREAMFAILED            └─ it leaves: STREAMFAILED
 */
export class Forward {
  readonly destination: string;
  readonly #session: ForwardedSession;
  readonly #request: SiprecForwardRequest;
  readonly #dependencies: ForwardDependencies;
  #call: ActiveCall | undefined;
  #up = false;
  #stopped = false;
  /** It ends before the server or the application wants it. */
  #shed: string | undefined;

  constructor(
    destination: string,
    session: ForwardedSession,
    request: SiprecForwardRequest,
    dependencies: ForwardDependencies,
  ) {
    this.destination = destination;
    this.#session = session;
    this.#request = request;
    this.#dependencies = dependencies;
  }

  begin(): void {
    const { call: session, labels } = this.#session;
    const { headers = {} } = this.#request;
    const named = Object.entries(headers).flatMap(([name, value]) =>
      [value].flat().map((line) => [name, line] as const),
    );
    const { user, hopsLeft } = session.origin;
    this.#call = this.#dependencies.place({
      destination: this.destination,
      origin: {
        display: '',
        user,
        host: this.#dependencies.domain(),
        hidden: false,
        trusted: false,
        fields: [],
        // A session that is sent round comes to an end.
        hopsLeft,
        contact: { user: '', field: ';+sip.src' },
      },
      plan: {
        policy: { ...ORDINARY_POLICY, copies: labels },
        relay: {},
        straight: false,
        trunkGroupId: undefined,
        mayReachServices: false,
      },
      trace: session.trace,
      near: () => session.session.party,
      towards: {
        login: undefined,
        headers: [['Require', 'siprec'], ...named],
        beside: { type: RECORDING_METADATA, disposition: 'recording-session', content: this.#metadata() },
      },
      // We only send: that nothing comes back is as it should be.
      setting: { purpose: 'recording', keepsCaller: true, endsSilent: false },
      onProgress: (progress) => this.#onProgress(progress),
    });
    // RFC 7866 8.2: a server that has lost its thread asks for all of it.
    this.#call.watchedBy({
      onRequest: (request) => {
        if (request.contentType === METADATA_REQUEST) this.learn();
      },
    });
  }

  /** Legs that take the copies, by label; empty until it was answered. */
  get streams(): readonly ReceivedStream[] {
    const call = this.#up ? this.#call : undefined;
    return call?.leg(call.session.party)?.media.channels ?? [];
  }

  /** The metadata has changed. A server that takes no UPDATE keeps the first metadata. */
  learn(): void {
    const leg = this.#up ? this.#call?.leg(this.#call.session.party) : undefined;
    if (leg?.allows.includes('UPDATE')) leg.send('metadata', 'UPDATE', ABOUT, this.#metadata());
  }

  /** Given up for a reason of ours, which is reported as a failure. */
  shed(reason: string): void {
    this.#shed ??= reason;
    this.stop();
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#call?.input({ kind: 'hangUp' });
  }

  #onProgress(progress: CallProgress): void {
    const { tell, wallMs, changed, over } = this.#dependencies;
    const url = this.destination;
    if (progress.kind === 'attended') {
      this.#up = true;
      const { labels, metaData } = this.#session;
      changed();
      tell('STREAMSTARTED', { url, startTime: wallMs(), channels: labels.length, metaData: metaData() });
    } else if (progress.kind === 'over') {
      const { protocol, cause, text } = progress.reason;
      this.#up = false;
      if (this.#stopped && this.#shed === undefined) tell('STREAMSTOPPED', { url, stopTime: wallMs() });
      else tell('STREAMFAILED', { url, reason: this.#shed ?? `${protocol} ${cause}: ${text}` });
      over(this);
    }
  }

  #metadata(): Uint8Array {
    const { labels, call, metaData } = this.#session;
    const bare: RecordingMetadata = {
      ...{ dataMode: 'complete', participants: [], left: [], placed: [] },
      streams: labels.map((label, index) => ({ id: `stream-${index + 1}`, label, participants: [] })),
    };
    const known = metaData();
    const text = known === '' ? writeMetadata(bare, call.id, new Date(this.#dependencies.wallMs())) : known;
    return Buffer.from(withData(text, this.#request.metadata ?? {}));
  }
}
