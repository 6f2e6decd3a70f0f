import { wavOf } from './wav.ts';

/** Telephone speech needs no more, Hz. */
const RATE = 16_000;

/** A recording that runs. */
export interface Recorder {
  /** Ends it, and gives the file. */
  readonly stop: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** Records the microphone from now on. Rejects where the browser or the person refuses it. */
export async function startRecorder(): Promise<Recorder> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const recorder = new MediaRecorder(stream);
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  recorder.start();
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

async function asWav(recorded: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const context = new AudioContext();
  const sound = await context.decodeAudioData(await recorded.arrayBuffer());
  await context.close();
  const mixing = new OfflineAudioContext(1, Math.max(1, Math.ceil(sound.duration * RATE)), RATE);
  const source = new AudioBufferSourceNode(mixing, { buffer: sound });
  source.connect(mixing.destination);
  source.start();
  return wavOf((await mixing.startRendering()).getChannelData(0), RATE);
}
