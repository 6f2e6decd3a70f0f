import { Limiter } from '#shared/limiter.ts';
import type { Voice } from '../../media/prompt/index.ts';
import type { TtsProvider } from './provider.ts';
import { soundOfProgram } from './speaking-process.ts';
import { pcmPieces, wavPieces } from './wav-stream.ts';

/** A program of the operator's own, for example Piper: text on stdin, sound on stdout. */
export interface ExecSetting {
  readonly id: string;
  /** Program and arguments, each a word of its own; `{voice}` and `{lang}` are replaced inside a word. */
  readonly command: readonly [string, ...string[]];
  /** A voice's `rate` counts where `sound` is `pcm`. */
  readonly voices: readonly Voice[];
  readonly sound: 'wav' | 'pcm';
  readonly readsSsml?: boolean;
  /** Processes at once; default 2. */
  readonly atOnce?: number;
}

export function execProvider(setting: ExecSetting): TtsProvider {
  const [program, ...words] = setting.command;
  const limiter = new Limiter(setting.atOnce ?? 2);
  return {
    id: setting.id,
    voices: setting.voices,
    readsSsml: setting.readsSsml ?? false,
    async *speak({ text, voice }, signal) {
      const leave = await limiter.enter(signal);
      const args = words.map((word) => word.replaceAll('{voice}', voice.id).replaceAll('{lang}', voice.lang));
      try {
        const sound = soundOfProgram(program, args, text, signal);
        yield* setting.sound === 'wav' ? wavPieces(sound) : pcmPieces(sound, voice.rate);
      } finally {
        leave();
      }
    },
  };
}
