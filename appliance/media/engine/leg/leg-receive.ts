import {
  ComfortNoise,
  Concealer,
  FRAME_MS,
  FRAME_SAMPLES,
  levelOf,
  readComfortNoise,
} from '../../audio/index.ts';
import type { LegProfile, LegStream } from '../../control/index.ts';
import {
  ADAPTIVE_JITTER,
  EVENT_BYTES,
  FIXED_JITTER,
  JitterBuffer,
  Latch,
  RtpPacket,
} from '../../rtp/index.ts';
import type { ArrivalTap } from '../mix/arrival-tap.ts';
import { LevelSample } from '../packet/level-sample.ts';
import {
  EVENT,
  formOf,
  GUESSED_EVENT,
  LegCodecs,
  NOISE,
  NOTHING,
  PCMA,
  PCMU,
  payloadKinds,
} from '../packet/payload.ts';
import { Reception } from '../packet/reception.ts';
import { SrtpReceiving } from '../packet/srtp-receiving.ts';

/** Chosen: the time axis is only changed where a person cannot hear it. */
const QUIET_DBM0 = -45;
const LARGEST_PAYLOAD = 160;

/**
 * The receiving side of one leg.
 *
 * ```
 *   datagram > header > payload type > latch > SRTP > latch > SSRC, statistics > jitter buffer       (on arrival)
 *   jitter buffer > decode | conceal | comfort noise | silence > frame                               (each tick)
 * ```
 * The cheap questions come first; nothing changes before a packet is authentic. `packet` answers the kind of the taken packet,
 * so that the leg can pass it on.
 */
export class LegReceive {
  readonly frame = new Int16Array(FRAME_SAMPLES);
  speaking = false;
  /** The frame is made up; a detector should know. */
  lost = false;

  /** The packet taken last; valid until the next one comes. */
  readonly record = new RtpPacket();
  readonly latch = new Latch();
  readonly reception = new Reception();
  readonly srtp = new SrtpReceiving();
  readonly level = new LevelSample();
  concealedFrames = 0;
  malformed = 0;
  foreign = 0;
  bytes = 0;
  /** Length of the last packet of audio. */
  packetMs = 0;
  /** They get what comes before it is put in order in time. */
  arrivals: readonly ArrivalTap[] = [];
  /** The newest packet was comfort noise: the peer may send nothing more until its user speaks. */
  endsInNoise = false;

  readonly #jitter: JitterBuffer;
  readonly #codecs = new LegCodecs();
  readonly #concealer = new Concealer();
  readonly #noise: ComfortNoise;
  readonly #payload = new Uint8Array(LARGEST_PAYLOAD);
  #ahead: Int16Array | undefined;
  #kinds = payloadKinds(null);
  #receiving = false;
  #hasNoise = false;
  /** The last packet was audio; what dries up after audio is concealed, a pause is not. */
  #wasAudio = false;

  constructor(profile: LegProfile, seed: number) {
    this.#jitter = new JitterBuffer(profile === 'alarm' ? FIXED_JITTER : ADAPTIVE_JITTER);
    this.#noise = new ComfortNoise(seed);
  }

  get jitter(): JitterBuffer {
    return this.#jitter;
  }

  update(stream: LegStream | null): void {
    this.#kinds = payloadKinds(stream);
    const receiving = stream !== null && (stream.direction === 'sendrecv' || stream.direction === 'recvonly');
    if (!receiving) this.restart();
    this.#receiving = receiving;
  }

  /** The buffered audio belongs to the past: a new SSRC, a hold, the end of forwarding. */
  restart(): void {
    this.#jitter.reset();
    this.#noise.reset();
    this.#hasNoise = false;
    this.#wasAudio = false;
    for (const each of this.arrivals) each.restart();
    this.#silence();
  }

  /** Takes a datagram apart and answers its kind, or `NOTHING`. @param keep put audio into the jitter buffer */
  packet(bytes: Uint8Array, host: string, port: number, nowMs: number, keep: boolean): number {
    const record = this.record;
    const fault = record.read(bytes, bytes.length);
    if (fault !== null && !(fault === 'padding' && this.srtp.active)) {
      this.malformed++;
      return NOTHING;
    }
    if (!this.latch.concerns(host, port)) {
      this.foreign++;
      return NOTHING;
    }
    const kind = this.#kinds[record.payloadType] ?? NOTHING;
    if (kind === NOTHING) {
      this.malformed++;
      return NOTHING;
    }
    if (this.srtp.active && !this.#unprotect(bytes, host, port)) return NOTHING;
    if (kind === GUESSED_EVENT && record.payloadLength !== EVENT_BYTES) {
      this.malformed++;
      return NOTHING;
    }
    if (this.latch.judge(host, port, record.ssrc, record.sequence, nowMs) === 'foreign') {
      this.foreign++;
      return NOTHING;
    }
    return this.#take(kind === GUESSED_EVENT ? EVENT : kind, bytes, nowMs, keep);
  }

  #unprotect(bytes: Uint8Array, host: string, port: number): boolean {
    const isOurPeer = host === this.latch.host && port === this.latch.port;
    const length = this.srtp.unprotect(bytes, isOurPeer);
    if (length < 0) return false;
    if (this.record.read(bytes, length) === null) return true;
    this.malformed++;
    return false;
  }

