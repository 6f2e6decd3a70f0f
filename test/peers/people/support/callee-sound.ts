import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/* Sounds of those who answer, made by sox and espeak-ng, or recorded. All mono, 8 kHz, 16 bits. */

const RAW = ['-t', 'raw', '-r', '8000', '-e', 'signed', '-b', '16', '-c', '1', '-'];
const SOUNDS = '/usr/share/asterisk/sounds';
const MOST_BYTES = 1 << 26;

function sox(args: readonly string[], input?: Uint8Array): Int16Array {
  const bytes = execFileSync('sox', args, { maxBuffer: MOST_BYTES, ...(input !== undefined && { input }) });
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~1)));
}

/** Levels of a telephone (dB below full scale), and its band. */
const asTelephone = (gainDb: number): string[] => ['norm', `${gainDb}`, 'sinc', '300-3400'];

/** A sentence by espeak-ng. @param peakDb of its loudest sample, below full scale */
export function said(voice: string, text: string, peakDb = -8): Int16Array {
  const wav = execFileSync('espeak-ng', ['-v', voice, '--stdout', text], { maxBuffer: MOST_BYTES });
  return trimmed(sox(['-t', 'wav', '-', ...RAW.slice(0, -1), '-', ...asTelephone(peakDb)], wav));
}

/** A sentence of a recorded voice: files of the packages `asterisk-core-sounds-*-gsm`. */
export function recorded(lang: string, names: readonly string[], peakDb = -8): Int16Array {
  const folder = voiceFolder(lang);
  const files = names.map((name) => join(SOUNDS, folder, `${name}.gsm`));
  return trimmed(sox([...files, ...RAW, ...asTelephone(peakDb)]));
}

function voiceFolder(lang: string): string {
  const found = readdirSync(SOUNDS).find((name) => name.startsWith(`${lang}_`));
  if (found === undefined)
    throw new Error(`no recorded voice of ${lang}; install asterisk-core-sounds-${lang}-gsm`);
  return found;
}

/** Single tones in a row, each of so many ms; 0 Hz is a pause. */
export const toneRow = (tones: readonly (readonly [hz: number, ms: number])[], peakDb = -12): Int16Array =>
  joined(
    ...tones.map(([hz, ms]) =>
      hz === 0
        ? quiet(ms)
        : sox(['-n', ...RAW, 'synth', `${ms / 1_000}`, 'sine', `${hz}`, 'vol', `${peakDb}dB`]),
    ),
  );

/** Brown noise of a street or a room. */
export const noise = (ms: number, peakDb: number): Int16Array =>
  sox(['-R', '-n', ...RAW, 'synth', `${ms / 1_000}`, 'brownnoise', 'norm', `${peakDb}`]);

/** Music: plucked strings in four notes, again and again. */
export const music = (ms: number, peakDb: number): Int16Array => {
  const notes = [262, 330, 392, 523, 392, 330];
  const bar = joined(
    ...notes.map((hz) => sox(['-n', ...RAW, 'synth', '0.35', 'pluck', `${hz}`, 'norm', `${peakDb}`])),
  );
  return repeated(bar, ms);
};

export const quiet = (ms: number): Int16Array => new Int16Array(ms * 8);

export function joined(...parts: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function repeated(part: Int16Array, ms: number): Int16Array {
  const all = new Int16Array(ms * 8);
  for (let at = 0; at < all.length; at += part.length) all.set(part.subarray(0, all.length - at), at);
  return all;
}

/** The second sound lies under the first, for as long as it lasts. */
export function over(sound: Int16Array, ground: Int16Array): Int16Array {
  const all = new Int16Array(Math.max(sound.length, ground.length));
  for (let n = 0; n < all.length; n++) {
    const sum = (sound[n] ?? 0) + (ground[n] ?? 0);
    all[n] = Math.max(-32_768, Math.min(32_767, sum));
  }
  return all;
}

/** Without the silence at both ends. */
function trimmed(sound: Int16Array): Int16Array {
  const loud = (sample: number): boolean => Math.abs(sample) > 250;
  return sound.slice(Math.max(0, sound.findIndex(loud)), sound.findLastIndex(loud) + 1);
}
