import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { render, silence, tone } from '#appliance/media/dtmf/index.ts';
import type { RecogniserSetting } from '#shared/setting/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { isRunning, PITCH, program } from '#test/appliance/io/speech/recogniser-program.ts';
import { levelAt } from '#test/appliance/media/engine/sound.ts';
import { NOTHING_LEFT, type TwoTelephones, twoTelephones } from '#test/support/media-house.ts';
import type { Telephone } from '#test/support/telephone.ts';

let house: TwoTelephones;
let anna: Telephone;

async function open(recognisers?: readonly RecogniserSetting[]): Promise<void> {
  house = await twoTelephones(recognisers === undefined ? {} : { recognisers });
  anna = house.anna;
  house.app.on('/newCall', { action: 'ivr' });
}
beforeEach(() => open([program(PITCH)]));
afterEach(() => house.close((left) => expect(left).toEqual(NOTHING_LEFT)));

/** Time of the call passes until something has happened outside of it. */
const during = (condition: () => boolean) =>
  until(() => {
    void house.net.after(20);
    return condition();
  }, 20_000);
const HOLD = { getIVRCommandAfter: 3_600 };
const commands = (command: Readonly<Record<string, unknown>>) =>
  house.app.on('/getIvrCommand', command, HOLD);
const speak = (hz: number, ms = 600) => anna.audio.say(render([tone(hz, ms, -15), silence(3_000)]));
const answered = () => during(() => house.app.received('/getIvrCommand').length === 2);
const last = () => house.app.last('/getIvrCommand');

it('a caller interrupts the phrases by its voice, and the application gets the text', async () => {
  commands({
    phrases: [{ format: 'tone', frequency: 1_300, duration: 60_000 }],
    speech: { endSilence: 400 },
  });
  const call = await house.calls(anna);
  await during(() => levelAt(anna.audio.received.subarray(-3_200), 1_300) > -30);
  speak(900);
  await answered();
  expect(last()).toMatchObject({
    lastCommandResult: { phrases: 'interrupted' },
    speechParams: { reason: 'recognised', text: 'high', confidence: 0.9, recogniser: 'own' },
  });
  anna.audio.forget();
  await house.net.after(400, 20);
  expect(levelAt(anna.audio.received, 1_300)).toBeLessThan(-45);
  await house.hangsUp(anna, call);
});

it('other readings of the recogniser reach the application, the best first', async () => {
  await house.close((left) => expect(left).toEqual(NOTHING_LEFT));
  const detected = { text: 'no', confidence: 0.6, alternatives: [{ text: 'know', confidence: 0.3 }] };
  await open([program(`say(${JSON.stringify(detected)});`)]);
  commands({ speech: { endSilence: 400 } });
  const call = await house.calls(anna);
  speak(900);
  await answered();
  expect(last()).toMatchObject({ speechParams: { reason: 'recognised', ...detected } });
  await house.hangsUp(anna, call);
});

it('the program hears the caller, not the phrases', async () => {
  commands({
    phrases: [{ format: 'tone', frequency: 1_300, duration: 1_000 }],
    speech: { bargeIn: false, endSilence: 400 },
  });
  const call = await house.calls(anna);
  await during(() => levelAt(anna.audio.received.subarray(-3_200), 1_300) > -30);
  await house.net.after(1_200, 20);
  speak(300);
  await answered();
  expect(last()).toMatchObject({
    lastCommandResult: { phrases: 'completed' },
    speechParams: { reason: 'recognised', text: 'low' },
  });
  await house.hangsUp(anna, call);
});

it('a caller that says nothing goes on after its time', async () => {
  commands({ speech: { firstSpeechTimeout: 2_000 } });
  const call = await house.calls(anna);
  await house.net.after(2_100, 20);
  await answered();
  expect(last()).toMatchObject({ speechParams: { reason: 'noSpeech' } });
  await house.hangsUp(anna, call);
});

it('a caller that hangs up while it is recognised leaves nothing behind', async () => {
  await house.close((left) => expect(left).toEqual(NOTHING_LEFT));
  const file = join(mkdtempSync(join(tmpdir(), 'carillon-speech-')), 'pid');
  const body = `require('node:fs').writeFileSync(process.argv[1], String(process.pid)); setInterval(() => 0, 1000);`;
  await open([program(body, {}, [file])]);
  commands({ speech: { endSilence: 100 } });
  const call = await house.calls(anna);
  speak(300);
  await during(() => existsSync(file));
  const pid = Number(readFileSync(file, 'utf8'));
  expect(() => process.kill(pid, 0)).not.toThrow();
  await house.hangsUp(anna, call);
  await expect.poll(() => isRunning(pid)).toBe(false);
  rmSync(dirname(file), { recursive: true });
});

it.each([
  ['hangs', 0.5, 'setInterval(() => 0, 1000)', 'own: it has not answered within 0.5 s'],
  ['answers nonsense', 20, `say('yes, I am sure')`, 'own: its answer is no JSON: "yes, I am sure"'],
])('a recogniser that %s does not hold the caller', async (_, answerWithin, body, error) => {
  await house.close((left) => expect(left).toEqual(NOTHING_LEFT));
  await open([program(body, { answerWithin })]);
  commands({ speech: { endSilence: 100, resultTimeout: 60_000 } });
  const call = await house.calls(anna);
  speak(300);
  await answered();
  expect(last()).toMatchObject({ speechParams: { reason: 'error', error } });
  await house.hangsUp(anna, call);
});

it('a recogniser that answers late has not answered: the next command gets its own text', async () => {
  await house.close((left) => expect(left).toEqual(NOTHING_LEFT));
  const lateWithLow = PITCH.replace('say({', 'setTimeout(say, hz > 600 ? 0 : 3_000, {');
  await open([program(lateWithLow, { answerWithin: 20 })]);
  const speech = { endSilence: 100, resultTimeout: 1_000 };
  house.app.on('/getIvrCommand', { speech }, { speech: { ...speech, resultTimeout: 20_000 } }, HOLD);
  const call = await house.calls(anna);
  speak(300);
  await answered();
  expect(last()).toMatchObject({ speechParams: { reason: 'error', error: expect.stringMatching(/^own: /) } });
  speak(900);
  await during(() => house.app.received('/getIvrCommand').length === 3);
  expect(last()).toMatchObject({ speechParams: { reason: 'recognised', text: 'high' } });
  await house.hangsUp(anna, call);
});

it('without a recogniser the application learns it, and the phrases are played', async () => {
  await house.close((left) => expect(left).toEqual(NOTHING_LEFT));
  await open();
  commands({ phrases: [{ format: 'tone', frequency: 1_300, duration: 500 }], speech: {} });
  const call = await house.calls(anna);
  await answered();
  expect(last()).toMatchObject({
    lastCommandResult: { phrases: 'completed' },
    speechParams: { reason: 'error', error: expect.stringContaining('CARILLON_RECOGNISERS') },
  });
  await house.hangsUp(anna, call);
});
