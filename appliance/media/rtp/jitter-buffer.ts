import { FRAME_MS, FRAME_SAMPLES } from '../audio/index.ts';
import type { RtpPacket } from './packet.ts';

/** How a payload divides into frames of 20 ms. */
export interface PayloadForm {
  /** Bytes of one frame. */
  readonly frameBytes: number;
  /** Whether a packet may begin and end inside a frame (one byte per sample). */
  readonly divisible: boolean;
}
export const G711_FORM: PayloadForm = { frameBytes: FRAME_SAMPLES, divisible: true };
export const GSM_FORM: PayloadForm = { frameBytes: 33, divisible: false };

export interface JitterSetting {
  /** Fixed: alarm calls. Adaptive: the depth follows the network. */
  readonly mode: 'fixed' | 'adaptive';
  readonly startMs: number;
  readonly leastMs: number;
  readonly mostMs: number;
}
/** Chosen: 60 ms. Tones must not be stretched, and a device waits 600 ms for its answer. */
export const FIXED_JITTER: JitterSetting = { mode: 'fixed', startMs: 60, leastMs: 60, mostMs: 60 };
export const ADAPTIVE_JITTER: JitterSetting = { mode: 'adaptive', startMs: 60, leastMs: 40, mostMs: 120 };

/** The kind of the next 20 ms: audio; a hole among audio; or nothing is there (not begun, paused, dried up). */
export type Pulled = 'frame' | 'lost' | 'empty';
export type Kept = 'kept' | 'late' | 'duplicate' | 'resynchronised' | 'refused';

/** Packets and frames so far. */
export interface JitterCounters {
  readonly late: number;
  readonly duplicate: number;
  /** Frames that were missing among others. */
  readonly lost: number;
  /** Frames given up because too much came ahead. */
  readonly overrun: number;
  readonly resynchronised: number;
}

/** A packet may begin this many frames ahead, and the ring holds the longest one behind that. */
const MOST_AHEAD = 16;
const SLOTS = 32;
/** RFC 3551 4.2: a receiver accepts packets of 0 to 200 ms. */
const LONGEST_PACKET_SAMPLES = 10 * FRAME_SAMPLES;
const MAX_FRAME_BYTES = 160;
const SAMPLES_PER_MS = FRAME_SAMPLES / FRAME_MS;
const FULL = (1 << FRAME_MS) - 1;
/** A leap of the timestamp beyond 1 s is another time axis. */
const LEAP_SAMPLES = 8_000;
/** That many late packets one after another, with nothing left to play, are a slow clock and not a hiccup. */
const LATE_IN_ROW = 3;
/** Frames over which the depth is judged before it is changed: 2 s, and 5 s before shrinking. */
const JUDGED = 100;
const CALM = 250;

/**
 * Puts packets back in time: a ring of 32 frames by timestamp.
 *
 * ```
 *   played |  next                          newest |
 *   -------+---+---+---+---+---+---+---+---+---+---+--->  timestamp, in frames of 20 ms
 *     late |   | x | x |   | x | x |               | ahead by more than 16: the oldest are given up
 *              |<---- depth, wanted 60 ms -------->|
 *
 *   waiting --first packet, depth over--> playing --new time axis--> playing at the new place
 * ```
 * Nothing is stretched here. `resize` says that the depth should grow (+1: play one frame twice) or shrink (−1: leave one
 * out); who plays does it with `hold` or `skip` in a quiet frame, outside tones. Packets of up to 200 ms are cut.
 */
