import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRecorder } from '#appliance/io/recorder/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import type { RecorderEvent } from '#appliance/media/recording/index.ts';
import { soundStage, unsteadiness } from '#test/appliance/call/sound/stage.ts';
import { ToneSpeaker, until } from '#test/appliance/io/recorder/tone.ts';
import { runProgram } from './support/program.ts';
import { channelOf, decodedByFfmpeg, levelAt } from './support/sound.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-recording-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const child = fileURLToPath(new URL('./support/recording-child.ts', import.meta.url));
const FILES = ['alaw.wav', 'r.mp3', 'r.wav'];

describe('a recording process', () => {
  // Moments from the first second of audio on, drawn once: 0 to 2.6 s of the clock, many seconds of audio.
  it.each([0, 31, 137, 411, 702, 1_013, 1_444, 1_871, 2_222, 2_599])(
    'that is killed after %d ms leaves files that play, before and after the next start',
    async (afterMs) => {
      const recording = spawn(process.execPath, [child, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
      let seconds = 0;
      recording.stdout.on('data', (dots: Buffer) => {
        seconds += dots.length;
      });
      await until(() => seconds > 0, 20_000);
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      recording.kill('SIGKILL');
      await once(recording, 'exit');

      mkdirSync(join(folder, 'as-left'));
      for (const file of FILES) {
        const left = join(folder, 'as-left', file);
        copyFileSync(join(folder, `${file}.part`), left);
        // Killed before the first write there is a head without audio, which ffmpeg takes for an error in an MP3.
        if (seconds > 20)
          await runProgram('ffprobe', ['-v', 'error', left]).then(({ code }) => expect(code).toBe(0));
      }
      const events: RecorderEvent[] = [];
      const recorder = await openRecorder({
        folder,
        leastFreeBytes: 0,
        onEvent: (event) => events.push(event),
      });
      await recorder.close();
      expect(events.map((event) => event.kind === 'interrupted' && event.file.file)).toEqual(FILES);
      for (const event of events) {
        if (event.kind !== 'interrupted' || event.durationMs === 0) continue;
        const wav = await decodedByFfmpeg(join(folder, event.file.file));
        expect(Math.abs(channelOf(wav, 0).length / 8 - event.durationMs)).toBeLessThanOrEqual(20);
        // At most one second of the clock was not written yet: ten pumps of at most 2 s of audio each.
        expect(event.durationMs).toBeGreaterThan(1_000 * (seconds - 20));
        for (const [side, frequency] of [440, 1_000].entries()) {
          const level = levelAt(channelOf(wav, side).subarray(1_600), frequency);
          expect(Math.abs(level - 20 * Math.log10(8_000 / 32_767))).toBeLessThan(0.5);
        }
      }
    },
  );
});

describe('a disk that is full', () => {
  it('ends the recording, keeps what was written, and takes nothing new', async () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    const mounted = await runProgram('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', disk]);
    expect(mounted).toMatchObject({ code: 0 });
    try {
      const events: RecorderEvent[] = [];
      const recorder = await openRecorder({
        folder: disk,
        leastFreeBytes: 64 << 10,
        onEvent: (event) => events.push(event),
      });
      const speaker = new ToneSpeaker(440);
      await recorder.start({ recording: 'r', file: 'r.wav', inputs: [speaker.ring], layout: 'perSide' });
      for (let tick = 0; !events.some(({ kind }) => kind === 'failed'); tick += 50) {
        speaker.speak(tick, tick + 50);
        await until(() => speaker.isRead || events.some(({ kind }) => kind === 'failed'));
      }
      const failed = events.find((event) => event.kind === 'failed');
      expect(failed).toMatchObject({
        recording: 'r',
        reason: 'diskFull',
        result: { files: [{ file: 'r.wav' }] },
      });
      const durationMs = failed?.result?.durationMs ?? 0;
      expect(durationMs).toBeGreaterThan(20_000);
      copyFileSync(join(disk, 'r.wav'), join(folder, 'r.wav'));
      const wav = await decodedByFfmpeg(join(folder, 'r.wav'));
      expect(Math.abs(channelOf(wav, 0).length / 8 - durationMs)).toBeLessThan(1);
      const again = await recorder.start({
        recording: 'again',
        file: 'again.wav',
        inputs: [new ToneSpeaker(1).ring],
        layout: 'perSide',
      });
      expect(again).toMatchObject({ ok: false, error: { code: 'DiskPressure' } });
      expect(events).toContainEqual(expect.objectContaining({ kind: 'diskPressure', on: true }));
      rmSync(join(disk, 'r.wav'));
      await until(() => events.some((event) => event.kind === 'diskPressure' && !event.on));
      await recorder.close();
    } finally {
      await runProgram('umount', [disk]);
    }
  });

  it('while people talk: the recording fails and is reported, the call and a tone on another leg continue', async () => {
    const stage = await soundStage({ leastFreeBytes: 64 << 10 });
    const disk = join(stage.folder, 'recording');
    mkdirSync(disk, { recursive: true });
    const mounted = await runProgram('mount', ['-t', 'tmpfs', '-o', 'size=384k', 'tmpfs', disk]);
    expect(mounted).toMatchObject({ code: 0 });
    try {
      const { sound, appliance } = stage;
      appliance.notify('https://app.example/alarms');
      const [anna, bo] = [await stage.caller('a', 4_000), await stage.caller('b', 4_010)];
      const other = await stage.caller('c', 4_020);
      await appliance.media.media.connect('a', 'b');
      const beside = { format: 'tone', frequency: 1_850, duration: 600_000 } as const;
      sound.play('c', { phrases: [beside], onPlayed: () => undefined });
      anna.say(render([tone(700, 120_000, -12)]));
      const report = { dest: 'bridge bridge-1', sessionId: 's-1', connectionId: 'c-1', traceId: 't-1' };
      sound.record({ fileName: 'call.wav', channels: [['a'], ['b']], report });
      const callbacks = () => appliance.posted.filter(({ call }) => call.path === '/recordingReady');
      for (let ms = 0; callbacks().length === 0 && ms < 90_000; ms += 400) await stage.pass(400);
      expect(callbacks().map(({ body }) => body)).toMatchObject([
        { event: 'recordingFailed', reason: 'diskFull', recordingFileName: 'call.wav' },
      ]);
      // The recorded part is kept, and another recording is not begun.
      copyFileSync(join(disk, 'call.wav'), join(folder, 'kept.wav'));
      const kept = channelOf(await decodedByFfmpeg(join(folder, 'kept.wav')), 0);
      expect(kept.length / 8_000).toBeGreaterThan(8);
      sound.record({ fileName: 'again.wav', channels: [['a'], ['b']], report });
      for (let ms = 0; callbacks().length < 2 && ms < 10_000; ms += 400) await stage.pass(400);
      expect(callbacks().at(-1)?.body).toMatchObject({ event: 'recordingFailed', reason: 'diskPressure' });
      expect(appliance.posted.map(({ body }) => body.type)).toContain('diskPressure');
      expect(unsteadiness(bo.received, 700)).toBeLessThan(0.1);
      expect(unsteadiness(other.received, 1_850)).toBeLessThan(0.1);
      expect(other.received.length / 8_000).toBeGreaterThan(8);
    } finally {
      // The folder goes last: a disk is mounted in it.
      await stage.close().catch(() => undefined);
      await runProgram('umount', [disk]);
      rmSync(stage.folder, { recursive: true, force: true });
    }
  });
});
