import { describe, expect, it } from 'vitest';
import {
  CLEAR_UNIT,
  decodeGroupAlarm,
  decodeLine,
  decodeSelected,
  encodeCommand,
  encodeLine,
  isCleared,
  isGroup,
  selectUnit,
  switchesSpeech,
  TT92_COMBINED,
  TT92_PROFILE,
  TTNEW_PROFILE,
  ttProtocol,
} from '#appliance/alarm/protocol/tt/index.ts';
import { type AlarmEvent, codedFrom, type DeviceCommand, receivedForm } from '#shared/alarm-event/index.ts';
import { brokenForms, fastestMs, slowOnes } from '../mutate.ts';
import { CallRoom, said } from '../tone/call-room.ts';
import { vectors } from './vector.ts';

describe('TT vectors', () => {
  it('are all here', () => {
    expect([vectors.tt.length, vectors.ttGroup.length]).toEqual([3, 1]);
  });

  describe.each([
    ['ttnew', 'DB', 1000],
    ['tt92', 'B0', 680],
  ] as const)('%s', (name, ack, quietMs) => {
    it.each(vectors.tt)('$id $line', ({ line, fields, deviceType, statusCode, group = false }) => {
      const call = new CallRoom([{ protocol: ttProtocol(name) }]);
      call.run(500);
      call.send(line);
      call.run(300);
      const [event] = call.of('event');
      expect(event?.source.fields).toMatchObject(fields);
      expect(event && receivedForm(event.event)).toMatchObject({
        controllerId: fields.identity,
        deviceType,
        statusCode,
        audio: 'duplex',
      });
      expect(event?.source.check).toEqual({ policy: 'learn', result: 'notChecked' });
      expect(isGroup({ generic: fields.generic ?? '' })).toBe(group);
      const [ackAt, tones] = call.played.at(-1) ?? [0, ''];
      expect(tones).toBe(ack);
      call.run(3000);
      const settle = call.of('startTimer').find(({ timer }) => timer === 'settle');
      expect([ackAt > 0, settle?.ms, call.of('ready').length]).toEqual([true, quietMs + 320, 1]);
    });
  });

  it.each(vectors.ttGroup)('$id $line', ({ line, fields }) => {
    expect(decodeGroupAlarm(line)).toEqual({ ok: true, value: fields });
  });
});

it.each([
  ['ttnew', TTNEW_PROFILE, 'DB', [0, 900]],
  ['tt92', TT92_PROFILE, '0#', [0, 1300]],
] as const)('%s asks twice', (name, profile, request, times) => {
  const call = new CallRoom([{ protocol: ttProtocol(name, profile) }]);
  call.run(30_000);
  expect(call.played).toEqual(times.map((at) => [at, request]));
});

it('a combined request says it in sequential tones first', () => {
  expect(said(TT92_COMBINED)).toBe('stmf 0 0#');
});

describe('sending', () => {
  const event = (deviceType: string, statusCode: string, identity: Partial<AlarmEvent> = {}): AlarmEvent => ({
    controllerId: '1234',
    deviceType: codedFrom('deviceType', deviceType),
    statusCode: codedFrom('statusCode', statusCode),
    audio: 'duplex',
    priority: 0,
    ...identity,
  });
  it.each([
    ['smokeDetector', 'alarm', 'D#10181234********000000'],
    ['fallDetector', 'alarmManual', 'D#10161234********000000'],
    ['smokeDetector', 'lowBattery', 'D#10141234********000000'],
    ['systemMonitor', 'powerRestored', 'D#10111234********000000'],
    ['heartbeat', 'online', 'D#10121234********000000'],
    ['elevator', 'alarmManual', 'D#10171234********000000'],
  ])('%s %s', (deviceType, statusCode, line) => {
    expect(encodeLine(event(deviceType, statusCode))).toEqual({ ok: true, value: line });
    expect(decodeLine(line)).toMatchObject({ ok: true, value: { fields: { identity: '1234' } } });
  });

  it('a harmless state or a name that is no number cannot be said', () => {
    expect(encodeLine(event('pillDispenser', 'pillTaken'))).toMatchObject({ ok: false });
    expect(encodeLine(event('smokeDetector', 'alarm', { controllerId: 'x' }))).toMatchObject({ ok: false });
    expect(
      encodeLine(event('smokeDetector', 'alarm', { controllerId: '12345678', deviceId: '0042' }), '17'),
    ).toEqual({
      ok: true,
      value: 'D#1018123456780042000017',
    });
  });
});

describe('commands', () => {
  const tones = (command: DeviceCommand, name: 'tt92' | 'ttnew' = 'ttnew', grouped = false) => {
    const encoded = encodeCommand(command, { name, grouped, direction: 'C' }, TTNEW_PROFILE);
    return encoded.ok ? said(encoded.value) : encoded.error.code;
  };
  it.each([
    ['speak', 'C 500'],
    ['listen', '* 500'],
    ['volumeUp', '1 500'],
    ['releaseSafeLock', '3 500'],
    ['keepAlive', 'C 500'],
    ['clearDown', '# 2000'],
    ['switchToDuplex', '701'],
    ['switchToSimplex', '702'],
    ['selectSpeaker1', 'commandNotSupported'],
  ] as const)('%s is %s', (command, expected) => {
    expect(tones(command)).toBe(expected);
  });

  it('differ in TT92 and in schemes', () => {
    expect(tones('clearDown', 'tt92')).toBe('* 500 (80) # 2000');
    expect(tones('switchToSimplex', 'ttnew', true)).toBe('C 500');
    expect(tones('switchToDuplex', 'ttnew', true)).toBe('commandNotSupported');
    expect(said(CLEAR_UNIT)).toBe('* 500 (80) 0 1000');
    expect(switchesSpeech({ generic: '1', type: '1' })).toBe(false);
    expect(switchesSpeech({ generic: '2', type: '2' })).toBe(true);
  });
});

it('a scheme writes zero as D', () => {
  expect(selectUnit('42')).toBe('D42B');
  expect(decodeSelected('1DDDD42A')).toEqual({ ok: true, value: { unit: '042', speech: 'duplex' } });
  expect(decodeSelected('DDDDD42B').ok).toBe(false);
  expect(decodeGroupAlarm('7D421D7D')).toMatchObject({ value: { battery: 'low' } });
  expect(decodeGroupAlarm('7D42').ok).toBe(false);
  expect([isCleared('DDDDDDDB'), isCleared('DDDDDDDA')]).toEqual([true, false]);
});

it('20,000 broken lines: no throw, at most 5 ms; an identity is never empty', () => {
  const seeds = [...vectors.tt, ...vectors.ttGroup].map(({ line }) => line);
  const slow = slowOnes(
    brokenForms(seeds, ['D', '#', '*', 'B', '****', 'D#'], { seed: 92, count: 20_000 }),
    (line) => {
      const read = ttProtocol('tt92').read(line);
      if (read.ok) expect(read.value.event?.controllerId).not.toBe('');
      decodeGroupAlarm(line);
      decodeSelected(line);
    },
  );
  expect(slow).toEqual([]);
  expect(fastestMs(() => decodeLine(`D#${'*'.repeat(65_536)}`))).toBeLessThan(5);
});
