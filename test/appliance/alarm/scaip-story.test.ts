import { describe, expect, it } from 'vitest';
import { scaipProfile } from '#appliance/alarm/protocol/scaip/index.ts';
import { AlarmRoom, type RoomSetting } from './alarm-room.ts';

const HELP = 'sip:help@arc.example';
const CALL: RoomSetting = {
  setting: { emergencyDestination: HELP },
  callback: { action: 'callEmergencyCenter' },
};
const DROP: RoomSetting = { callback: { action: 'drop' } };

const alarm = (ref: string, inner = '') =>
  `<mrq><ref>${ref}</ref><cid>123</cid><dty>0003</dty>${inner}</mrq>`;
const snus = (room: AlarmRoom) => room.answers.map(({ snu }) => snu);
const last = (room: AlarmRoom) => room.answers.at(-1);
const states = (room: AlarmRoom) => [...room.sessions.values()].map(({ state }) => state);

describe('a hold', () => {
  it('is given after three seconds, once, and the decision waits for the device', () => {
    const room = new AlarmRoom({ ...CALL, callbackAfterMs: 5000 });
    room.send(alarm('H1'));
    room.run(2999);
    expect(snus(room)).toEqual([]);
    room.run(1);
    expect(snus(room)).toEqual([4]);
    room.run(5000);
    expect(snus(room)).toEqual([4]);
    room.send(alarm('H1'));
    expect(snus(room)).toEqual([4, 0]);
    expect(last(room)).toMatchObject({ mre: 1, cre: 62, tnu: [HELP] });
    expect(states(room)).toEqual(['waitingCall']);
  });

  it('is given for every repeat as long as nobody has decided', () => {
    const room = new AlarmRoom({ ...CALL, callback: 'never' });
    room.send(alarm('H2'));
    room.run(1000);
    for (let i = 0; i < 2; i++) {
      room.send(alarm('H2'));
      room.run(5000);
    }
    expect(snus(room)).toEqual([4, 4]);
    room.run(10_000);
    room.send(alarm('H2'));
    expect(snus(room)).toEqual([4, 4, 0]);
    expect(room.alarms).toEqual(['callbackFailed']);
    expect(room.delivered.map(({ how }) => how)).toEqual(['late']);
  });

  it('ends after thirty minutes without the device', () => {
    const room = new AlarmRoom({ ...CALL, callbackAfterMs: 5000 });
    room.send(alarm('H3'));
    room.run(31 * 60_000);
    expect(room.ends).toEqual(['deviceGone']);
    expect(snus(room)).toEqual([4]);
    room.send(alarm('H3'));
    expect(room.delivered).toHaveLength(1);
    room.run(5000);
    expect(room.delivered).toHaveLength(2);
  });
});

describe('repeats', () => {
  it('get the last answer for thirty minutes, then count as new', () => {
    const room = new AlarmRoom(DROP);
    room.send(alarm('D1'));
    room.run(29 * 60_000);
    room.send(alarm('D1'));
    expect([snus(room), room.delivered.length]).toEqual([[0, 0], 1]);
    room.run(31 * 60_000);
    room.send(alarm('D1'));
    expect([snus(room), room.delivered.length]).toEqual([[0, 0, 0], 2]);
    expect(room.book.size).toBe(1);
  });

  it('are new with another reference, another controller or another destination', () => {
    const room = new AlarmRoom(DROP);
    room.send(alarm('D2'));
    room.send(alarm('D3'));
    room.send('<mrq><ref>D2</ref><cid>124</cid><dty>0003</dty></mrq>');
    room.send(alarm('D2'), { scope: 'other.example/bridge' });
    expect(room.delivered).toHaveLength(4);
  });

  it('with other content after the end begin a session of their own', () => {
    const room = new AlarmRoom(DROP);
    room.send(alarm('D4'));
    room.send(alarm('D4', '<stc>0016</stc>'));
    expect(room.delivered.map(({ event }) => event.statusCode)).toEqual(['alarmManual', 'lowBattery']);
    expect(room.sessions.size).toBe(2);
  });

  it('during the wait for the call get the same number again', () => {
    const room = new AlarmRoom(CALL);
    room.send(alarm('D5'));
    room.send(alarm('D5'));
    expect(room.answers.map(({ tnu }) => tnu)).toEqual([[HELP], [HELP]]);
    expect(room.delivered).toHaveLength(1);
  });
});

