import type { RecogniserSetting } from '#shared/setting/index.ts';

/** A recogniser that is a program of a few lines; `body` has `wav`, `language` and `hints`, and `say`. */
export const program = (body: string, more: object = {}, words: readonly string[] = []): RecogniserSetting =>
  ({
    id: 'own',
    kind: 'exec',
    atOnce: 4,
    answerWithin: 5,
    command: [
      process.execPath,
      '-e',
      `const parts = [];
      const say = (answer) => process.stdout.write(typeof answer === 'string' ? answer : JSON.stringify(answer));
      const { SPEECH_LANGUAGE: language } = process.env;
      const hints = JSON.parse(process.env.SPEECH_HINTS);
      process.stdin.on('data', (part) => parts.push(part));
      process.stdin.on('end', () => { const wav = Buffer.concat(parts); ${body} });`,
      '--',
      ...words,
    ],
    ...more,
  }) as RecogniserSetting;

/** Answers the pitch that it has heard, as a word: the crossings of zero of 8 kHz. */
export const PITCH = `
  let crossings = 0; let loud = 0;
  for (let at = 46; at + 1 < wav.length; at += 2) {
    const [before, now] = [wav.readInt16LE(at - 2), wav.readInt16LE(at)];
    if (Math.abs(now) > 500) loud++;
    if (Math.abs(now) + Math.abs(before) > 500 && before < 0 !== now < 0) crossings++;
  }
  const hz = crossings / 2 / (loud / 8000 / 0.97);
  say({ text: hz > 600 ? 'high' : 'low', confidence: 0.9 });`;

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
