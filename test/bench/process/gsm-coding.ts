import { FRAME_SAMPLES, GSM_FRAME_BYTES, gsmCodec } from '#appliance/media/audio/index.ts';
import { threadMsOf } from '../../support/processor/thread-time.ts';
import { serveParent } from './serve-parent.ts';

/** Sound of whole frames, and what the peer made of it. */
export interface GsmSetting {
  readonly samples: Int16Array;
  readonly encoded: Uint8Array;
}

export interface GsmTurn {
  readonly direction: 'encode' | 'decode';
  readonly rounds: number;
}

/** Processor time of the fastest round, ns, and what came out of it. */
export interface GsmAnswer {
  readonly ns: number;
  readonly out: Uint8Array;
}

/** The codec as a leg has it, a frame at a time, in a process of its own. */
serveParent<GsmSetting, null, GsmTurn, GsmAnswer>(async ({ samples, encoded }) => {
  const frames = Math.floor(samples.length / FRAME_SAMPLES);
  const sound = new Int16Array(frames * FRAME_SAMPLES);
  const bytes = new Uint8Array(frames * GSM_FRAME_BYTES);
  const encode = (): void => {
    const codec = gsmCodec();
    for (let frame = 0; frame < frames; frame++) {
      const at = frame * FRAME_SAMPLES;
      codec.encode(samples.subarray(at, at + FRAME_SAMPLES), bytes, frame * GSM_FRAME_BYTES);
    }
  };
  const decode = (): void => {
    const codec = gsmCodec();
    for (let frame = 0; frame < frames; frame++) {
      const out = sound.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES);
      codec.decode(encoded, frame * GSM_FRAME_BYTES, GSM_FRAME_BYTES, out);
    }
  };
  const fastest = (work: () => void, rounds: number): number => {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round++) best = Math.min(best, threadMsOf(work) * 1e6);
    return best;
  };
  fastest(encode, 2);
  fastest(decode, 2);
  return {
    ready: null,
    answer: ({ direction, rounds }) =>
      direction === 'encode'
        ? { ns: fastest(encode, rounds), out: bytes.slice() }
        : { ns: fastest(decode, rounds), out: new Uint8Array(sound.buffer.slice(0)) },
    close: () => Promise.resolve(),
  };
});