describe('more information', () => {
  const more = '<mty>IN</mty><ite>fell in the bath room</ite>';

  it('is stored and delivered before it is answered as last', () => {
    const room = new AlarmRoom(CALL);
    room.send(alarm('I1'));
    room.log.length = 0;
    room.send(alarm('I1', more));
    expect(room.log).toEqual(['store', 'durable', 'answer 0', 'recordCallback']);
    expect(last(room)).toMatchObject({ mre: 1, cre: 62, tnu: [HELP] });
    expect(room.delivered.map(({ how }) => how)).toEqual(['live', 'record']);
  });

  it('while the application thinks is answered together with the alarm', () => {
    const room = new AlarmRoom({ ...CALL, callbackAfterMs: 2000 });
    room.send(alarm('I2'));
    room.send(alarm('I2', more));
    expect(snus(room)).toEqual([]);
    room.run(2000);
    expect(room.answers).toHaveLength(1);
    expect(last(room)).toMatchObject({ snu: 0, to: ['way0', 'way1'] });
    expect(room.delivered).toHaveLength(2);
  });

  it('while the device holds is answered with hold, then with the decision', () => {
    const room = new AlarmRoom({ ...CALL, callbackAfterMs: 6000 });
    room.send(alarm('I3'));
    room.run(4000);
    room.send(alarm('I3', more));
    expect(snus(room)).toEqual([4, 4]);
    room.run(4000);
    room.send(alarm('I3', more));
    expect(snus(room)).toEqual([4, 4, 0]);
    expect(room.delivered).toHaveLength(2);
  });

  it('about nothing we know is raised as an alarm', () => {
    const room = new AlarmRoom(CALL);
    room.send(alarm('I4', more));
    expect(last(room)).toMatchObject({ snu: 0, mre: 1 });
    expect(room.delivered).toHaveLength(1);
  });
});

describe('a withdrawal', () => {
  it.each([
    ['mty RE, same reference', 'W1', '<mty>RE</mty>'],
    ['stc 0019, same reference', 'W1', '<stc>0019</stc>'],
    ['stc 0019, another reference', 'W2', '<stc>19</stc>'],
  ])('%s ends the wait for the call', (_, ref, inner) => {
    const room = new AlarmRoom(CALL);
    room.send(alarm('W1'));
    expect(states(room)).toEqual(['waitingCall']);
    room.send(alarm(ref, inner));
    expect(last(room)).toMatchObject({ ref, snu: 0, mre: 0 });
    expect(states(room)).toEqual(['closed']);
    expect(room.ends).toEqual(['cleared']);
    expect(room.delivered.map(({ event }) => event.statusCode)).toEqual(['alarmManual', 'cleared']);
    room.send(alarm(ref, inner));
    expect(last(room)).toMatchObject({ ref, snu: 0, mre: 0 });
    expect(room.delivered).toHaveLength(2);
    room.run(120_000);
    expect(room.alarms).toEqual([]);
  });

  it('while the application thinks answers both, and its late word changes nothing', () => {
    const room = new AlarmRoom({ ...CALL, callbackAfterMs: 2000 });
    room.send(alarm('W3'));
    room.send(alarm('W4', '<stc>0019</stc>'));
    expect(room.answers.map(({ ref, snu, mre }) => [ref, snu, mre])).toEqual([
      ['W3', 0, 0],
      ['W4', 0, 0],
    ]);
    room.run(5000);
    expect(room.answers).toHaveLength(2);
    expect(room.sessions.size).toBe(1);
  });

  it('during the call is delivered and does not end it', () => {
    const room = new AlarmRoom(CALL);
    room.send(alarm('W5'));
    room.input(room.only, { type: 'voiceArrived', at: room.now });
    room.send(alarm('W5', '<mty>RE</mty>'));
    expect(states(room)).toEqual(['inCall']);
    expect(last(room)).toMatchObject({ snu: 0, mre: 0 });
    expect(room.delivered).toHaveLength(2);
  });

  it('takes back every open alarm of the controller, each with its own event', () => {
    const room = new AlarmRoom(CALL);
    room.send(alarm('W6'));
    room.send(alarm('W7'));
    room.send(alarm('W8', '<stc>0019</stc>'));
    expect(states(room)).toEqual(['closed', 'closed']);
    expect(room.answers.map(({ ref }) => ref)).toEqual(['W6', 'W7', 'W8']);
    expect(room.delivered.filter(({ event }) => event.statusCode === 'cleared')).toHaveLength(2);
  });

  it('in a group scheme takes back the alarm of its unit only', () => {
    const room = new AlarmRoom(CALL);
    room.send(alarm('W9', '<sco>1</sco><did>0001</did>'));
    room.send(alarm('WA', '<sco>1</sco><did>0002</did>'));
    room.send(alarm('WB', '<sco>1</sco><did>0001</did><stc>0019</stc>'));
    expect(states(room)).toEqual(['closed', 'waitingCall']);
  });

  it('of nothing we know is delivered', () => {
    const room = new AlarmRoom(CALL);
    room.send(alarm('WC', '<mty>RE</mty>'));
    expect(last(room)).toMatchObject({ snu: 0, mre: 0 });
    expect(room.delivered.map(({ event }) => event.statusCode)).toEqual(['cleared']);
  });
});

