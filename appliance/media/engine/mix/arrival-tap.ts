import { Concealer, FRAME_SAMPLES, type RingMemory, RingWriter } from '../../audio/index.ts';
import type { RtpPacket } from '../../rtp/index.ts';
import { formOf, LegCodecs } from '../packet/payload.ts';

/** Chosen: a peer of which nothing has come for 60 ms is silent. */
const MOST_BEHIND = 3;
/** Chosen: behind a jam 100 ms come at once; the rest of it is left out, or a program would hear the past from then on. */
const MOST_AHEAD = 5;
/** Chosen: a packet waits 40 ms for one that it has overtaken, and no longer than four packets do. */
const HELD_TICKS = 2;
const MOST_HELD = 4;
/** A leap of the sequence number beyond is another sequence. */
const LEAP = 50;
const MOST_CONCEALED = 5;
const SILENCE = new Int16Array(FRAME_SAMPLES);

type Packet = Pick<RtpPacket, 'sequence' | 'payloadOffset' | 'payloadLength'>;

interface Held {
  readonly sequence: number;
  readonly kind: number;
  /** Undefined: a number without audio. */
  readonly payload: Uint8Array | undefined;
  readonly tick: number;
}

/**
 * Copies the audio of one leg into a ring as soon as it arrives, without the delay of the jitter buffer: a program that listens has no
 * loudspeaker that would run dry.
 *
 * ```
 *   packet ──next number────────────────────────────▶ decode ▶ frame ▶ ring
 *      └──a number is missing──▶ held ──it came, 40 ms, 4 packets──┘
 *   tick ──3 frames behind──▶ the last frame fading, then silence ▶ ring
 * ```
 * The ring gets as many frames as ticks pass, at most 3 less and 5 more.
 */
export class ArrivalTap {
  paused = false;
  /** Frames left out: the reader was too slow, or too many came at once. */
  dropped = 0;
  /** Packets that came when their place was given up. */
  late = 0;

  readonly #ring: RingWriter;
  readonly #codecs = new LegCodecs();
  readonly #concealer = new Concealer();
  readonly #frame = new Int16Array(FRAME_SAMPLES);
  readonly #piece = new Int16Array(FRAME_SAMPLES);
  #held: Held[] = [];
  /** Samples of the frame that is not whole yet. */
  #filled = 0;
  /** Number of the packet that is next; -1 = any. */
  #next = -1;
  #framesPerPacket = 1;
  #wasAudio = false;
  #firstTick = -1;
  #tick = 0;
  #written = 0;

  constructor(ring: RingMemory) {
    this.#ring = new RingWriter(ring);
  }

  /** A packet of audio. `bytes` stay as they are. */
  packet({ sequence, payloadOffset, payloadLength }: Packet, bytes: Uint8Array, kind: number): void {
    this.#arrived(sequence, kind, bytes.subarray(payloadOffset, payloadOffset + payloadLength));
  }

  /** A packet that is no audio has this number. */
  passed(sequence: number): void {
    this.#arrived(sequence, 0, undefined);
  }

  /** Another source speaks: nothing of the one before is waited for. */
  restart(): void {
    this.#next = -1;
    this.#held = [];
    this.#filled = 0;
    this.#wasAudio = false;
  }

  /** Once in every tick, and once before any packet. */
  tick(tick: number): void {
    if (this.#firstTick < 0) this.#firstTick = tick;
    this.#tick = tick - this.#firstTick + 1;
    const [first] = this.#held;
    if (first !== undefined && this.#tick - first.tick >= HELD_TICKS) this.#giveUp();
    while (this.#written < this.#tick - MOST_BEHIND) {
      const concealed = this.#wasAudio && !this.paused && this.#concealer.lost(this.#piece);
      this.#write(concealed ? this.#piece : SILENCE);
    }
  }

  #arrived(sequence: number, kind: number, payload: Uint8Array | undefined): void {
    if (this.paused || this.#firstTick < 0) return;
    const ahead = this.#next < 0 ? 0 : distance(this.#next, sequence);
    if (Math.abs(ahead) > LEAP) this.restart();
    else if (ahead < 0) {
      this.late++;
      return;
    }
    const packet = { sequence, kind, payload, tick: this.#tick };
    if (this.#next < 0 || ahead === 0) {
      this.#take(packet);
      this.#release();
      return;
    }
    const at = this.#held.findIndex((one) => distance(one.sequence, sequence) < 0);
    this.#held.splice(at < 0 ? this.#held.length : at, 0, packet);
    if (this.#held.length > MOST_HELD) this.#giveUp();
  }

  /** The packets before the first held one are lost. */
  #giveUp(): void {
    const [first] = this.#held;
    if (first === undefined) return;
    const missing = distance(this.#next, first.sequence) * this.#framesPerPacket;
    for (let n = 0; this.#wasAudio && n < Math.min(missing, MOST_CONCEALED); n++)
      this.#write(this.#concealer.lost(this.#piece) ? this.#piece : SILENCE);
    this.#next = first.sequence;
    this.#release();
  }

  #release(): void {
    while (this.#held[0]?.sequence === this.#next) {
      const packet = this.#held.shift();
      if (packet !== undefined) this.#take(packet);
    }
  }

  #take({ sequence, kind, payload }: Held): void {
    this.#next = (sequence + 1) & 0xffff;
    this.#wasAudio = payload !== undefined;
    if (payload === undefined) return;
    const { frameBytes, divisible } = formOf(kind);
    this.#framesPerPacket = Math.max(1, Math.round(payload.length / frameBytes));
    for (let at = 0; at < payload.length; ) {
      const room = divisible ? FRAME_SAMPLES - this.#filled : frameBytes;
      const bytes = Math.min(room, payload.length - at);
      this.#append(this.#codecs.of(kind).decode(payload, at, bytes, this.#piece));
      at += bytes;
    }
  }

  /** So many samples of the piece belong to the frame that is being filled. */
  #append(samples: number): void {
    // A frame that was begun by another codec is not continued.
    if (this.#filled + samples > FRAME_SAMPLES) this.#filled = 0;
    this.#frame.set(this.#piece.subarray(0, samples), this.#filled);
    this.#filled += samples;
    if (this.#filled < FRAME_SAMPLES) return;
    this.#filled = 0;
    this.#concealer.onFrame(this.#frame);
    this.#write(this.#frame);
  }

  #write(frame: Int16Array): void {
    if (this.#written - this.#tick >= MOST_AHEAD) this.dropped++;
    // The numbers go on where the ring is full: its reader sees how long the hole is.
    else if (!this.#ring.write(frame, this.#firstTick + this.#written++)) this.dropped++;
  }
}

/** From one number of 16 bits to another: negative = before it. */
const distance = (from: number, to: number): number => ((to - from) << 16) >> 16;
