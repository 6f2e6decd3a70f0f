import { createStore } from './store.ts';

/** A person has switched the sound on in this window: a browser lets no page ring without a gesture. */
export const isSoundOn = createStore(false);

let audio: AudioContext | undefined;
let timer: ReturnType<typeof setInterval> | undefined;

/** Two tones, and a pause: it is heard across a room, and is no telephone. */
const TONES_HZ = [880, 660] as const;
const TONE_S = 0.25;
const STEP_MS = 2_000;
const LOUDNESS = 0.4;

/** In the handler of a click: the browser allows the sound for as long as the window is open. */
export async function switchSoundOn(): Promise<void> {
  audio ??= new AudioContext();
  await audio.resume();
  isSoundOn.value = audio.state === 'running';
  audio.onstatechange = () => {
    isSoundOn.value = audio?.state === 'running' && isSoundOn.value;
  };
  ring();
}

export function switchSoundOff(): void {
  isSoundOn.value = false;
}

/** Rings until it is called with false. Without sound nothing is heard, and the page shows a red mark. */
export function ringWhile(isRinging: boolean): void {
  if (isRinging && timer === undefined) {
    ring();
    timer = setInterval(ring, STEP_MS);
  }
  if (!isRinging) {
    clearInterval(timer);
    timer = undefined;
  }
}

function ring(): void {
  if (audio === undefined || !isSoundOn.value) return;
  for (const [index, hz] of TONES_HZ.entries()) {
    const tone = new OscillatorNode(audio, { frequency: hz });
    const loudness = new GainNode(audio, { gain: LOUDNESS });
    const from = audio.currentTime + index * TONE_S;
    tone.connect(loudness).connect(audio.destination);
    tone.start(from);
    tone.stop(from + TONE_S);
  }
}
