import { ok, type Result } from '#shared/result.ts';
import { FRAME_SAMPLES, type FrameSink, resample, SAMPLE_RATE } from '../audio/index.ts';
import { readWav } from '../recording/index.ts';
import { DtmfDetector } from './detector.ts';
import { HIGH_HZ, LOW_HZ } from './digit.codes.ts';
import { ALARM_PROFILE, IVR_PROFILE } from './profile.ts';
import { ToneBank } from './tone-bank.ts';

/** A digit or a single tone in a file. The level is that of the louder tone of a digit. */
export type FileSound = ({ readonly digit: string } | { readonly frequency: number }) & {
  readonly startMs: number;
  readonly durationMs: number;
  readonly levelDbm0: number;
  /** From 1, when there are several. */
  readonly channel?: number;
};

/** The single tones of alarm protocols: handshakes, enquiry, the rows and columns of STMF. */
const ALARM_HZ = [1_400, 2_300, 1_850, ...LOW_HZ, ...HIGH_HZ];
/** Silence behind the end, so that a tone that sounds there ends. */
const AFTER_FRAMES = 5;

/**
 * The events that a leg with this profile would hear in a WAV file, in the order of time; each channel is a leg of its own.
 * `alarm` also listens for the single tones of alarm protocols. Fails as `readWav` does.
 */
export function hearFile(bytes: Uint8Array, profile: 'alarm' | 'ivr'): Result<readonly FileSound[]> {
  const wav = readWav(bytes);
  if (!wav.ok) return wav;
  const { channels, sampleRate } = wav.value;
  const sounds = channels.flatMap((samples, index) => {
    const found = hear(resample(samples, sampleRate, SAMPLE_RATE), profile);
    return channels.length === 1 ? found : found.map((each) => ({ ...each, channel: index + 1 }));
  });
  return ok(sounds.toSorted((a, b) => a.startMs - b.startMs));
}

function hear(samples: Int16Array, profile: 'alarm' | 'ivr'): FileSound[] {
  const sounds: FileSound[] = [];
  const digits = new DtmfDetector(profile === 'alarm' ? ALARM_PROFILE : IVR_PROFILE, (event) => {
    if (event.kind !== 'end') return;
    const { digit, startMs, durationMs, lowDbm0, highDbm0 } = event;
    sounds.push({ digit, ...measured(startMs, durationMs, Math.max(lowDbm0, highDbm0)) });
  });
  const tones = new ToneBank(
    ALARM_HZ.map((hz) => ({ hz })),
    (event) => {
      if (event.kind !== 'end') return;
      sounds.push({ frequency: event.hz, ...measured(event.startMs, event.durationMs, event.levelDbm0) });
    },
  );
  const sinks: readonly FrameSink[] = profile === 'alarm' ? [digits, tones] : [digits];
  const frame = new Int16Array(FRAME_SAMPLES);
  const frames = Math.ceil(samples.length / FRAME_SAMPLES) + AFTER_FRAMES;
  for (let tick = 0; tick < frames; tick++) {
    frame.fill(0);
    frame.set(samples.subarray(tick * FRAME_SAMPLES, (tick + 1) * FRAME_SAMPLES));
    for (const sink of sinks) sink.push(frame, tick, false);
  }
  return sounds;
}

const measured = (startMs: number, durationMs: number, levelDbm0: number) => ({
  startMs: rounded(startMs),
  durationMs: rounded(durationMs),
  levelDbm0: rounded(levelDbm0),
});

const rounded = (value: number): number => Math.round(value * 10) / 10;
