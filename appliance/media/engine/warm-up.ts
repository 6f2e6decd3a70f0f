import { FRAME_SAMPLES, NoiseSource, pcma, pcmu, ringMemory } from '../audio/index.ts';
import type { LegStream, PreparedPrompt, VoiceCodec } from '../control/index.ts';
import { dtmf, render } from '../dtmf/index.ts';
import { MASTER_BYTES, RTP_HEADER_BYTES, type SrtpCrypto, SrtpSender, writeRtpHeader } from '../rtp/index.ts';
import { Engine } from './engine.ts';
import type { Leg } from './leg/leg.ts';
import { SLICE_MS, SLICES } from './schedule.ts';

const HOST = '192.0.2.1';
const CODECS: readonly {
  readonly codec: VoiceCodec;
  readonly payloadType: number;
  readonly secret: boolean;
}[] = [
  { codec: 'PCMA', payloadType: 8, secret: false },
  { codec: 'PCMU', payloadType: 0, secret: false },
  { codec: 'PCMA', payloadType: 8, secret: true },
  { codec: 'PCMU', payloadType: 0, secret: true },
  { codec: 'GSM', payloadType: 3, secret: false },
  { codec: 'PCMA', payloadType: 8, secret: false },
  { codec: 'PCMA', payloadType: 8, secret: false },
  { codec: 'PCMU', payloadType: 0, secret: false },
];
const KEY = new Uint8Array(MASTER_BYTES).fill(7);
const GSM_PAYLOAD = new Uint8Array(33).fill(0xd0);

/** One synthetic leg: packets of speech-like noise and digits towards it. */
class Traffic {
  readonly #leg: Leg;
  readonly #port: number;
  readonly #payloadType: number;
  readonly #payloads: readonly Uint8Array[];
  readonly #srtp: SrtpSender | null;
  readonly #buffer = new Uint8Array(RTP_HEADER_BYTES + FRAME_SAMPLES + 10);
  #packets = 0;

  constructor(
    leg: Leg,
    port: number,
    payloadType: number,
    payloads: readonly Uint8Array[],
    srtp: SrtpSender | null,
  ) {
    this.#leg = leg;
    this.#port = port;
    this.#payloadType = payloadType;
    this.#payloads = payloads;
    this.#srtp = srtp;
  }

  send(nowMs: number): void {
    const n = this.#packets++;
    const payload = this.#payloads[n % this.#payloads.length] ?? GSM_PAYLOAD;
    const header = { marker: false, payloadType: this.#payloadType, ssrc: this.#port };
    writeRtpHeader(this.#buffer, { ...header, sequence: n & 0xffff, timestamp: n * FRAME_SAMPLES });
    this.#buffer.set(payload, RTP_HEADER_BYTES);
    const plain = RTP_HEADER_BYTES + payload.length;
    const length = this.#srtp?.protect(this.#buffer, plain) ?? plain;
    this.#leg.rtp(this.#buffer.slice(0, length), HOST, this.#port, nowMs);
  }
}

/**
 * Lets a new thread run every hot path before the first call depends on it: an engine of its own with bridged, secret,
 * listening, playing, tapped and conferring legs. Call `step` for as long as warming up shall last.
 */
export class WarmUp {
  readonly #engine: Engine;
  readonly #traffic: Traffic[] = [];
  #nowMs = 0;

  constructor(crypto: SrtpCrypto) {
    const port = { send: () => {} };
    const random = (length: number) => new Uint8Array(length).fill(1);
    this.#engine = new Engine({
      worker: 0,
      crypto,
      random,
      startMs: 0,
      wallOffsetMs: 0,
      emit: () => {},
      defect: () => {},
    });
    const samples = speech();
    for (const [index, { codec, payloadType, secret }] of CODECS.entries()) {
      const opened = this.#engine.open(
        { leg: `${index}`, profile: index % 2 === 0 ? 'alarm' : 'ordinary', family: 4 },
        { rtp: port, rtcp: port },
      );
      if (!opened.ok) continue;
      const from = 4_000 + 2 * index;
      this.#engine.updateLeg(`${index}`, streamOf(codec, payloadType, from, secret));
      const srtp = secret ? new SrtpSender('AES_CM_128_HMAC_SHA1_80', KEY, crypto) : null;
      this.#traffic.push(new Traffic(opened.value, from, payloadType, payloadsOf(codec, samples), srtp));
    }
    this.#join(samples);
  }

  #join(samples: Int16Array): void {
    const engine = this.#engine;
    engine.connect('0', '1');
    engine.connect('2', '3', { aToB: { as: 'rfc4733' } });
    engine.listen('2', { profile: 'alarm', digits: true, tones: [{ hz: 1_400 }, { hz: 2_300 }] });
    engine.createConference({ conference: 'c', beep: true });
    for (const leg of ['4', '5', '6']) engine.join('c', leg, {});
    engine.listen('5', { profile: 'ivr', digits: true, tones: [] });
    engine.tap('t', { of: 'heard', channels: [{ legs: ['4', '5'], ring: ringMemory() }] });
    const prompt = prepared(samples);
    const loop = { pauseMs: 20 };
    engine.play('7', 'p', { phrases: [{ kind: 'prompt', prompt }], over: 'instead', loop });
    engine.play('6', 'p', { phrases: [{ kind: 'prompt', prompt, volumeDb: -6 }], over: 'mixed', loop });
  }

  /** 20 ms of synthetic time. */
  step(): void {
    for (const traffic of this.#traffic) traffic.send(this.#nowMs);
    for (let slice = 0; slice < SLICES; slice++) {
      this.#engine.slice(this.#nowMs);
      this.#nowMs += SLICE_MS;
    }
  }
}

function streamOf(codec: VoiceCodec, payloadType: number, port: number, secret: boolean): LegStream {
  const numbered = { codec, payloadType };
  return {
    remote: { host: HOST, port, rtcpPort: port + 1 },
    rtcpMux: false,
    direction: 'sendrecv',
    send: numbered,
    receive: [numbered],
    latching: false,
    ...(secret && { srtp: { suite: 'AES_CM_128_HMAC_SHA1_80', sendKey: KEY, receiveKey: KEY } }),
  };
}

/** A second of noise with digits in it. */
function speech(): Int16Array {
  const samples = new Int16Array(50 * FRAME_SAMPLES);
  new NoiseSource(1).fill(samples, -20);
  const digits = dtmf('159#');
  if (digits.ok) samples.set(render(digits.value), 8 * FRAME_SAMPLES);
  return samples;
}

function payloadsOf(codec: VoiceCodec, samples: Int16Array): Uint8Array[] {
  if (codec === 'GSM') return [GSM_PAYLOAD];
  const law = codec === 'PCMU' ? pcmu : pcma;
  return Array.from({ length: samples.length / FRAME_SAMPLES }, (_, index) => {
    const payload = new Uint8Array(FRAME_SAMPLES);
    law.encode(samples.subarray(index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES), payload, 0);
    return payload;
  });
}

function prepared(samples: Int16Array): PreparedPrompt {
  const pcm = new SharedArrayBuffer(samples.byteLength);
  const [alaw, ulaw] = [new SharedArrayBuffer(samples.length), new SharedArrayBuffer(samples.length)];
  new Int16Array(pcm).set(samples);
  pcma.encode(samples, new Uint8Array(alaw), 0);
  pcmu.encode(samples, new Uint8Array(ulaw), 0);
  return { samples: samples.length, pcm, alaw, ulaw };
}
