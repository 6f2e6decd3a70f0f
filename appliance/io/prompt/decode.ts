import { setImmediate as turn } from 'node:timers/promises';
import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { MPEGDecoder } from 'mpg123-decoder';
import { OggOpusDecoder } from 'ogg-opus-decoder';
import { fail, type Result } from '#shared/result.ts';
import type { PreparedPrompt } from '../../media/control/index.ts';
import { type PromptFault, PromptMaker, type SoundKind, soundKind } from '../../media/prompt/index.ts';
import { readWav } from '../../media/recording/index.ts';

/** Bytes (or samples) that are worked on before others get their turn: some ms. */
const PIECE = 8 * 1024;

/** The common result of the decoders of compressed sound. */
interface Decoded {
  readonly channelData: readonly Float32Array[];
  readonly sampleRate: number;
  readonly samplesDecoded: number;
}
interface Decoder {
  readonly ready: Promise<void>;
  decode(bytes: Uint8Array): Decoded | Promise<Decoded>;
  flush?(): Promise<Decoded>;
  free(): void;
}

const DECODERS: Readonly<Record<Exclude<SoundKind, 'wav'>, () => Decoder>> = {
  mp3: () => new MPEGDecoder(),
  vorbis: () => new OggVorbisDecoder(),
  opus: () => new OggOpusDecoder(),
};

/**
 * A sound file as a prompt: WAV, MP3, OGG with Vorbis or Opus, recognised by their bytes. It is decoded piece by piece with
 * turns for others in between; decoding stops as soon as it is longer than allowed, whatever its head says. Damaged parts in
 * the middle are left out, as players do.
 */
export async function decodePrompt(
  bytes: Uint8Array,
  name: string,
  signal: AbortSignal,
): Promise<Result<PreparedPrompt, PromptFault>> {
  const kind = soundKind(bytes, name);
  if (!kind.ok) return kind;
  const maker = new PromptMaker(name);
  if (kind.value === 'wav') {
    const wav = readWav(bytes);
    if (!wav.ok) return fail('Unreadable', `${name}: ${wav.error.reason}`);
    const { channels, sampleRate } = wav.value;
    maker.foresee(channels[0]?.length ?? 0, sampleRate);
    for (let from = 0; from < (channels[0]?.length ?? 0) && !maker.tooLong; from += PIECE) {
      if (signal.aborted) return stopped(name);
      maker.push(
        channels.map((channel) => channel.subarray(from, from + PIECE)),
        sampleRate,
      );
      await turn();
    }
    return maker.finish();
  }
  const decoder = DECODERS[kind.value]();
  let rate: number | undefined;
  const take = ({ channelData, sampleRate, samplesDecoded }: Decoded): void => {
    if (samplesDecoded === 0) return;
    rate ??= sampleRate;
    // Behind damage an MP3 decoder may take sound for the head of a frame: what comes at another rate is noise.
    if (kind.value !== 'mp3' || sampleRate === rate) maker.pushFloat(channelData, sampleRate);
  };
  try {
    await decoder.ready;
    for (let from = 0; from < bytes.length && !maker.tooLong; from += PIECE) {
      if (signal.aborted) return stopped(name);
      take(await decoder.decode(bytes.subarray(from, from + PIECE)));
      await turn();
    }
    const rest = await decoder.flush?.();
    if (rest !== undefined) take(rest);
  } catch (thrown) {
    return fail('Unreadable', `${name} is damaged: ${sentenceOf(thrown)}; save it anew.`);
  } finally {
    decoder.free();
  }
  return maker.finish();
}

/** Compiles the decoders before a caller waits for them. */
export async function warmDecoders(): Promise<void> {
  for (const make of Object.values(DECODERS)) {
    const decoder = make();
    await decoder.ready;
    decoder.free();
  }
}

const stopped = (name: string) => fail('Stopped' as const, `${name} was not wanted any more.`);

const sentenceOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
