import type { IncomingMessage } from 'node:http';
import type { RawData, WebSocket } from 'ws';
import type { RingMemory } from '../../media/audio/index.ts';
import type { StreamEvent, StreamSetting, StreamTrack } from '../../media/control/index.ts';
import { type StreamInput, StreamOutlet, StreamSession } from '../../media/stream/index.ts';
import { Chunker } from './chunk.ts';
import type { RunningStream } from './stream.ts';
import type { Target } from './target.ts';

/** Chosen: only this much is handed to the socket ahead, ms, so that what is dropped is the oldest. */
const MOST_HANDED_MS = 200;
/** Chosen: a program that floods is read at this pace, bytes a second: 30 s of its loudest format, and no more for others. */
const MOST_READ_PER_S = 1_000_000;
const SECOND_MS = 1_000;
const NORMAL = 1_000;

type Setting = StreamSetting & Required<Pick<StreamSetting, 'format' | 'tracks'>>;

/** The socket and the rings of one `StreamSession`: a program that hears a call and may speak into it. */
export class ProgramStream implements RunningStream {
  readonly #session: StreamSession;
  readonly #target: Target;
  readonly #tell: (event: StreamEvent) => void;
  readonly #over: () => void;
  readonly #chunker: Chunker;
  /** Bytes that the socket may hold, in its own format. */
  readonly #mostHanded: number;
  readonly #outlet: StreamOutlet;
  #played = 0;
  #socket: WebSocket | undefined;
  #read = { sinceMs: 0, bytes: 0 };

  constructor(setting: Setting, target: Target, tell: (event: StreamEvent) => void, over: () => void) {
    const { format, tracks, speech, stream, inputs, chunkDuration: chunkMs = 20 } = setting;
    this.#target = target;
    this.#tell = tell;
    this.#over = over;
    this.#chunker = new Chunker(inputs, chunkMs);
    this.#outlet = new StreamOutlet(speech?.outputs ?? []);
    const session = { stream, format, tracks, chunkMs };
    this.#session = new StreamSession(speech === undefined ? session : { ...session, speech });
    const bytesPerMs = (format.sampleRate / 1_000) * 2 * tracks.length;
    // Base64 and the words around it.
    this.#mostHanded = MOST_HANDED_MS * bytesPerMs * (format.framing === 'pcm' ? 1 : 2);
  }

  connect(): void {
    const socket = this.#target.connect();
    this.#socket = socket;
    // Close follows every error; the first error is the reason.
    let reason: string | undefined;
    socket.on('error', (error) => {
      reason ??= error.message || String(error);
    });
    socket.on('unexpected-response', (_, { statusCode = 0 }: IncomingMessage) => {
      reason = `the target answered ${statusCode} instead of 101`;
      socket.terminate();
    });
    socket.on('open', () => this.#take({ kind: 'opened', wallMs: Date.now() }));
    socket.on('message', (data, isBinary) => this.#message(data, isBinary));
    socket.on('close', (code, words) => {
      const said = `the connection was closed: ${code} ${words.toString().slice(0, 100)}`.trim();
      if (reason === undefined) this.#take({ kind: 'closed', code, reason: said, wallMs: Date.now() });
      else this.#take({ kind: 'failed', reason });
    });
  }

  pump(): void {
    for (let chunk = this.#chunker.next(); chunk !== undefined; chunk = this.#chunker.next())
      this.#take({ kind: 'chunk', samples: samplesOf(chunk) });
    this.#send();
    this.#take({ kind: 'time', blocked: this.#handed >= this.#mostHanded });
    this.#speak();
    if (this.#socket?.isPaused === true && performance.now() - this.#read.sinceMs >= SECOND_MS)
      this.#socket.resume();
  }

  stop(why: 'stopped' | 'callEnded' = 'stopped'): void {
    this.pump();
    this.#take({ kind: 'stop', why, wallMs: Date.now() });
  }

  /** Other legs hear the program from now on. */
  speakTo(outputs: readonly RingMemory[]): void {
    this.#outlet.speakTo(outputs);
  }

  digit(digit: string, track: StreamTrack): void {
    this.#take({ kind: 'digit', digit, track });
  }

  get #handed(): number {
    return this.#socket?.bufferedAmount ?? 0;
  }

  #send(): void {
    while (this.#handed < this.#mostHanded) {
      const effects = this.#session.next();
      if (effects === undefined) return;
      for (const effect of effects) if (effect.kind === 'send') this.#socket?.send(effect.data);
    }
  }

  #speak(): void {
    this.#outlet.fill(() => this.#session.pull(performance.now()));
    const { playedFrames } = this.#outlet;
    if (playedFrames === this.#played) return;
    this.#played = playedFrames;
    this.#take({ kind: 'heard', frames: playedFrames });
  }

  #message(data: RawData, isBinary: boolean): void {
    const bytes = data as Buffer;
    const nowMs = performance.now();
    if (nowMs - this.#read.sinceMs >= SECOND_MS) this.#read = { sinceMs: nowMs, bytes: 0 };
    this.#read.bytes += bytes.length;
    if (this.#read.bytes > MOST_READ_PER_S) this.#socket?.pause();
    this.#take(isBinary ? { kind: 'bytes', bytes } : { kind: 'text', text: bytes.toString('utf8') });
  }

  #take(input: StreamInput): void {
    for (const effect of this.#session.take({ ...input, atMs: performance.now() })) {
      if (effect.kind === 'send') this.#socket?.send(effect.data);
      else if (effect.kind === 'clear') this.#outlet.clear();
      else if (effect.kind === 'event') {
        this.#tell(effect.event);
        if (effect.event.kind !== 'started') this.#over();
      } else this.#close();
    }
  }

  #close(): void {
    // A paused socket would never hear that its peer has closed as well.
    this.#socket?.resume();
    this.#socket?.close(NORMAL);
  }
}

/** Chunks are made here, little-endian, and their buffers are aligned. */
const samplesOf = (chunk: Uint8Array): Int16Array =>
  new Int16Array(chunk.buffer, chunk.byteOffset, chunk.length / Int16Array.BYTES_PER_ELEMENT);
