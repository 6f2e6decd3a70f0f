/** Public face of the audio arithmetic: codecs, levels, mixing, rates, noise. */
export { ComfortNoise, readComfortNoise } from './comfort-noise.ts';
export { Concealer } from './conceal.ts';
export {
  type Codec,
  FRAME_MS,
  FRAME_SAMPLES,
  type FrameSink,
  type FrameSource,
  SAMPLE_RATE,
  saturate,
} from './frame.ts';
export { ALAW_OF_ULAW, ALAW_SILENCE, pcma, pcmu, ULAW_OF_ALAW, ULAW_SILENCE } from './g711.ts';
export { applyGain, factorOf } from './gain.ts';
export { gsmCodec } from './gsm.ts';
export { GSM_FRAME_BYTES } from './gsm-frame.ts';
export { dbm0OfPower, LevelMeter, levelOf, peakOf, powerOf, SILENCE_DBM0 } from './level.ts';
export { Mixer } from './mixer.ts';
export { NoiseSource } from './noise.ts';
export { Resampler, resample } from './resample.ts';
export { RING_FRAMES, type RingMemory, RingReader, RingWriter, ringMemory } from './ring.ts';