  #take(kind: number, bytes: Uint8Array, nowMs: number, keep: boolean): number {
    const record = this.record;
    this.bytes += record.payloadLength;
    const before = this.reception.ssrcChanges;
    const arrival = this.reception.push(record, nowMs, kind !== EVENT);
    if (this.reception.ssrcChanges !== before) this.restart();
    if (arrival === 'doubtful' || arrival === 'duplicate') return NOTHING;
    if (arrival !== 'reordered') this.endsInNoise = kind === NOISE;
    if (!this.#receiving) return NOTHING;
    if (kind === EVENT) {
      this.#passed(record.sequence);
    } else if (kind === NOISE) this.#takeNoise(bytes);
    else if (keep) this.keep(kind, bytes);
    return kind;
  }

  /** Puts the audio of the packet that was taken last into the jitter buffer. */
  keep(kind: number, bytes: Uint8Array): void {
    const form = formOf(kind);
    this.#jitter.put(this.record, bytes, form);
    for (const each of this.arrivals) each.packet(this.record, bytes, kind);
    this.#wasAudio = true;
    this.packetMs = (this.record.payloadLength * FRAME_MS) / form.frameBytes;
  }

  /** A packet without audio: the numbers go on. */
  #passed(sequence: number): void {
    this.#jitter.passed(sequence);
    for (const each of this.arrivals) each.passed(sequence);
    this.#wasAudio = false;
  }

  #takeNoise(bytes: Uint8Array): void {
    const { payloadOffset, payloadLength, sequence } = this.record;
    this.#passed(sequence);
    const read = readComfortNoise(bytes, payloadOffset, payloadLength);
    if (!read.ok) return;
    this.#noise.describe(read.value.levelDbm0);
    this.#hasNoise = true;
  }

  /** Makes the frame of this tick. */
  playout(tick: number): void {
    if (!this.#receiving) {
      if (this.speaking) this.#silence();
      return;
    }
    const resize = this.#jitter.resize;
    if (resize === 0) this.#next();
    else if (resize > 0 && this.#isQuiet()) this.#jitter.adjusted();
    else {
      this.#next();
      if (resize < 0 && this.#isQuiet()) {
        this.#jitter.adjusted();
        this.#next();
      }
    }
    if (this.speaking) this.level.push(this.frame, tick);
  }

  /**
   * Level of the frame that is heard `ahead` ticks after the next one, dBm0; undefined: it has not come, or it was lost, or its codec
   * remembers and is not asked before its turn.
   */
  levelAhead(ahead: number): number | undefined {
    const type = this.#jitter.peek(ahead, this.#payload);
    const kind = type < 0 ? NOTHING : (this.#kinds[type] ?? NOTHING);
    if (kind !== PCMA && kind !== PCMU) return undefined;
    this.#ahead ??= new Int16Array(FRAME_SAMPLES);
    this.#codecs.of(kind).decode(this.#payload, 0, FRAME_SAMPLES, this.#ahead);
    return levelOf(this.#ahead);
  }

  #isQuiet(): boolean {
    return !this.speaking || levelOf(this.frame) < QUIET_DBM0;
  }

  #next(): void {
    const jitter = this.#jitter;
    const pulled = jitter.pull(this.#payload);
    this.lost = false;
    if (pulled === 'frame') {
      const kind = this.#kinds[jitter.payloadType] ?? NOTHING;
      const form = formOf(kind);
      const decoded = this.#codecs.of(kind).decode(this.#payload, 0, form.frameBytes, this.frame);
      if (decoded === FRAME_SAMPLES) {
        this.#concealer.onFrame(this.frame);
        this.speaking = true;
        if (this.#hasNoise) {
          this.#noise.reset();
          this.#hasNoise = false;
        }
        return;
      }
    }
    if ((pulled !== 'empty' || this.#wasAudio) && this.#concealer.lost(this.frame, true)) {
      this.lost = true;
      this.speaking = true;
      this.concealedFrames++;
    } else if (this.#noise.pull(this.frame)) this.speaking = true;
    else this.#silence();
  }

  #silence(): void {
    if (this.speaking) this.frame.fill(0);
    this.speaking = false;
    this.lost = false;
  }
}
