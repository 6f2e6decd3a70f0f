import { type Codec, FRAME_MS, FRAME_SAMPLES } from '../../audio/index.ts';
import type { LegProfile, LegStream } from '../../control/index.ts';
import {
  EventSender,
  type EventTick,
  RTP_HEADER_BYTES,
  type RtpPacket,
  SrtcpSender,
  type SrtpCrypto,
  SrtpSender,
  type TelephoneEvent,
  writeRtpHeader,
  writeTelephoneEvent,
} from '../../rtp/index.ts';
import { LONGEST_PACKET_MS, packetBytesOf } from '../packet/packet-length.ts';
import { GSM, KIND_OF, LegCodecs, NOTHING, silenceOf } from '../packet/payload.ts';
import type { PacketPort } from '../packet/port.ts';
import { type KeyedBy, sameKey } from '../packet/srtp-receiving.ts';

/** A longest packet of G.711, and the frame that is encoded behind it. */
const LARGEST_PAYLOAD = (LONGEST_PACKET_MS / FRAME_MS + 1) * FRAME_SAMPLES;
const TAG_ROOM = 16;
const SILENCE = new Int16Array(FRAME_SAMPLES);
/** A forwarded packet may come this much later than it is due before silence is sent instead. */
const FORWARD_PATIENCE_MS = 80;

/** Where packets go. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/**
 * The sending side of one leg: one SSRC, one sequence of numbers for audio, events and forwarded packets, one clock.
 *
 * ```
 *   tick           0       1       2       3       4
 *   timestamp      base    +160    +320    +480    +640       also while nothing is sent
 *   from slices    audio   audio   event   event   audio M    marker where a spurt begins
 *   forwarded      payload with our number and SSRC; its timestamp moved by a constant, taken again after each slice
 * ```
 */
export class LegSend {
  readonly ssrc: number;
  readonly events: EventSender;
  packets = 0;
  bytes = 0;

  readonly #port: PacketPort;
  readonly #target: Target;
  readonly #header = { marker: true, payloadType: 0, sequence: 0, timestamp: 0, ssrc: 0 };
  readonly #buffer = new Uint8Array(RTP_HEADER_BYTES + LARGEST_PAYLOAD + TAG_ROOM);
  /** Views of the buffer by length, made once. */
  readonly #views: Uint8Array[] = [];
  readonly #codecs = new LegCodecs();
  #codec: Codec | null = null;
  #kind = NOTHING;
  #payloadType = 0;
  #eventType = -1;
  #packetBytes = FRAME_SAMPLES;
  #keyed: KeyedBy | null = null;
  #rtp: SrtpSender | null = null;
  #rtcp: SrtcpSender | null = null;
  #open = false;
  #base: number;
  #lastTimestamp = 0;
  #isFirst = true;
  /** A packet that is being filled, when the peer wants other lengths than our frames: its end in the buffer, and its time. */
  #gathered = RTP_HEADER_BYTES;
  #gatheredSamples = 0;
  #gatheredTimestamp = 0;
  /** Samples that a packet has left for the next one. */
  #rest: Uint8Array | null = null;
  /** The constants of forwarding. */
  #fromSsrc = -1;
  #sequenceShift = 0;
  #timestampShift = 0;
  #forwardedUntilMs = Number.NEGATIVE_INFINITY;
  readonly #profile: LegProfile;

