import { wavOf } from './wav.ts';

/** Telephone speech needs no more, Hz. */
const RATE = 16_000;

const PART_MS = 250;

/** A recording that runs. */
export interface Recorder {
  /** Ends it, and gives the file; undefined: it was too short to hold any sound. */
  readonly stop: () => Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/**
 * Records the microphone from now on. Rejects where the browser or the person refuses it. `onRecorded`: so much is recorded, ms; called
 * four times a second.
 */
export async function startRecorder(onRecorded: (ms: number) => void): Promise<Recorder> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const recorder = new MediaRecorder(stream);
  const parts: Blob[] = [];
  const beganMs = performance.now();
  recorder.addEventListener('dataavailable', ({ data }) => {
    if (data.size === 0) return;
    parts.push(data);
    onRecorded(performance.now() - beganMs);
  });
  recorder.start(PART_MS);
  return {
    stop: async () => {
      const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }));
      recorder.stop();
      await stopped;
      for (const track of stream.getTracks()) track.stop();
      return await asWav(new Blob(parts, { type: recorder.mimeType }));
    },
  };
}

async function asWav(recorded: Blob): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const context = new AudioContext();
  // A browser that has recorded nothing gives a file that it cannot read itself.
  const sound = await context.decodeAudioData(await recorded.arrayBuffer()).catch(() => undefined);
  await context.close();
  if (sound === undefined) return undefined;
  const mixing = new OfflineAudioContext(1, Math.max(1, Math.ceil(sound.duration * RATE)), RATE);
  const source = new AudioBufferSourceNode(mixing, { buffer: sound });
  source.connect(mixing.destination);
  source.start();
  return wavOf((await mixing.startRendering()).getChannelData(0), RATE);
}
