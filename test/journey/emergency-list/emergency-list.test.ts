import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';
import { messageOf, VOICE_PROTOCOLS } from '#test/support/voice-alarm.ts';
import {
  answersMessages,
  entry,
  hears,
  listOf,
  presses,
  raisesAlarm,
  rings,
  sendsScaip,
  takes,
} from './people.ts';

/*
 * People are called for an alarm until one accepts. Every side is a telephone: the device, and each of the people.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let anna: Telephone;
let bo: Telephone;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.notify('https://app.example/alarms');
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  anna = await net.device('anna', '192.0.2.41');
  bo = await net.device('bo', '192.0.2.42');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const reported = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
const errors = () => site.posted.map(({ body }) => body.error).filter((error) => error !== undefined);

/** Steps of the list as the application gets them: step and, where there is one, the user that was called. */
const steps = () =>
  site.posted
    .filter(({ call }) => call.path === '/emergencyProgress')
    .map(({ body }) =>
      [body.step, String(body.destination ?? '').replace(/^sip:|@.*$/g, '')].join(' ').trim(),
    );

const outcome = () => {
  const trace = site.trace(String(reported()[0]?.body.traceId));
  return trace.find(({ kind }) => kind === 'sessionEnded')?.detail.outcome;
};

const PROTOCOLS = ['scaip', 'bs8521', 'call'];

describe.each(PROTOCOLS)('an alarm of %s', (protocol) => {
  it('is taken by the first person who presses 1, who speaks with the device and clears it by hanging up', async () => {
    const { unit } = await raisesAlarm(site, net, protocol, { emergencyCallList: listOf('anna', 'bo') });
    expect(await rings(net, anna)).toBe(true);
    const invite = await takes(net, anna, '1');
    expect(bo.has('INVITE')).toBe(false);
    expect(await hears(net, anna, unit)).toBe(true);
    expect(await hears(net, unit, anna)).toBe(true);
    anna.inDialog(anna.answeredTalk(invite), 'BYE');
    for (let waited = 0; waited < 16_000 && !unit.has('BYE'); waited += 500) await net.after(500);
    expect(unit.has('BYE')).toBe(true);
    expect(outcome()).toBe('callCleared');
    expect(errors()).toEqual([]);
    expect(steps()).toEqual(
      expect.arrayContaining(['ringing anna', 'answered anna', 'accepted anna', 'cleared anna']),
    );
  });
});

describe.each(VOICE_PROTOCOLS)('an alarm of %s', (protocol) => {
  it('that no person accepts is unanswered: the device is hung up uncleared, and a platform alarm is raised', async () => {
    const list = { ...listOf('anna', 'bo'), rounds: 2, pause: 10_000 };
    const { unit } = await raisesAlarm(site, net, protocol, { emergencyCallList: list });
    let calls = 0;
    for (let waited = 0; waited < 300_000 && !unit.has('BYE'); waited += 500) {
      for (const phone of [anna, bo])
        while (phone.has('INVITE')) {
          calls++;
          phone.respond(phone.request('INVITE'), 486);
        }
      await net.after(500);
      answersMessages(unit);
    }
    expect(calls).toBe(4);
    expect(outcome()).toBe('unanswered');
    expect(commands()).not.toContain('clearDown');
    expect(errors()).toEqual(['emergencyUnanswered']);
    expect(site.runtime.people.figures).toEqual({
      people_calls: 0,
      people_calls_waiting: 0,
      'people_calls_total{to="device",result="offered"}': 4,
      'people_calls_total{to="device",result="notReached"}': 4,
      'people_lists_total{result="unanswered"}': 1,
      'people_lists_total{result="cleared"}': 0,
      'people_lists_total{result="stopped"}': 0,
    });
  });
});

const commands = (): unknown[] =>
  site
    .trace(String(reported()[0]?.body.traceId))
    .filter(({ kind }) => kind === 'deviceCommand')
    .map(({ detail }) => detail.command);

