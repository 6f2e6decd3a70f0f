import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Played, Sound } from '#appliance/call/sound/index.ts';
import { hearFile } from '#appliance/media/dtmf/index.ts';
import { wavOf } from '#test/appliance/io/prompt/sound.ts';
import { levelAt } from '#test/appliance/media/engine/sound.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { must } from '#test/support/media.ts';
import { type TestSoundOptions, testSound } from '#test/support/sound.ts';

/** Sounds that the detector hears: digits, and frequencies rounded to 50 Hz. */
export const said = (samples: Int16Array) =>
  must(hearFile(wavOf(samples, 8_000), 'alarm')).map((each) =>
    'digit' in each ? each.digit : Math.round(each.frequency / 50) * 50,
  );

/** Levels of a tone in each 50 ms of what was heard of it, from its first to its last: the widest difference, dB. */
export function unsteadiness(samples: Int16Array, hz: number): number {
  const levels: number[] = [];
  for (let at = 0; at + 400 <= samples.length; at += 400)
    levels.push(levelAt(samples.subarray(at, at + 400), hz));
  const first = levels.findIndex((level) => level > -30);
  // The stretch in which it begins is not whole.
  const whole = levels.slice(first + 1);
  return first < 0 || whole.length < 2 ? Number.POSITIVE_INFINITY : Math.max(...whole) - Math.min(...whole);
}

/** An appliance whose sound is made by the real threads, and telephones on its legs. */
export async function soundStage({
  leastFreeBytes = 0,
  recognisers,
}: Pick<TestSoundOptions, 'leastFreeBytes' | 'recognisers'> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-sound-'));
  const allowPrivate = ['127.0.0.0/8'];
  const threads = testSound({
    folder,
    allowPrivate,
    leastFreeBytes,
    ...(recognisers && { recognisers }),
    prompts: { allowPrivate, voices: { espeak: null }, patience: { firstByteMs: 200, wholeMs: 400 } },
  });
  // The tests are about what plays, not about how long the thread takes to start.
  await threads.adapters.prompts.voices();
  const appliance = await testAppliance({ folder, sound: threads.adapters });
  appliance.answerBy(() => answered({}));
  appliance.bridge();
  const sound: Sound | undefined = appliance.runtime.sound;
  if (sound === undefined) throw new Error('the appliance has no sound');
  return {
    folder,
    threads,
    appliance,
    sound,
    /** A telephone on an open leg. */
    async caller(leg: string, port: number) {
      const { media } = appliance;
      const phone = media.phone({ host: '192.0.2.20', port });
      const opened = must(await media.media.openLeg({ leg, profile: 'ordinary', family: 4 }));
      must(await media.media.updateLeg(leg, phone.stream()));
      phone.talkTo(opened.port);
      return phone;
    },
    /** Audio runs along, no faster than the recorder reads. */
    async pass(ms: number): Promise<void> {
      for (let left = ms; left > 0; left -= 400) {
        await appliance.after(Math.min(left, 400));
        await threads.caughtUp();
      }
    },
    /** Plays and lets time run until it is over. */
    async played(leg: string, request: Omit<Parameters<Sound['play']>[1], 'onPlayed'>): Promise<Played> {
      let over: Played | undefined;
      sound.play(leg, { ...request, onPlayed: (result) => (over = result) });
      const deadline = Date.now() + 10_000;
      while (over === undefined) {
        if (Date.now() > deadline) throw new Error('it never ended');
        await appliance.after(100);
      }
      return over;
    },
    /** A prompt file of the tenant. */
    prompt(name: string, bytes: Uint8Array): void {
      const path = join(folder, name);
      writeFileSync(path, bytes);
      threads.files.set(name, path);
    },
    async close(): Promise<void> {
      await appliance.close(true);
      await threads.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type SoundStage = Awaited<ReturnType<typeof soundStage>>;