export class JitterBuffer {
  readonly #setting: JitterSetting;
  readonly #bytes = new Uint8Array(SLOTS * MAX_FRAME_BYTES);
  /** Which milliseconds of each frame are there, one bit each. */
  readonly #filled = new Uint32Array(SLOTS);
  readonly #types = new Uint8Array(SLOTS);
  #form: PayloadForm = G711_FORM;
  #wantedFrames: number;
  #started = false;
  /** Time axis: extended timestamp of the last packet, and frame number of what is played next. */
  #lastTimestamp = 0;
  #lastExtended = 0;
  #next = 0;
  #newest = -1;
  #waiting = 0;
  /** Up to this frame, what is missing was never sent: sequence numbers go on, only time has passed. */
  #pauseEnd = 0;
  #lastSequence = -1;
  #payloadType = 0;
  #lateInRow = 0;
  /** Frames of the longest packets: a packet comes when its last sample was spoken, and its first one must still be to play. */
  #longest = 1;
  #longestLately = 1;
  /** Slack: by how many frames packets come before they are due, each taken as long as the longest. */
  #judged = 0;
  #slackSum = 0;
  #slackLeast = Number.POSITIVE_INFINITY;
  #resize: -1 | 0 | 1 = 0;
  readonly #counters = { late: 0, duplicate: 0, lost: 0, overrun: 0, resynchronised: 0 };

  constructor(setting: JitterSetting) {
    this.#setting = setting;
    this.#wantedFrames = setting.startMs / FRAME_MS;
  }

  get counters(): JitterCounters {
    return this.#counters;
  }

  /** Payload type of the frame pulled last. */
  get payloadType(): number {
    return this.#payloadType;
  }

  get wantedMs(): number {
    return this.#wantedFrames * FRAME_MS;
  }

  /** Frames between what is played next and the newest one, holes included. */
  get depth(): number {
    return this.#started ? Math.max(0, this.#newest - this.#next + 1) : 0;
  }

  get resize(): -1 | 0 | 1 {
    return this.#resize;
  }

  /** A new SSRC: everything begins again; the depth learned stays. */
  reset(): void {
    this.#started = false;
    this.#filled.fill(0);
    this.#judgeAgain();
  }

