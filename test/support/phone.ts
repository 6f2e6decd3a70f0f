import { type Codec, FRAME_SAMPLES, gsmCodec, pcma, pcmu } from '#appliance/media/audio/index.ts';
import type { LegStream, VoiceCodec } from '#appliance/media/control/index.ts';
import { DtmfDetector, dtmf, EVENT_DIGITS, IVR_PROFILE, render } from '#appliance/media/dtmf/index.ts';
import {
  EventReceiver,
  EventSender,
  isRtcp,
  middleOfNtp,
  RtpPacket,
  readRtcp,
  readTelephoneEvent,
  type SrtpCrypto,
  SrtpReceiver,
  SrtpSender,
  writeRtcp,
  writeRtpHeader,
  writeTelephoneEvent,
} from '#appliance/media/rtp/index.ts';

export interface PhoneSetting {
  readonly host: string;
  readonly port: number;
  readonly codec?: VoiceCodec;
  /** Payload type of telephone-event; null: it has none. Default 101. */
  readonly eventType?: number | null;
  readonly comfortNoiseType?: number;
  readonly srtp?: NonNullable<LegStream['srtp']>;
  readonly crypto?: SrtpCrypto;
  readonly ssrc?: number;
  readonly sequence?: number;
}

const PAYLOAD_TYPE: Readonly<Record<VoiceCodec, number>> = { PCMU: 0, GSM: 3, PCMA: 8 };

/** A digit a phone heard; `ms` is what the sender said or the detector measured. */
export interface PhoneDigit {
  readonly digit: string;
  readonly by: 'rfc4733' | 'inband';
  readonly ms: number;
}

/** A telephone without a socket: sends a packet every 20 ms once it knows where to, and keeps what it hears. */
export class Phone {
  readonly host: string;
  readonly port: number;
  readonly codec: VoiceCodec;
  /** Every RTP payload header it got, and the raw RTCP datagrams. */
  readonly packets: {
    readonly payloadType: number;
    readonly sequence: number;
    readonly timestamp: number;
    readonly ssrc: number;
    readonly marker: boolean;
    readonly atMs: number;
    readonly payload: Uint8Array;
  }[] = [];
  readonly reports: Uint8Array[] = [];
  /** Digits by event and in band, in the order in which they ended. */
  readonly digits: PhoneDigit[] = [];
  /** False: it stays silent, not even silence is sent. */
  sending = true;
  /** True: it answers each sender report at once, so that the appliance measures the round trip. */
  answersReports = false;
  ssrc: number;
  sequence: number;
  timestamp = 160_000;

  readonly #setting: PhoneSetting;
  readonly #transmit: (bytes: Uint8Array, to: number) => void;
  readonly #hears: (port: number) => boolean;
  readonly #encoder: Codec;
  readonly #decoder: Codec;
  readonly #events: EventSender;
  readonly #eventReceiver: EventReceiver;
  readonly #detector: DtmfDetector;
  readonly #protect: SrtpSender | null;
  readonly #unprotect: SrtpReceiver | null;
  readonly #frames: Int16Array[] = [];
  readonly #frame = new Int16Array(FRAME_SAMPLES);
  #speech = new Int16Array(0);
  #marker = true;
  #to = 0;
  #ticks = 0;