  constructor(port: PacketPort, target: Target, profile: LegProfile, random: Uint8Array) {
    const words = new DataView(random.buffer, random.byteOffset, 12);
    this.#port = port;
    this.#target = target;
    this.#profile = profile;
    this.ssrc = words.getUint32(0);
    this.#header.ssrc = this.ssrc;
    // Below 2^15, so that a lost first packet cannot make SRTP guess a wrong rollover (RFC 3711, 3.3.1).
    this.#header.sequence = words.getUint16(4) & 0x7fff;
    this.#base = words.getUint32(8);
    this.events = new EventSender((event, timestamp, marker) => this.#sendEvent(event, timestamp, marker));
  }

  /** The payload kind of our audio. */
  get kind(): number {
    return this.#kind;
  }

  /** Whether the peer is to be sent anything. */
  get open(): boolean {
    return this.#open;
  }

  update(stream: LegStream | null, crypto: SrtpCrypto): void {
    const sends = stream !== null && (stream.direction === 'sendrecv' || stream.direction === 'sendonly');
    if (sends && !this.#open) this.#header.marker = true;
    this.#open = sends;
    this.#dropGathered();
    if (stream === null) return;
    this.#kind = KIND_OF[stream.send.codec];
    this.#codec = this.#codecs.of(this.#kind);
    this.#payloadType = stream.send.payloadType;
    this.#eventType = stream.telephoneEvent?.send ?? -1;
    this.#packetBytes = packetBytesOf(stream, this.#profile);
    this.#fromSsrc = -1;
    const keyed = stream.srtp ? { suite: stream.srtp.suite, key: stream.srtp.sendKey } : null;
    if (sameKey(keyed, this.#keyed)) return;
    this.#keyed = keyed;
    this.#rtp = keyed && new SrtpSender(keyed.suite, keyed.key, crypto);
    this.#rtcp = keyed && new SrtcpSender(keyed.key, crypto);
  }

  /** RTP timestamp of a tick. */
  timestampOf(tick: number): number {
    return (this.#base + tick * FRAME_SAMPLES) >>> 0;
  }

  /** Events come before everything else: what this tick is to be. */
  tickEvents(tick: number): EventTick {
    return this.events.idle ? 'idle' : this.events.tick(this.#onOurClock(tick));
  }

  /** Audio of one tick; null is silence. */
  audio(frame: Int16Array | null, tick: number): void {
    if (!this.#begin(tick)) return;
    if (frame === null && this.#kind !== GSM) {
      const at = this.#gathered;
      this.#buffer.fill(silenceOf(this.#kind), at, at + FRAME_SAMPLES);
      this.#gathered += FRAME_SAMPLES;
    } else {
      this.#gathered += this.#codec?.encode(frame ?? SILENCE, this.#buffer, this.#gathered) ?? 0;
    }
    this.#end();
  }

  /** Audio of one tick that is encoded already. */
  ready(bytes: Uint8Array, from: number, tick: number): void {
    if (!this.#begin(tick)) return;
    this.#buffer.set(bytes.subarray(from, from + FRAME_SAMPLES), this.#gathered);
    this.#gathered += FRAME_SAMPLES;
    this.#end();
  }

  /** Room for the audio of this tick; false when nothing is to be sent. */
  #begin(tick: number): boolean {
    if (!this.#open || this.#target.port === 0) {
      this.#header.marker = true;
      return false;
    }
    this.#fromSsrc = -1;
    const expected = (this.#gatheredTimestamp + this.#gatheredSamples) >>> 0;
    // Ticks were left out: the packet holds nothing of their time.
    if (this.#gatheredSamples > 0 && expected !== this.#onOurClock(tick)) this.#flush();
    if (this.#gatheredSamples === 0) this.#gatheredTimestamp = this.#onOurClock(tick);
    return true;
  }

  #end(): void {
    this.#gatheredSamples += FRAME_SAMPLES;
    const size = this.#packetBytes;
    // A length that is no multiple of our frames: G.711, whose samples are bytes.
    for (let end = RTP_HEADER_BYTES + size; this.#gathered > end; ) this.#cut(end);
    if (this.#gathered === RTP_HEADER_BYTES + size) this.#flush();
  }

  /** Sends what lies before `end`, and keeps the rest for the next packet. */
  #cut(end: number): void {
    this.#rest ??= new Uint8Array(LARGEST_PAYLOAD);
    const left = this.#gathered - end;
    for (let i = 0; i < left; i++) this.#rest[i] = this.#buffer[end + i] ?? 0;
    this.#header.payloadType = this.#payloadType;
    this.#emit(this.#gatheredTimestamp, end);
    this.#header.marker = false;
    for (let i = 0; i < left; i++) this.#buffer[RTP_HEADER_BYTES + i] = this.#rest[i] ?? 0;
    const sent = end - RTP_HEADER_BYTES;
    this.#gathered = RTP_HEADER_BYTES + left;
    this.#gatheredSamples -= sent;
    this.#gatheredTimestamp = (this.#gatheredTimestamp + sent) >>> 0;
  }

  #flush(): void {
    if (this.#gatheredSamples === 0) return;
    const end = this.#gathered;
    this.#dropGathered();
    this.#header.payloadType = this.#payloadType;
    this.#emit(this.#gatheredTimestamp, end);
    this.#header.marker = false;
  }

  #dropGathered(): void {
    this.#gathered = RTP_HEADER_BYTES;
    this.#gatheredSamples = 0;
  }

  /** After forwarding the peer's clock may be ahead of ours; timestamps never go back. */
  #onOurClock(tick: number): number {
    const timestamp = this.timestampOf(tick);
    if (this.#isFirst || ((timestamp - this.#lastTimestamp) | 0) > 0) return timestamp;
    const next = (this.#lastTimestamp + FRAME_SAMPLES) >>> 0;
    this.#base = (this.#base + next - timestamp) >>> 0;
    return next;
  }

  #sendEvent(event: TelephoneEvent, timestamp: number, marker: boolean): void {
    if (!this.#open || this.#eventType < 0 || this.#target.port === 0) return;
    this.#flush();
    this.#fromSsrc = -1;
    writeTelephoneEvent(event, this.#buffer, RTP_HEADER_BYTES);
    this.#header.marker = marker;
    this.#header.payloadType = this.#eventType;
    this.#emit(timestamp, RTP_HEADER_BYTES + 4);
    this.#header.marker = true;
  }

  #emit(timestamp: number, length: number): void {
    const header = this.#header;
    header.timestamp = timestamp;
    writeRtpHeader(this.#buffer, header);
    header.sequence = (header.sequence + 1) & 0xffff;
    this.#count(timestamp, length - RTP_HEADER_BYTES);
    const protectedLength = this.#rtp?.protect(this.#buffer, length) ?? length;
    if (protectedLength > 0)
      this.#port.send(this.#view(protectedLength), this.#target.host, this.#target.port);
  }

  #count(timestamp: number, payload: number): void {
    this.packets++;
    this.bytes += payload;
    this.#lastTimestamp = timestamp;
    this.#isFirst = false;
  }

  /**
   * Passes a packet of another leg on, in the memory it came in: our header is written right before its payload, CSRC
   * and extension are left behind. Numbers follow those of the other leg, so its losses stay visible.
   *
   * @param lengthMs length of its audio; 0 of other packets
   */
  forward(
    from: RtpPacket,
    bytes: Uint8Array,
    payloadType: number,
    lengthMs: number,
    tick: number,
    nowMs: number,
  ): void {
    if (!this.#open || this.#target.port === 0) return;
    this.#flush();
    const header = this.#header;
    const isNew = from.ssrc !== this.#fromSsrc;
    if (isNew) {
      this.#fromSsrc = from.ssrc;
      this.#sequenceShift = header.sequence - from.sequence;
      this.#timestampShift = this.#onOurClock(tick) - from.timestamp;
    }
    this.#forwardedUntilMs = nowMs + FORWARD_PATIENCE_MS + Math.max(FRAME_MS, lengthMs);
    const expected = header.sequence;
    header.marker = from.marker || isNew;
    header.payloadType = payloadType;
    header.sequence = (from.sequence + this.#sequenceShift) & 0xffff;
    header.timestamp = (from.timestamp + this.#timestampShift) >>> 0;
    const start = from.payloadOffset - RTP_HEADER_BYTES;
    writeRtpHeader(bytes, header, start);
    // A packet that comes late, out of order, takes nothing back.
    const isLate = (header.sequence - expected) << 16 < 0;
    header.sequence = isLate ? expected : (header.sequence + 1) & 0xffff;
    this.#count(isLate ? this.#lastTimestamp : header.timestamp, from.payloadLength);
    header.marker = true;
    const end = from.payloadOffset + from.payloadLength;
    const packet = start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
    this.#port.send(packet, this.#target.host, this.#target.port);
  }

  /** Whether forwarding keeps the peer supplied, so that slices need not send. */
  suppliedByForwarding(nowMs: number): boolean {
    return nowMs < this.#forwardedUntilMs;
  }

  /** Protects a report in place when that was agreed; answers its length. */
  protectRtcp(bytes: Uint8Array, length: number): number {
    return this.#rtcp?.protect(bytes, length) ?? length;
  }

  #view(length: number): Uint8Array {
    const known = this.#views[length];
    if (known !== undefined) return known;
    const view = this.#buffer.subarray(0, length);
    this.#views[length] = view;
    return view;
  }
}
