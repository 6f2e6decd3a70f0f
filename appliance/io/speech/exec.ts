import { spawn } from 'node:child_process';
import type { RecogniserSetting } from '#shared/setting/index.ts';
import { writeWav } from '../../media/recording/index.ts';
import { answerText } from './answer-text.ts';
import { LONGEST_ANSWER, type Recogniser, type SpokenAudio, TOO_LONG } from './recogniser.ts';

type ExecSetting = Extract<RecogniserSetting, { readonly kind: 'exec' }>;

/** Chosen: what a program may complain about, characters. */
const LONGEST_COMPLAINT = 300;

/**
 * A program of the operator, started for each utterance without a shell: a WAV file of 8 kHz on its standard input, JSON from its
 * standard output. `SPEECH_LANGUAGE` and `SPEECH_HINTS` (a JSON list) are in its environment.
 */
export function execRecogniser({ id, languages, answerWithin, command }: ExecSetting): Recogniser {
  const [program = '', ...words] = command;
  return {
    id,
    languages,
    answerMs: answerWithin * 1_000,
    async recognise(audio, signal) {
      const args = words.map((word) => word.replaceAll('{language}', audio.language ?? ''));
      return answerText(await answerOf(program, args, audio, signal));
    },
  };
}

/** Throws when it cannot be started, ends badly or says too much. It and its children have ended afterwards. */
function answerOf(
  program: string,
  args: readonly string[],
  { samples, language = '', hints }: SpokenAudio,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own: a program that has started others leaves none behind.
    detached: true,
    env: {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      HOME: '/nonexistent',
      LANG: 'C.UTF-8',
      SPEECH_LANGUAGE: language,
      SPEECH_HINTS: JSON.stringify(hints),
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const answer: Buffer[] = [];
  let size = 0;
  let complaint = '';
  child.stdout.on('data', (part: Buffer) => {
    size += part.length;
    if (size > LONGEST_ANSWER) reject(new Error(TOO_LONG));
    else answer.push(part);
  });
  child.stderr.on('data', (part: Buffer) => {
    if (complaint.length < LONGEST_COMPLAINT) complaint += part.toString();
  });
  child.on('error', reject);
  child.on('close', (code, by) => {
    if (code === 0) resolve(Buffer.concat(answer).toString('utf8'));
    else {
      const words = complaint.trim().slice(0, LONGEST_COMPLAINT);
      reject(new Error(`it ended with ${code ?? by}${words === '' ? '' : `: ${words}`}`));
    }
  });
  // A program that does not read is judged by what it says.
  child.stdin.on('error', () => undefined);
  child.stdin.end(writeWav([samples]));
  return promise.finally(() => {
    signal.removeEventListener('abort', stop);
    killGroup(child.pid);
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
