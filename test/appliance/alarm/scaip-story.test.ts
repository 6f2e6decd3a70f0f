import { describe, expect, it } from 'vitest';
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

  it('is given for every repeat as long as there is no decision', () => {
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
    expect(room.exchanges.size).toBe(1);
  });

  it('do not make the answer younger', () => {
    const room = new AlarmRoom(DROP);
    for (let i = 0; i < 4; i++) {
      room.send(alarm('D0'));
      room.run(20 * 60_000);
    }
    expect([snus(room), room.delivered.length]).toEqual([[0, 0, 0, 0], 2]);
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
    expect(room.log).toEqual(['store', 'on disk', 'durable', 'recordCallback', 'answer 0']);
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

  it('without end is delivered, and does not fill the memory', () => {
    const room = new AlarmRoom(CALL);
    room.send(alarm('I5'));
    for (let i = 0; i < 200; i++) room.send(alarm('I5', `<mty>IN</mty><ite>${i}</ite>`));
    expect(room.delivered).toHaveLength(201);
    const [kept] = [...room.exchanges.ids()].flatMap((id) => room.exchanges.keep(id) ?? []);
    expect(kept?.snapshot.exchange.taken.length).toBeLessThan(100);
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

  it('is not delivered when its alarm is unknown', () => {
    const room = new AlarmRoom(CALL);
    room.send(alarm('WC', '<mty>RE</mty>'));
    expect(last(room)).toMatchObject({ snu: 0, mre: 0 });
    expect(room.delivered.map(({ event }) => event.statusCode)).toEqual(['cleared']);
  });
});
