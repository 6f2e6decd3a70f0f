import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CADENCES, cadence, render, silence, tone } from '#appliance/media/dtmf/index.ts';
import { joined, quiet, speech } from '#test/appliance/media/answer/callee-sound.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';
import { entry, hears, presses, raisesAlarm, rings, takes } from './people.ts';

/*
 * A machine, a mailbox or a tone of the network answers the call of a list: what the audio of the callee shows, and what follows.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let anna: Telephone;
let bo: Telephone;
let unit: Telephone;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.notify('https://app.example/alarms');
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  anna = await net.device('anna', '192.0.2.41');
  bo = await net.device('bo', '192.0.2.42');
  const steps = [{ entries: [entry('anna', { accept: 'answer' })] }, { entries: [entry('bo')] }];
  ({ unit } = await raisesAlarm(site, net, 'scaip', { emergencyCallList: { steps } }));
  expect(await rings(net, anna)).toBe(true);
  await takes(net, anna);
  expect(reported()).toContain('accepted anna');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const reported = () =>
  site.posted
    .filter(({ call }) => call.path === '/emergencyProgress')
    .map(({ body }) =>
      [body.step, String(body.destination ?? '').replace(/^sip:|@.*$/g, '')].join(' ').trim(),
    );

const says = async (sound: Int16Array): Promise<void> => {
  anna.audio.say(sound);
  await net.after(sound.length / 8, 500);
};

describe('a call that was taken by its answer', () => {
  it('stays with a person who says a word, waits, and speaks on', async () => {
    await says(joined(speech(700), quiet(1_500), speech(5_000), quiet(4_000)));
    expect(reported()).not.toContain('machine anna');
    expect(bo.has('INVITE')).toBe(false);
    expect(await hears(net, anna, unit)).toBe(true);
  });

  it('asks a greeting for the key and lets the next person ring; the callee may still press 1', async () => {
    await says(speech(5_000));
    expect(reported()).toContain('machine anna');
    expect(bo.has('INVITE')).toBe(true);
    expect(anna.has('BYE')).toBe(false);
    expect(await hears(net, anna, unit)).toBe(false);
    await presses(net, anna, '1');
    expect(reported().filter((step) => step === 'accepted anna')).toHaveLength(2);
    expect(await hears(net, anna, unit)).toBe(true);
  });

  it('ends with the beep of a mailbox behind its greeting', async () => {
    await says(joined(speech(6_000), quiet(300), render([tone(1_000, 400)]), quiet(2_000)));
    expect(anna.has('BYE')).toBe(true);
    expect(bo.has('INVITE')).toBe(true);
  });

  it('ends with busy in band, and the list is called again', async () => {
    const { busy } = CADENCES.SE ?? { busy: [] };
    await says(render([...Array.from({ length: 6 }, () => cadence(busy)).flat(), silence(1_000)]));
    expect(reported()).toContain('lost anna');
    expect(anna.has('BYE')).toBe(true);
    expect(await rings(net, anna)).toBe(true);
    expect(unit.has('BYE')).toBe(false);
  });

  it('is a person once a key was pressed, whatever it sounds like', async () => {
    await presses(net, anna, '4');
    await says(joined(speech(6_000), quiet(300), render([tone(1_000, 400)]), quiet(2_000)));
    expect(anna.has('BYE')).toBe(false);
    expect(reported()).not.toContain('machine anna');
  });
});