/** The alarm of a SCAIP unit with this list, which anna has taken; the dialog of her call. */
async function taken(fields: Record<string, unknown>, keys = '1') {
  const raised = await raisesAlarm(site, net, 'scaip', fields);
  expect(await rings(net, anna)).toBe(true);
  const invite = await takes(net, anna, keys);
  return { ...raised, back: anna.answeredTalk(invite) };
}

describe('the people of a list', () => {
  it('ring together in one step, and the second to accept hears that the alarm is taken', async () => {
    const together = { steps: [{ entries: [entry('anna'), entry('bo')] }] };
    await raisesAlarm(site, net, 'scaip', { emergencyCallList: together });
    expect(await rings(net, anna, 1_000)).toBe(true);
    expect(bo.has('INVITE')).toBe(true);
    await takes(net, bo);
    await takes(net, anna, '1');
    await presses(net, bo, '1');
    expect(steps()).toEqual(expect.arrayContaining(['accepted anna', 'taken bo']));
    expect(bo.has('BYE')).toBe(true);
    expect(anna.has('BYE')).toBe(false);
  });

  it('follow each other 20 s after an answer without a key, and the late key still counts', async () => {
    await raisesAlarm(site, net, 'scaip', { emergencyCallList: listOf('anna', 'bo') });
    await rings(net, anna);
    await takes(net, anna);
    await net.after(15_000);
    expect(bo.has('INVITE')).toBe(false);
    await net.after(4_000);
    bo.respond(bo.request('INVITE'), 180);
    await presses(net, anna, '1');
    expect(steps()).toContain('accepted anna');
    expect(bo.has('CANCEL')).toBe(true);
  });

  it('clear nothing by a hang-up before the key', async () => {
    const { back } = await taken({ emergencyCallList: listOf('anna', 'bo') }, '');
    anna.inDialog(back, 'BYE');
    expect(await rings(net, bo, 2_000)).toBe(true);
    expect(commands()).not.toContain('clearDown');
    expect(outcome()).toBeUndefined();
  });

  it('are called again when the one who had accepted is cut off', async () => {
    const { unit, back } = await taken({ emergencyCallList: listOf('anna', 'bo') });
    anna.inDialog(back, 'BYE', { headers: [['Reason', 'Q.850;cause=38;text="Network out of order"']] });
    expect(await rings(net, anna, 2_000)).toBe(true);
    expect(commands()).not.toContain('clearDown');
    expect(unit.has('BYE')).toBe(false);
    expect(steps()).toContain('lost anna');
  });

  it('are called again when the audio of the one who had accepted is lost', async () => {
    const { unit } = await taken({ emergencyCallList: listOf('anna', 'bo') });
    await net.after(2_000);
    anna.audio.sending = false;
    for (let waited = 0; waited < 120_000 && !steps().includes('lost anna'); waited += 500)
      await net.after(500);
    expect(steps()).toContain('lost anna');
    expect(anna.has('BYE')).toBe(true);
    expect(await rings(net, anna, 2_000)).toBe(true);
    expect(commands()).not.toContain('clearDown');
    expect(unit.has('BYE')).toBe(false);
  });

  it('are called again 10 s after a hang-up that clears nothing', async () => {
    const { unit, back } = await taken({ emergencyCallList: listOf('anna'), arcDisconnectClearsCall: false });
    anna.inDialog(back, 'BYE');
    await net.after(9_000);
    expect(anna.has('INVITE')).toBe(false);
    expect(await rings(net, anna, 2_000)).toBe(true);
    expect(unit.has('BYE')).toBe(false);
    expect(commands()).not.toContain('clearDown');
  });

  it('command the device by keys, unlock by the PIN only, and clear by 0 twice', async () => {
    const list = { steps: [{ entries: [entry('anna', { pin: '47110815' })] }] };
    const { unit } = await taken({ emergencyCallList: list, arcDisconnectClearsCall: false });
    const before = commands().length;
    await presses(net, anna, '748*1234#*47110815#');
    expect(commands().slice(before)).toEqual(['listen', 'switchToDuplex', 'speak', 'releaseDoorLock1']);
    expect(steps().filter((step) => step.startsWith('doorRefused'))).toEqual(['doorRefused anna']);
    await presses(net, anna, '00');
    for (let waited = 0; waited < 16_000 && !unit.has('BYE'); waited += 500) await net.after(500);
    expect(outcome()).toBe('callCleared');
    expect(anna.has('BYE')).toBe(true);
    expect(JSON.stringify(site.trace(String(reported()[0]?.body.traceId)))).not.toContain('47110815');
  });

  it('are called for an event without speech whose device is in its call, which is cleared behind them only', async () => {
    const fields = { audio: 'none', emergencyCallList: listOf('anna', 'bo'), arcDisconnectClearsCall: false };
    const { unit } = await raisesAlarm(site, net, 'rb2000', fields);
    expect(await rings(net, anna, 20_000)).toBe(true);
    anna.respond(anna.request('INVITE'), 603);
    expect(await rings(net, bo, 1_000)).toBe(true);
    await takes(net, bo, '1');
    await net.after(12_000, 500);
    expect(commands()).not.toContain('clearDown');
    expect(unit.has('BYE')).toBe(false);
    await presses(net, bo, '00');
    for (let waited = 0; waited < 16_000 && !unit.has('BYE'); waited += 500) await net.after(500);
    expect(unit.has('BYE')).toBe(true);
    expect(commands()).toContain('clearDown');
    expect(outcome()).toBe('callCleared');
  });

  it('take the alarm by their answer where the entry says so, and speak with the device at once', async () => {
    const list = { steps: [{ entries: [entry('anna', { accept: 'answer' })] }] };
    const { unit } = await raisesAlarm(site, net, 'scaip', { emergencyCallList: list });
    expect(await rings(net, anna)).toBe(true);
    await takes(net, anna);
    expect(steps()).toContain('accepted anna');
    expect(await hears(net, anna, unit)).toBe(true);
  });

  it('clear nothing by the hang-up behind an answer that no device has received', async () => {
    site.bridge({
      destinationMatch: '^here$',
      defaultEmergencyDestination: 'sip:arc@care.example',
      emergencyCallList: {
        steps: [{ entries: [entry('anna', { accept: 'answer' })] }, { entries: [entry('bo')] }],
      },
    });
    const unit = await net.device('unit', '192.0.2.30', { authType: 'deviceid', digest: undefined }, false);
    sendsScaip(unit, '<crd>no-voice:</crd>');
    await net.pump();
    expect(await rings(net, anna, 1_000)).toBe(true);
    const invite = await takes(net, anna);
    anna.inDialog(anna.answeredTalk(invite), 'BYE');
    expect(await rings(net, bo, 2_000)).toBe(true);
    expect(steps()).not.toContain('accepted anna');
    expect(outcome()).toBeUndefined();
  });

  it('press a key once, whose telephone says it by INFO, too', async () => {
    const { unit, back } = await taken({
      emergencyCallList: listOf('anna'),
      arcDisconnectClearsCall: false,
    });
    const byInfo = (key: string): string =>
      anna.inDialog(back, 'INFO', {
        headers: [['Content-Type', 'application/dtmf-relay']],
        body: `Signal=${key}\r\nDuration=100\r\n`,
      });
    anna.audio.press('0', { onMs: 100, offMs: 100 });
    await net.after(400);
    byInfo('0');
    await net.after(1_000);
    expect(anna.has('BYE')).toBe(false);
    byInfo('0');
    await net.after(2_000);
    expect(anna.has('BYE')).toBe(true);
    for (let waited = 0; waited < 16_000 && !unit.has('BYE'); waited += 500) await net.after(500);
    expect(outcome()).toBe('callCleared');
  });

  it('are called on when the device hangs up, and it is called back for the person who has accepted', async () => {
    const { unit, talk } = await raisesAlarm(site, net, 'scaip', { emergencyCallList: listOf('anna', 'bo') });
    await rings(net, anna);
    if (talk !== undefined) unit.inDialog(talk, 'BYE');
    await net.after(1_000);
    expect(outcome()).toBeUndefined();
    await takes(net, anna, '1');
    expect(await rings(net, unit, 5_000)).toBe(true);
    await takes(net, unit);
    expect(await hears(net, anna, unit)).toBe(true);
    expect(steps()).toEqual(expect.arrayContaining(['deviceLeft', 'accepted anna', 'deviceJoined anna']));
  });

  it('are called for an event without speech, and the one who accepts clears it', async () => {
    site.bridge({
      destinationMatch: '^here$',
      defaultEmergencyDestination: 'sip:arc@care.example',
      emergencyCallList: listOf('anna'),
    });
    const unit = await net.device('unit', '192.0.2.30', { authType: 'deviceid', digest: undefined }, false);
    sendsScaip(unit, '<crd>no-voice:</crd>');
    await net.pump();
    expect(await rings(net, anna, 1_000)).toBe(true);
    const invite = await takes(net, anna, '1');
    anna.inDialog(anna.answeredTalk(invite), 'BYE');
    await net.after(1_000);
    expect(outcome()).toBe('handled');
    expect(errors()).toEqual([]);
  });

  it('are called at once behind a device that is not registered', async () => {
    await net.device('cia', '192.0.2.43', {}, false);
    await raisesAlarm(site, net, 'scaip', { emergencyCallList: listOf('cia', 'anna') });
    expect(await rings(net, anna, 1_000)).toBe(true);
    expect(steps().filter((step) => step.startsWith('notReached'))).toEqual(['notReached cia']);
    expect(site.runtime.people.figures.people_calls).toBe(1);
  });

  it('are at most as many at once as the tenant says, of all its lists, and the next one rings when one of them ends', async () => {
    site.tenant.put('notificationsettings', 'care.example', {
      alarmFromEdge: true,
      alarmEventsRestEndpoint: 'https://app.example/alarms',
      emergencyCallsAtOnce: 10,
    });
    const together = {
      steps: [{ entries: [...Array.from({ length: 10 }, () => entry('anna')), entry('bo')] }],
    };
    await raisesAlarm(site, net, 'scaip', { emergencyCallList: together });
    expect(await rings(net, anna, 1_000)).toBe(true);
    expect(bo.has('INVITE')).toBe(false);
    expect(site.runtime.people.figures).toMatchObject({ people_calls: 10, people_calls_waiting: 1 });
    anna.respond(anna.request('INVITE'), 486, { tag: 'busy' });
    expect(await rings(net, bo, 1_000)).toBe(true);
    expect(site.runtime.people.figures).toMatchObject({ people_calls: 10, people_calls_waiting: 0 });
    await takes(net, bo, '1');
    expect(steps().filter((step) => step.endsWith(' bo'))).toEqual([
      'paused bo',
      'ringing bo',
      'answered bo',
      'accepted bo',
    ]);
  });

  it('are not called where their device was removed while the call waited, and its place is free', async () => {
    site.tenant.put('notificationsettings', 'care.example', {
      alarmFromEdge: true,
      alarmEventsRestEndpoint: 'https://app.example/alarms',
      emergencyCallsAtOnce: 10,
    });
    const entries = [...Array.from({ length: 10 }, () => entry('anna')), entry('bo')];
    await raisesAlarm(site, net, 'scaip', { emergencyCallList: { steps: [{ entries }] } });
    expect(await rings(net, anna, 1_000)).toBe(true);
    site.tenant.remove('device', 'bo');
    anna.respond(anna.request('INVITE'), 486, { tag: 'busy' });
    expect(await rings(net, bo, 1_000)).toBe(false);
    expect(steps().filter((step) => step.endsWith(' bo'))).toEqual(['paused bo', 'notReached bo']);
    expect(site.runtime.people.figures).toMatchObject({ people_calls: 9, people_calls_waiting: 0 });
  });

  it('are at most 120 at once, and a list without room calls on as soon as there is some', async () => {
    const together = Array.from({ length: 20 }, () => entry('anna'));
    site.bridge({
      destinationMatch: '^here$',
      defaultEmergencyDestination: 'sip:arc@care.example',
      emergencyCallList: { steps: [{ entries: together }], pause: 30_000 },
    });
    for (let each = 0; each < 7; each++) {
      const proof = { authType: 'deviceid', digest: undefined };
      const unit = await net.device(`unit${each}`, `192.0.2.${100 + each}`, proof, false);
      const alarm = `<mrq><ref>R${each}</ref><cid>unit${each}</cid><dty>0003</dty><stc>0010</stc><crd>no-voice:</crd></mrq>`;
      messageOf(unit, alarm, 'here', `alarm ${each}`);
      await net.pump();
    }
    const figures = () => site.runtime.people.figures;
    expect(figures()).toMatchObject({
      people_calls: 120,
      people_calls_waiting: 20,
      'people_calls_total{to="device",result="offered"}': 120,
    });
    expect(Object.keys(figures()).join(' ')).not.toContain('notReached');
    // The ring time of the others is over: those who have waited ring, their whole time.
    await net.after(26_000, 500);
    expect(figures()).toMatchObject({ people_calls: 20, people_calls_waiting: 0 });
    await net.after(22_000, 500);
    expect(figures().people_calls).toBe(20);
  });

  it.each([
    ['the device itself', 'sip:unit@care.example'],
    ['a receiver of ours', 'sip:here@care.example'],
    ['an address outside', 'sip:anyone@outside.example'],
    ['a number without a trunk', '+46855511001'],
  ])('are never %s', async (_, destination) => {
    const list = { steps: [{ entries: [{ destination }] }, { entries: [entry('anna')] }] };
    await raisesAlarm(site, net, 'scaip', { emergencyCallList: list });
    expect(await rings(net, anna, 1_000)).toBe(true);
    expect(steps().filter((step) => step.startsWith('notReached'))).toHaveLength(1);
  });

  it('are those of the answer, which goes before the device and the bridge', async () => {
    site.answerBy(() =>
      answered({
        action: 'callEmergencyCenter',
        emergencyDestination: 'sip:bo@care.example',
        emergencyCallList: { steps: [{ entries: [entry('bo', { pin: '08154711' })] }] },
      }),
    );
    await raisesAlarm(site, net, 'scaip', { emergencyCallList: listOf('anna') });
    expect(await rings(net, bo, 1_000)).toBe(true);
    expect(anna.has('INVITE')).toBe(false);
    expect(JSON.stringify(site.trace(String(reported()[0]?.body.traceId)))).not.toContain('08154711');
  });

  it('are those of the bridge when the list of the answer cannot be used, which is reported', async () => {
    const emergencyCallList = { steps: [] };
    site.answerBy(() => answered({ action: 'callEmergencyCenter', emergencyCallList }));
    await raisesAlarm(site, net, 'scaip', { emergencyCallList: listOf('anna') });
    expect(await rings(net, anna, 1_000)).toBe(true);
    expect(errors()).toEqual(['emergencyCallListInvalid']);
  });

  it('are those of the device before those of the bridge', async () => {
    const alarmBridge = { emergencyDestination: 'sip:bo@care.example', emergencyCallList: listOf('bo') };
    site.device({
      deviceId: '12345678:0001',
      deviceType: 'alarmbridgeAlarmUnit',
      serviceData: { alarmBridge },
    });
    await raisesAlarm(site, net, 'bs8521', { emergencyCallList: listOf('anna') });
    expect(await rings(net, bo, 20_000)).toBe(true);
    expect(anna.has('INVITE')).toBe(false);
  });
});

describe('the audio of a list', () => {
  it('is opened side by side, of people and device, so that no packet changes its time when they are joined', async () => {
    const openLeg = vi.spyOn(site.media.media, 'openLeg');
    const together = { steps: [{ entries: [entry('anna'), entry('bo')] }] };
    const { unit } = await raisesAlarm(site, net, 'scaip', { emergencyCallList: together });
    expect(await rings(net, anna)).toBe(true);
    await takes(net, anna, '1');
    expect(await hears(net, anna, unit)).toBe(true);
    const openings = openLeg.mock.calls.map(([opening]) => opening);
    expect(openings.map(({ near }) => near)).toEqual([
      undefined,
      ...openings.slice(1).map(() => openings[0]?.leg),
    ]);
    expect(openings).toHaveLength(3);
  });
});
