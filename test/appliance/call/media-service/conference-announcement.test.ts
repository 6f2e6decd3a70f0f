import { afterEach, beforeEach, expect, it } from 'vitest';
import { levelAt } from '#test/appliance/media/engine/sound.ts';
import { mediaService, NOTHING_LEFT, type TestMediaService } from '#test/support/media-house.ts';
import type { Telephone } from '#test/support/telephone.ts';

let house: TestMediaService;
let anna: Telephone;
let guests: readonly Telephone[];

beforeEach(async () => {
  house = await mediaService();
  const { net } = house;
  house.service({ alarmPath: '/alarm' });
  anna = await net.device('anna', '192.0.2.20');
  guests = [
    await net.device('bo', '192.0.2.21'),
    await net.device('eve', '192.0.2.22'),
    await net.device('dan', '192.0.2.23'),
  ];
});
afterEach(() => house.close((left) => expect(left).toEqual(NOTHING_LEFT)));

const beep = (frequency: number) => [{ format: 'tone', frequency, duration: 600 }];

it('an announcement is audible to all three of a conference, or to the one it is for, and to no other telephone', async () => {
  const { app, net } = house;
  app.on('/newCall', { action: 'ivr' });
  app.on('/getIvrCommand', { phrases: [{ format: 'tone', frequency: 440, duration: 60_000 }] });
  const outside = await house.calls(anna);
  const { sessionId, replyId } = app.last('/getIvrCommand');
  const made = await house.operate('createconferenceconnection', { sessionId, replyId });
  const connectionId = made.ok ? made.value.connectionId : undefined;
  const join = { action: 'joinconferenceconnection', connectionId };
  app.on('/newCall', join, join, join);
  const talks = [];
  for (const guest of guests) talks.push(await house.calls(guest));
  const { callerParticipantId: participantId } = app.last('/callAnswered');

  const levels = async (frequency: number, more: object): Promise<readonly number[]> => {
    for (const phone of [anna, ...guests]) phone.audio.forget();
    const asked = await house.operate('play', { replyId, connectionId, phrases: beep(frequency), ...more });
    expect(asked).toMatchObject({ ok: true });
    await net.after(600, 20);
    return [anna, ...guests].map((phone) => levelAt(phone.audio.received, frequency));
  };
  const [beside = 0, ...all] = await levels(1_300, {});
  expect(Math.min(...all)).toBeGreaterThan(-25);
  expect(beside).toBeLessThan(-45);
  await net.after(400, 20);
  const [stillBeside = 0, bo = 0, eve = 0, dan = 0] = await levels(1_700, { participantId });
  expect(dan).toBeGreaterThan(-25);
  expect(Math.max(stillBeside, bo, eve)).toBeLessThan(-45);

  for (const [place, guest] of guests.entries()) {
    const talk = talks[place];
    if (talk !== undefined) await house.hangsUp(guest, talk);
  }
  await house.hangsUp(anna, outside);
});