describe('a split request', () => {
  const first = alarm('P1', '<ame>1</ame><stc>0009</stc><dte>part</dte>');
  const second = alarm('P1', '<ame>0</ame><lco>021</lco><crd>no-voice:</crd>');

  it('is one event, and every part is answered once it is stored', () => {
    const room = new AlarmRoom(DROP);
    room.send(first);
    expect([snus(room), room.delivered.length]).toEqual([[0], 0]);
    room.send(second);
    expect(snus(room)).toEqual([0, 0]);
    expect(room.delivered.map(({ event }) => event)).toMatchObject([
      { statusCode: 'alarm', location: 'kitchen', audio: 'none' },
    ]);
    room.send(first);
    room.send(second);
    expect([snus(room), room.delivered.length]).toEqual([[0, 0, 0, 0], 1]);
  });

  it('may come in three parts and out of order', () => {
    const room = new AlarmRoom(DROP);
    room.send(alarm('P2', '<ame>2</ame><ite>one</ite>'));
    room.send(alarm('P2', '<lco>021</lco>'));
    expect(room.delivered).toHaveLength(0);
    room.send(alarm('P2', '<ame>1</ame><stc>0009</stc>'));
    expect(room.delivered.map(({ event }) => event)).toMatchObject([
      { statusCode: 'alarm', location: 'kitchen' },
    ]);
  });

  it('is raised without the part that never comes', () => {
    const room = new AlarmRoom(DROP);
    room.send(first);
    room.run(10_000);
    expect(room.delivered).toHaveLength(1);
    room.send(second);
    expect(room.delivered).toHaveLength(2);
  });

  it('whose part cannot be stored is not answered', () => {
    const room = new AlarmRoom({ ...DROP, storeFails: (ordinal) => ordinal === -1 });
    room.send(first);
    expect([snus(room), room.silences.length]).toEqual([[], 1]);
  });

  it('survives a restart between its parts', () => {
    const room = new AlarmRoom(DROP);
    room.send(first);
    room.restart();
    room.send(second);
    expect(room.delivered.map(({ event }) => event)).toMatchObject([
      { statusCode: 'alarm', location: 'kitchen' },
    ]);
  });
});