  /** @param hears whether anybody is there now */
  constructor(
    setting: PhoneSetting,
    transmit: (bytes: Uint8Array, to: number) => void,
    hears: (port: number) => boolean = () => true,
  ) {
    this.#setting = setting;
    this.#transmit = transmit;
    this.#hears = hears;
    this.host = setting.host;
    this.port = setting.port;
    this.codec = setting.codec ?? 'PCMA';
    this.ssrc = setting.ssrc ?? 0x1000_0000 + setting.port;
    this.sequence = setting.sequence ?? 100;
    this.#encoder = codecOf(this.codec);
    this.#decoder = codecOf(this.codec);
    this.#events = new EventSender((event, timestamp, marker) => {
      const payload = new Uint8Array(4);
      writeTelephoneEvent(event, payload, 0);
      this.#send(setting.eventType ?? 101, payload, timestamp, marker);
    });
    this.#eventReceiver = new EventReceiver((event) => {
      const digit = EVENT_DIGITS[event.code];
      if (event.kind === 'end' && digit) this.digits.push({ digit, by: 'rfc4733', ms: event.durationMs });
    });
    this.#detector = new DtmfDetector(IVR_PROFILE, (event) => {
      if (event.kind === 'end') this.digits.push({ digit: event.digit, by: 'inband', ms: event.durationMs });
    });
    const { srtp, crypto } = setting;
    const keyed = srtp !== undefined && crypto !== undefined;
    this.#protect = keyed ? new SrtpSender(srtp.suite, srtp.receiveKey, crypto) : null;
    this.#unprotect = keyed ? new SrtpReceiver(srtp.suite, srtp.sendKey, crypto) : null;
  }

  /** How a leg that talks to this phone is described; keys are seen from the leg. */
  stream(change: Partial<LegStream> = {}): LegStream {
    const { eventType = 101, comfortNoiseType, srtp } = this.#setting;
    const codec = { payloadType: PAYLOAD_TYPE[this.codec], codec: this.codec };
    return {
      remote: { host: this.host, port: this.port, rtcpPort: this.port + 1 },
      rtcpMux: false,
      direction: 'sendrecv',
      send: codec,
      receive: [codec],
      latching: false,
      ...(eventType !== null && {
        telephoneEvent: { send: eventType, receive: eventType, digits: EVENT_DIGITS },
      }),
      ...(comfortNoiseType !== undefined && {
        comfortNoise: { send: comfortNoiseType, receive: comfortNoiseType },
      }),
      ...(srtp && { srtp }),
      ...change,
    };
  }

  /** From now on it sends to this port of the appliance. */
  talkTo(port: number): void {
    this.#to = port;
  }

  /** Says these samples after what it has still to say; silence before and behind. */
  say(samples: Int16Array): void {
    const whole = new Int16Array(this.#speech.length + samples.length);
    whole.set(this.#speech);
    whole.set(samples, this.#speech.length);
    this.#speech = whole;
  }

  press(digits: string, { onMs = 80, offMs = 80, by = 'inband' as PhoneDigit['by'] } = {}): void {
    if (by === 'rfc4733') {
      for (const digit of digits) this.#events.queue(EVENT_DIGITS.indexOf(digit), onMs, offMs);
      return;
    }
    const segments = dtmf(digits, { onMs, offMs });
    if (segments.ok) this.say(render(segments.value));
  }

  get quiet(): boolean {
    return this.#speech.length === 0 && this.#events.idle;
  }

  /** Everything heard so far, one packet after another. */
  get received(): Int16Array {
    const whole = new Int16Array(this.#frames.length * FRAME_SAMPLES);
    for (const [index, frame] of this.#frames.entries()) whole.set(frame, index * FRAME_SAMPLES);
    return whole;
  }

  forget(): void {
    this.#frames.length = 0;
    this.packets.length = 0;
    this.digits.length = 0;
  }

  /** Its silence reaches no party. Hours of it pass in tests; SRTP alone must count what was sent. */
  get isStill(): boolean {
    return !this.sending || (this.quiet && this.#protect === null && !this.#hears(this.#to));
  }

  /** So many times 20 ms in which it is still. */
  pass(ticks: number): void {
    this.timestamp = (this.timestamp + ticks * FRAME_SAMPLES) >>> 0;
    if (this.sending) this.sequence = (this.sequence + ticks) & 0xffff;
    this.#marker = !this.sending;
  }

  /** Its 20 ms: sends one packet. */
  tick(): void {
    if (this.isStill) {
      this.pass(1);
      return;
    }
    this.timestamp = (this.timestamp + FRAME_SAMPLES) >>> 0;
    if (this.#events.tick(this.timestamp) === 'event') return;
    this.#frame.fill(0);
    this.#frame.set(this.#speech.subarray(0, FRAME_SAMPLES));
    this.#speech = this.#speech.subarray(Math.min(FRAME_SAMPLES, this.#speech.length));
    const payload = new Uint8Array(FRAME_SAMPLES);
    const length = this.#encoder.encode(this.#frame, payload, 0);
    this.#send(PAYLOAD_TYPE[this.codec], payload.subarray(0, length), this.timestamp, this.#marker);
    this.#marker = false;
  }

  /** One packet of any kind, now; takes the next sequence number. */
  #send(payloadType: number, payload: Uint8Array, timestamp: number, marker: boolean): void {
    const length = 12 + payload.length;
    const bytes = new Uint8Array(length + 16);
    const { ssrc, sequence } = this;
    writeRtpHeader(bytes, { marker, payloadType, sequence, timestamp, ssrc });
    bytes.set(payload, 12);
    this.sequence = (sequence + 1) & 0xffff;
    const whole = this.#protect?.protect(bytes, length) ?? length;
    if (this.#to !== 0) this.#transmit(bytes.subarray(0, whole), this.#to);
  }

  /** A packet with any payload type. */
  sendPayload(payloadType: number, payload: Uint8Array): void {
    this.#send(payloadType, payload, this.timestamp, false);
  }

  #answerReport(bytes: Uint8Array): void {
    const read = readRtcp(bytes, bytes.length);
    for (const part of read.ok ? read.value : []) {
      if (part.kind !== 'senderReport') continue;
      const lastSenderReport = middleOfNtp(part.ntpSeconds, part.ntpFraction);
      const statistics = {
        fractionLost: 0,
        cumulativeLost: 0,
        highestSequence: 0,
        jitter: 0,
        delaySinceLast: 0,
      };
      const reports = [{ ssrc: part.ssrc, lastSenderReport, ...statistics }];
      const answer = new Uint8Array(64);
      const length = writeRtcp([{ kind: 'receiverReport', ssrc: this.ssrc, reports }], answer);
      this.#transmit(answer.subarray(0, length), this.#to + 1);
    }
  }

  /** A datagram for it. */
  receive(bytes: Uint8Array, atMs: number): void {
    if (isRtcp(bytes, bytes.length)) {
      this.reports.push(bytes);
      if (this.answersReports) this.#answerReport(bytes);
      return;
    }
    const length = this.#unprotect?.unprotect(bytes, bytes.length) ?? bytes.length;
    const packet = new RtpPacket();
    if (length < 0 || packet.read(bytes, length) !== null) return;
    const { payloadOffset, payloadLength, payloadType, sequence, timestamp, ssrc, marker } = packet;
    const payload = bytes.slice(payloadOffset, payloadOffset + payloadLength);
    this.packets.push({ payloadType, sequence, timestamp, ssrc, marker, atMs, payload });
    if (payloadType === (this.#setting.eventType ?? 101)) {
      const event = readTelephoneEvent(payload, 0, payload.length);
      if (event) this.#eventReceiver.push(ssrc, timestamp, event, atMs);
      return;
    }
    if (payloadType !== PAYLOAD_TYPE[this.codec]) return;
    const step = this.codec === 'GSM' ? 33 : FRAME_SAMPLES;
    for (let at = 0; at + step <= payload.length; at += step) {
      const frame = new Int16Array(FRAME_SAMPLES);
      this.#decoder.decode(payload, at, step, frame);
      this.#frames.push(frame);
      this.#detector.push(frame, this.#ticks++, false);
    }
  }
}

const codecOf = (codec: VoiceCodec): Codec =>
  codec === 'PCMA' ? pcma : codec === 'PCMU' ? pcmu : gsmCodec();
