import { describe, expect, it } from 'vitest';
import { scaipProfile } from '#appliance/alarm/protocol/scaip/index.ts';
import { AlarmRoom, FROM, type RoomSetting } from './alarm-room.ts';

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

  it('that grows beyond one body is raised as it is', () => {
    const room = new AlarmRoom(DROP);
    for (const part of [5, 4, 3, 2])
      room.send(alarm('P3', `<ame>${part}</ame><zzz>${'x'.repeat(20_000)}</zzz>`));
    expect(room.delivered).toHaveLength(1);
  });

  it('is not answered when a part of it cannot be stored', () => {
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
    expect(room.log.slice(0, 3)).toEqual(['store', 'on disk', 'durable']);
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

  it('before the event is on the disk forgets it, and the repeat is a new alarm', () => {
    const room = new AlarmRoom({ ...CALL, storeAfterMs: 50 });
    room.send(alarm('R3'));
    room.restart();
    room.run(1000);
    expect(snus(room)).toEqual([]);
    room.send(alarm('R3'));
    room.run(50);
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

  it('while waiting for the call waits on, and again and again is not for ever', () => {
    const room = new AlarmRoom(CALL);
    room.send(alarm('R5'));
    for (const lifeMs of [20_000, 20_000, 20_000, 20_000]) {
      room.run(lifeMs);
      room.restart();
    }
    room.run(31_000);
    expect(states(room)).toEqual(['waitingCall']);
    room.run(1000);
    expect([room.alarms, room.ends]).toEqual([['voiceCallMissing'], ['voiceMissing']]);
  });

  it('still knows the repeat of a cancel that came under its own reference', () => {
    const room = new AlarmRoom(CALL);
    room.send(alarm('R7'));
    room.send(alarm('R8', '<stc>0019</stc>'));
    room.restart();
    room.send(alarm('R8', '<stc>0019</stc>'));
    expect(last(room)).toMatchObject({ ref: 'R8', snu: 0, mre: 0 });
    expect(room.delivered).toHaveLength(2);
  });

  it('with parts and whole on the disk takes the whole, in any order', () => {
    const room = new AlarmRoom(DROP);
    room.send(alarm('R9', '<ame>1</ame>'));
    const parts = [...room.exchanges.ids()].flatMap((id) => room.exchanges.keep(id) ?? []);
    room.send(alarm('R9', '<lco>021</lco>'));
    const whole = [...room.exchanges.ids()].flatMap((id) => room.exchanges.keep(id) ?? []);
    for (const kept of [
      [...parts, ...whole],
      [...whole, ...parts],
    ]) {
      const later = new AlarmRoom(DROP);
      later.exchanges.restore(kept, later.now, { origin: FROM });
      later.send(alarm('R9', '<lco>021</lco>'));
      later.run(60_000);
      expect([snus(later), later.delivered.length, later.exchanges.size]).toEqual([[0], 0, 1]);
    }
  });

  it('does not take what another version wrote', () => {
    const room = new AlarmRoom(DROP);
    room.send(alarm('R6'));
    const kept = [...room.exchanges.ids()].flatMap((id) => room.exchanges.keep(id) ?? []);
    const foreign = kept.map((one) => ({ ...one, snapshot: { ...one.snapshot, version: 2 as never } }));
    expect(new AlarmRoom().exchanges.restore(foreign, 0)).toEqual([]);
  });
});

describe('settings', () => {
  it('decide by cidPolicy: warned, refused, not looked at', () => {
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

  it('do not change in a running exchange', () => {
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
    expect([room.heartbeats.length, room.delivered.length, room.exchanges.size]).toEqual([100, 0, 0]);
    expect(snus(room).every((snu) => snu === 0)).toBe(true);
  });

  it.each([
    ['<hbo>1</hbo>', 3_600_000, 60],
    ['<hbo>001</hbo>', 30_000, 1],
    ['<hbo>001</hbo>', 10 * 86_400_000, 1440],
    ['<hbo>0</hbo>', 3_600_000, undefined],
    ['<hbo>1</hbo>', undefined, undefined],
  ])('%s with interval %s are reported after %s minutes', (inner, intervalMs, minutes) => {
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

  it('is placed again until the device answers that wants to be called', () => {
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