describe('storage', () => {
  it('comes before every answer', () => {
    const room = new AlarmRoom(CALL);
    room.send(alarm('S1'));
    expect(room.log.slice(0, 3)).toEqual(['store', 'durable', 'liveCallback']);
    expect(room.log.indexOf('answer 0')).toBeGreaterThan(room.log.indexOf('durable'));
  });

  it('that is slow holds everything back, even snu 4', () => {
    const room = new AlarmRoom({ ...CALL, storeAfterMs: 8000 });
    room.send(alarm('S2'));
    room.run(5000);
    room.send(alarm('S2'));
    expect([snus(room), room.delivered.length]).toEqual([[], 0]);
    room.run(3000);
    expect(snus(room)).toEqual([0]);
    expect(last(room)?.to).toEqual(['way0', 'way1']);
  });

  it('that fails gives no answer, and the repeat is a new alarm', () => {
    let works = false;
    const room = new AlarmRoom({ ...CALL, storeFails: () => !works });
    room.send(alarm('S3'));
    room.run(60_000);
    expect([snus(room), room.delivered.length, room.silences.length]).toEqual([[], 0, 1]);
    expect([room.alarms, room.ends]).toEqual([['storeFailed'], ['notStored']]);
    works = true;
    room.send(alarm('S3'));
    expect([snus(room), room.delivered.length]).toEqual([[0], 1]);
  });

  it('that fails for more information leaves the alarm as it is', () => {
    const room = new AlarmRoom({ ...CALL, storeFails: (ordinal) => ordinal === 1 });
    room.send(alarm('S4'));
    room.send(alarm('S4', '<mty>IN</mty>'));
    expect([snus(room), room.silences.length, states(room)]).toEqual([[0], 1, ['waitingCall']]);
    room.send(alarm('S4', '<mty>IN</mty>'));
    expect([snus(room), room.delivered.length]).toEqual([[0, 0], 2]);
  });
});

describe('a restart', () => {
  it('after the answer still knows the repeat', () => {
    const room = new AlarmRoom(DROP);
    room.send(alarm('R1'));
    room.restart();
    room.send(alarm('R1'));
    expect([snus(room), room.delivered.length]).toEqual([[0, 0], 1]);
  });

  it('while the application thinks takes the fallback and keeps it for the device', () => {
    const room = new AlarmRoom({ ...CALL, callback: 'never' });
    room.send(alarm('R2'));
    room.restart();
    expect([snus(room), room.alarms]).toEqual([[], ['callbackFailed']]);
    room.send(alarm('R2'));
    expect(last(room)).toMatchObject({ snu: 0, mre: 1, tnu: [HELP] });
    expect(room.delivered.map(({ how }) => how)).toEqual(['late']);
    expect(states(room)).toEqual(['waitingCall']);
  });

  it('with the event on the disk and nothing else does the same', () => {
    const room = new AlarmRoom({ ...CALL, storeAfterMs: 50 });
    room.send(alarm('R3'));
    room.restart();
    room.send(alarm('R3'));
    expect(last(room)).toMatchObject({ snu: 0, mre: 1 });
    expect(room.delivered).toHaveLength(1);
  });

  it('while the device holds an answer gives it to the next repeat', () => {
    const room = new AlarmRoom({ ...CALL, callbackAfterMs: 5000 });
    room.send(alarm('R4'));
    room.run(8000);
    room.restart();
    room.send(alarm('R4'));
    expect(snus(room)).toEqual([4, 0]);
    expect(room.alarms).toEqual([]);
  });

  it('while waiting for the call waits anew', () => {
    const room = new AlarmRoom(CALL);
    room.send(alarm('R5'));
    room.run(50_000);
    room.restart();
    room.run(59_000);
    expect(states(room)).toEqual(['waitingCall']);
    room.run(1000);
    expect([room.alarms, room.ends]).toEqual([['voiceCallMissing'], ['voiceMissing']]);
  });

  it('does not take what another version wrote', () => {
    const room = new AlarmRoom(DROP);
    room.send(alarm('R6'));
    const kept = [...room.book.ids()].flatMap((id) => room.book.keep(id) ?? []);
    const foreign = kept.map((one) => ({ ...one, snapshot: { ...one.snapshot, version: 2 as never } }));
    expect(new AlarmRoom().book.restore(foreign, 0)).toEqual([]);
  });
});