  /** Takes the payload of a packet. */
  put(packet: RtpPacket, bytes: Uint8Array, form: PayloadForm): Kept {
    const { frameBytes, divisible } = form;
    const whole = Math.floor(packet.payloadLength / frameBytes);
    if (packet.payloadLength === 0 || (!divisible && whole * frameBytes !== packet.payloadLength))
      return 'refused';
    const samples = divisible ? packet.payloadLength : whole * FRAME_SAMPLES;
    if (samples > LONGEST_PACKET_SAMPLES) return 'refused';
    if (form !== this.#form) this.#filled.fill(0);
    this.#form = form;
    const placed = this.#placeOf(packet.timestamp);
    if (placed === 'leap') this.#startAt(packet.timestamp);
    const frame = Math.floor(this.#lastExtended / FRAME_SAMPLES);
    const last = Math.floor((this.#lastExtended + samples - 1) / FRAME_SAMPLES);
    const frames = Math.ceil(samples / FRAME_SAMPLES);
    if (frames > this.#longest) this.#waitForLonger(frame, frames);
    if (last < this.#next) return this.#late(packet, bytes, samples);
    this.#lateInRow = 0;
    if (packet.sequence === ((this.#lastSequence + 1) & 0xffff) && frame > this.#newest + 1)
      this.#pauseEnd = frame;
    this.#lastSequence = packet.sequence;
    this.#judge(last - this.#next - this.#longest + 1, samples / FRAME_SAMPLES, frames);
    this.#makeRoom(frame, last);
    const result = this.#store(packet, bytes, this.#lastExtended, samples);
    return placed === 'leap' ? 'resynchronised' : result;
  }

  /** The next 20 ms into `out`; its length is that of the form. */
  pull(out: Uint8Array): Pulled {
    if (!this.#started) return 'empty';
    if (this.#waiting > 0) {
      this.#waiting--;
      return 'empty';
    }
    const slot = this.#next % SLOTS;
    const full = this.#filled[slot] === FULL;
    if (full) {
      const at = slot * MAX_FRAME_BYTES;
      for (let i = 0; i < this.#form.frameBytes; i++) out[i] = this.#bytes[at + i] ?? 0;
      this.#payloadType = this.#types[slot] ?? 0;
    }
    const isHole = this.#newest > this.#next && this.#next >= this.#pauseEnd;
    const result = full ? 'frame' : isHole ? 'lost' : 'empty';
    if (result === 'lost') this.#counters.lost++;
    this.#filled[slot] = 0;
    this.#next++;
    return result;
  }

  /**
   * The frame that is `ahead` of the next one into `out`, left where it is. Its payload type; -1: it has not come, not all of it, or
   * nothing is played yet.
   */
  peek(ahead: number, out: Uint8Array): number {
    const slot = (this.#next + ahead) % SLOTS;
    if (!this.#started || this.#waiting > 0 || ahead >= SLOTS || this.#filled[slot] !== FULL) return -1;
    const at = slot * MAX_FRAME_BYTES;
    for (let i = 0; i < this.#form.frameBytes; i++) out[i] = this.#bytes[at + i] ?? 0;
    return this.#types[slot] ?? 0;
  }

  /**
   * A packet of the stream that carried no audio (telephone-event, comfort noise) has this number: the gap of
   * timestamps it leaves is a pause and no loss.
   */
  passed(sequence: number): void {
    if (sequence === ((this.#lastSequence + 1) & 0xffff)) this.#lastSequence = sequence;
  }

  /** Leaves the next frame out: the depth shrinks by one. */
  skip(): void {
    if (!this.#started) return;
    this.#filled[this.#next % SLOTS] = 0;
    this.#next++;
    this.#judgeAgain();
  }

  /**
   * The caller played one frame twice instead of a pull, or pulled one and left it out: the depth differs by one and is judged
   * again.
   */
  adjusted(): void {
    this.#judgeAgain();
  }

  /** Extends the timestamp; 'leap' when it lies on another time axis. */
  #placeOf(timestamp: number): 'here' | 'leap' {
    if (!this.#started) return 'leap';
    const step = (timestamp - this.#lastTimestamp) | 0;
    const extended = this.#lastExtended + step;
    const behind = this.#next * FRAME_SAMPLES - extended;
    if (extended < 0 || behind > LEAP_SAMPLES || -behind > LEAP_SAMPLES) return 'leap';
    this.#lastTimestamp = timestamp;
    this.#lastExtended = extended;
    return 'here';
  }

  /**
   * Packets are longer from here on, so that each comes later behind its first sample: what is missing of the depth is waited for,
   * and frames whose time passed while this packet was on its way are played after all.
   */
  #waitForLonger(frame: number, frames: number): void {
    this.#longest = frames;
    this.#longestLately = frames;
    if (!this.#started || this.#waiting > 0) return;
    if (frame < this.#next && frame >= this.#newest) this.#next = frame;
    this.#waiting = Math.max(0, this.#wantedFrames - Math.max(0, frame - this.#next));
    this.#judgeAgain();
  }

  /** The time axis begins at this packet; it is played when the wanted depth is over. */
  #startAt(timestamp: number): void {
    if (this.#started) this.#counters.resynchronised++;
    this.#started = true;
    this.#filled.fill(0);
    this.#lastTimestamp = timestamp;
    // Room below, so that packets from before this one have a number too.
    this.#lastExtended = LEAP_SAMPLES * 4;
    this.#next = this.#lastExtended / FRAME_SAMPLES;
    this.#newest = this.#next - 1;
    this.#pauseEnd = 0;
    this.#lastSequence = -1;
    this.#waiting = this.#wantedFrames;
    this.#lateInRow = 0;
    this.#judgeAgain();
  }

  #late(packet: RtpPacket, bytes: Uint8Array, samples: number): Kept {
    this.#counters.late++;
    this.#lateInRow++;
    if (this.#setting.mode === 'adaptive') this.#grow();
    if (this.#lateInRow < LATE_IN_ROW || this.depth > 0) return 'late';
    this.#startAt(packet.timestamp);
    const last = Math.floor((this.#lastExtended + samples - 1) / FRAME_SAMPLES);
    this.#makeRoom(this.#next, last);
    this.#store(packet, bytes, this.#lastExtended, samples);
    return 'resynchronised';
  }

  /** Too much came ahead: the oldest frames give way. */
  #makeRoom(frame: number, last: number): void {
    while (frame - this.#next >= MOST_AHEAD) {
      if (this.#filled[this.#next % SLOTS] !== 0) this.#counters.overrun++;
      this.#filled[this.#next % SLOTS] = 0;
      this.#next++;
    }
    this.#newest = Math.max(this.#newest, last);
  }

  #store(packet: RtpPacket, bytes: Uint8Array, from: number, samples: number): Kept {
    const { frameBytes, divisible } = this.#form;
    let stored = false;
    let at = packet.payloadOffset;
    for (let sample = from; sample < from + samples; ) {
      const frame = Math.floor(sample / FRAME_SAMPLES);
      const inside = divisible ? sample % FRAME_SAMPLES : 0;
      const covered = divisible ? Math.min(FRAME_SAMPLES - inside, from + samples - sample) : FRAME_SAMPLES;
      const count = divisible ? covered : frameBytes;
      const slot = frame % SLOTS;
      const place = millisecondsOf(inside, covered);
      const filled = this.#filled[slot] ?? 0;
      if (frame >= this.#next && (filled & place) === 0) {
        const target = slot * MAX_FRAME_BYTES + inside;
        for (let i = 0; i < count; i++) this.#bytes[target + i] = bytes[at + i] ?? 0;
        this.#filled[slot] = filled | place;
        this.#types[slot] = packet.payloadType;
        stored = true;
      }
      at += count;
      sample += covered;
    }
    if (stored) return 'kept';
    this.#counters.duplicate++;
    return 'duplicate';
  }

  /** Judges the depth by how early packets come, each by its frames. While the beginning waits, nothing is due. */
  #judge(slack: number, weight: number, frames: number): void {
    if (this.#waiting > 0) return;
    this.#longestLately = Math.max(this.#longestLately, frames);
    this.#judged += weight;
    this.#slackSum += slack * weight;
    this.#slackLeast = Math.min(this.#slackLeast, slack);
    if (this.#setting.mode === 'fixed') {
      if (this.#judged < JUDGED) return;
      const error = this.#slackSum / this.#judged - this.#wantedFrames;
      this.#judgeAgain();
      this.#forgetLonger();
      this.#resize = error < -1 ? 1 : error > 1 ? -1 : 0;
    } else if (this.#slackLeast < 1) {
      this.#grow();
    } else if (this.#judged >= CALM) {
      const isDeep = this.#slackLeast > this.#wantedFrames;
      const shrink = this.#slackLeast >= 3 && this.#wantedFrames > this.#setting.leastMs / FRAME_MS;
      this.#judgeAgain();
      this.#forgetLonger();
      if (shrink && !isDeep) this.#wantedFrames--;
      if (shrink || isDeep) this.#resize = -1;
    }
  }

  /** No longer packet came while the depth was judged. */
  #forgetLonger(): void {
    this.#longest = this.#longestLately;
    this.#longestLately = 1;
  }

  #grow(): void {
    if (this.#resize === 1 || this.#wantedFrames >= this.#setting.mostMs / FRAME_MS) return;
    this.#judgeAgain();
    this.#wantedFrames++;
    this.#resize = 1;
  }

  #judgeAgain(): void {
    this.#judged = 0;
    this.#slackSum = 0;
    this.#slackLeast = Number.POSITIVE_INFINITY;
    this.#resize = 0;
  }
}

/** The bits of the milliseconds a stretch of samples covers within its frame. */
const millisecondsOf = (inside: number, count: number): number =>
  ((1 << Math.ceil((inside + count) / SAMPLES_PER_MS)) - 1) &
  ~((1 << Math.ceil(inside / SAMPLES_PER_MS)) - 1);