describe('settings', () => {
  it('of cidPolicy: warned, refused, not looked at', () => {
    const room = new AlarmRoom(DROP);
    room.send(alarm('C1'), { fromUser: '999' });
    expect(room.delivered).toHaveLength(1);
    room.send(alarm('C2'), { fromUser: '999', profile: scaipProfile({ cidPolicy: 'reject' }) });
    expect(last(room)?.snu).toBe(3);
    expect([room.alarms, room.delivered.length]).toEqual([['scaipRejected'], 1]);
    room.send(alarm('C3'), { fromUser: '123', profile: scaipProfile({ cidPolicy: 'reject' }) });
    room.send(alarm('C4'), { fromUser: '999', profile: scaipProfile({ cidPolicy: 'off' }) });
    expect(room.delivered).toHaveLength(3);
  });

  it('of a running exchange do not change', () => {
    const room = new AlarmRoom({ ...CALL, callbackAfterMs: 5000 });
    room.send(alarm('C5'));
    room.send(alarm('C5', '<mty>IN</mty>'), { profile: scaipProfile({ holdAfterMs: 0 }) });
    room.run(2000);
    expect(snus(room)).toEqual([]);
  });
});

describe('heartbeats', () => {
  const beat = (ref: string, inner = '') => alarm(ref, `<mty>PI</mty>${inner}`);

  it('are absorbed and leave nothing behind', () => {
    const room = new AlarmRoom(DROP);
    for (let i = 0; i < 100; i++) room.send(beat(`B${i}`));
    expect([room.heartbeats.length, room.delivered.length, room.book.size]).toEqual([100, 0, 0]);
    expect(snus(room).every((snu) => snu === 0)).toBe(true);
  });

  it.each([
    ['<hbo>1</hbo>', 3_600_000, 60],
    ['<hbo>001</hbo>', 30_000, 1],
    ['<hbo>001</hbo>', 10 * 86_400_000, 1440],
    ['<hbo>0</hbo>', 3_600_000, undefined],
    ['<hbo>1</hbo>', undefined, undefined],
  ])('%s with interval %s are told %s minutes', (inner, intervalMs, minutes) => {
    const room = new AlarmRoom(intervalMs === undefined ? {} : { heartbeatIntervalMs: intervalMs });
    room.send(beat('B1', inner));
    expect(last(room)?.heartbeatMinutes).toBe(minutes);
  });
});

describe('the call', () => {
  it('that never comes raises an alarm after a minute', () => {
    const room = new AlarmRoom(CALL);
    room.send(alarm('V1'));
    room.run(59_999);
    expect(room.alarms).toEqual([]);
    room.run(1);
    expect(room.alarms).toEqual(['voiceCallMissing']);
  });

  it('is joined, commanded, cleared', () => {
    const room = new AlarmRoom({ ...CALL, setting: { ...CALL.setting, keepAliveMs: 60_000 } });
    room.send(alarm('V2'));
    room.log.length = 0;
    const at = room.now;
    room.input(room.only, { type: 'voiceArrived', at });
    room.run(120_000);
    room.input(room.only, { type: 'hangup', at, id: 'h' });
    room.run(10_000);
    const done = room.log.filter((word) => word !== 'stopTimer' && word !== 'startTimer');
    expect(done).toEqual(['join', 'deviceCommand', 'deviceCommand', 'deviceCommand', 'hangUp', 'end']);
    expect(room.ends).toEqual(['callCleared']);
  });

  it('of a device that wants to be called is placed again until it answers', () => {
    const room = new AlarmRoom({ ...CALL, setting: { ...CALL.setting, deviceDestination: 'sip:d@site' } });
    room.send(alarm('V3', '<cha>1</cha>'));
    expect(last(room)).toMatchObject({ mre: 1, cre: 5 });
    room.input(room.only, { type: 'voiceFailed', at: room.now, reason: 'busy' });
    room.run(15_000);
    expect(room.log.filter((word) => word === 'callDevice')).toHaveLength(2);
    room.input(room.only, { type: 'voiceArrived', at: room.now });
    room.run(300_000);
    expect([states(room), room.alarms]).toEqual([['inCall'], []]);
  });
});
