import { describe, expect, it } from 'vitest';
import {
  decodeLine,
  encodeGroupAlarm,
  groupEvent,
  stepTtSending,
  TT92_PROFILE,
  TTNEW_PROFILE,
  type TtForm,
  type TtSendInput,
  type TtSending,
  ttForm,
  ttProtocol,
  ttSending,
  ttUnitForm,
} from '#appliance/alarm/protocol/tt/index.ts';
import { type AlarmEvent, codedFrom } from '#shared/alarm-event/index.ts';
import { vectors } from './vector.ts';

const LINE = 'D#1016000012345678000000';
const SCHEME = 'D#202100001234****000000';
const start: TtSendInput = { type: 'start' };
const tones = (line: string, ms = 80): TtSendInput[] =>
  [...line].map((digit) => ({ type: 'heard', tone: { digit, ms } }));
const answer: TtSendInput = { type: 'timer', timer: 'answer' };
const pause: TtSendInput = { type: 'timer', timer: 'interDigit' };

const announce: TtSendInput = { type: 'timer', timer: 'announce' };
const unit = (number: string, callCode = '6') =>
  ({ callCode, unit: number, battery: 'good', location: '00' }) as const;
const clear: TtSendInput[] = [...tones('*', 500), ...tones('0', 1000)];

function walk(name: 'tt92' | 'ttnew', form: TtForm, ...inputs: readonly TtSendInput[]) {
  return walked(ttSending('first', form, name === 'tt92' ? TT92_PROFILE : TTNEW_PROFILE), inputs);
}

function walked(begun: TtSending, inputs: readonly TtSendInput[]) {
  let state = begun;
  const seen: string[] = [];
  for (const input of inputs) {
    const step = stepTtSending(state, input);
    state = step.state;
    for (const effect of step.effects) {
      if (effect.type === 'play')
        seen.push(effect.tones.map((one) => ('digits' in one ? one.digits : '-')).join(' '));
      else if (effect.type === 'failed')
        seen.push(`failed ${effect.warning}${effect.id === 'first' ? '' : ` ${effect.id}`}`);
      else if ('id' in effect && effect.id !== 'first') seen.push(`${effect.type} ${effect.id}`);
      else if (effect.type === 'command') seen.push(effect.command);
      else if (effect.type !== 'startTimer' && effect.type !== 'stopTimer') seen.push(effect.type);
    }
  }
  return { phase: state.phase, seen: seen.join(', ') };
}

describe('a TT frame that is being sent', () => {
  it.each<['tt92' | 'ttnew', string, string, TtSendInput[], string, string]>([
    [
      'tt92',
      'sent',
      LINE,
      [start, ...tones('0#'), ...tones('B0')],
      'open',
      `- ${LINE}, acknowledged, speech`,
    ],
    [
      'ttnew',
      'sent: the second DB is the acknowledge',
      LINE,
      [start, ...tones('DB'), ...tones('DB')],
      'open',
      `- ${LINE}, acknowledged, speech`,
    ],
    ['ttnew', 'nobody asks', LINE, [start, answer], 'over', 'failed noAnswer, hangUp'],
    [
      'ttnew',
      'four times',
      LINE,
      [start, ...tones('DB'), answer, answer, answer, answer],
      'over',
      `- ${LINE}, ${LINE}, ${LINE}, ${LINE}, failed noAnswer, hangUp`,
    ],
    [
      'tt92',
      'commands',
      LINE,
      [
        start,
        ...tones('0#'),
        ...tones('B0'),
        ...tones('C', 500),
        ...tones('*', 500),
        ...tones('701'),
        pause,
        ...tones('#', 2000),
      ],
      'over',
      `- ${LINE}, acknowledged, speech, speak, listen, 701, switchToDuplex, hangUp`,
    ],
    [
      'ttnew',
      'a scheme that names no unit has nothing to select',
      SCHEME,
      [start, ...tones('DB'), ...tones('DB'), ...tones('D42B'), pause],
      'open',
      `- ${SCHEME}, acknowledged, speech, 1DDDD42A, speech`,
    ],
  ])('%s %s', (name, _what, line, inputs, phase, seen) => {
    expect(walk(name, { line }, ...inputs)).toEqual({ phase, seen });
  });
});

describe('units of a scheme', () => {
  const taken: TtSendInput[] = [start, ...tones('DB'), ...tones('DB')];
  const more = (id: string, number: string): TtSendInput => ({ type: 'add', id, unit: unit(number) });

  it.each<[string, TtSendInput[], string, string]>([
    [
      'named after the acknowledge, and sent when selected',
      [...taken, announce, ...tones('D42B'), pause],
      'open',
      'queued, 6D42DDDD, 1DDDD42A, acknowledged, speech',
    ],
    [
      'selected again: the same answer, sent once',
      [...taken, announce, ...tones('D42B'), pause, ...tones('D42B'), pause],
      'open',
      'queued, 6D42DDDD, 1DDDD42A, acknowledged, speech, 1DDDD42A, speech',
    ],
    [
      'two that wait before the acknowledge, each a group; cleared, and the next one selected',
      [
        start,
        ...tones('DB'),
        more('second', '007'),
        ...tones('DB'),
        announce,
        ...tones('D42B'),
        pause,
        ...clear,
        ...tones('DD7B'),
        pause,
        ...clear,
        ...tones('#', 2000),
      ],
      'over',
      'queued, queued second, 6D42DDDD - 6DD7DDDD, 1DDDD42A, acknowledged, speech, DDDDDDDB, ' +
        '1DDDDD7A, acknowledged second, speech second, DDDDDDDB, hangUp',
    ],
    [
      'one that comes while people speak: named when nothing is said',
      [...taken, announce, ...tones('D42B'), pause, more('second', '007'), announce],
      'open',
      'queued, 6D42DDDD, 1DDDD42A, acknowledged, speech, 6DD7DDDD',
    ],
    [
      'one that comes just before the clear: named before the answer',
      [...taken, announce, ...tones('D42B'), pause, more('second', '007'), ...clear, announce],
      'open',
      'queued, 6D42DDDD, 1DDDD42A, acknowledged, speech, 6DD7DDDD - DDDDDDDB',
    ],
    [
      'never selected',
      [...taken, more('second', '007'), announce, { type: 'hungUp' }],
      'over',
      'queued, 6D42DDDD - 6DD7DDDD, failed noAnswer, failed noAnswer second',
    ],
    [
      'one selected, one not',
      [...taken, more('second', '007'), announce, ...tones('D42B'), pause, ...tones('#', 2000)],
      'over',
      'queued, 6D42DDDD - 6DD7DDDD, 1DDDD42A, acknowledged, speech, failed noAnswer second, hangUp',
    ],
    [
      'a unit that has no alarm is not answered',
      [...taken, announce, ...tones('D43B'), pause],
      'open',
      'queued, 6D42DDDD, trace',
    ],
    [
      '* alone is listen, once it is no clear',
      [...taken, announce, ...tones('D42B'), pause, ...tones('*', 500), pause, ...tones('C', 500)],
      'open',
      'queued, 6D42DDDD, 1DDDD42A, acknowledged, speech, listen, speak',
    ],
  ])('%s', (_, inputs, phase, seen) => {
    const walked = walk('ttnew', { line: SCHEME, unit: unit('042') }, ...inputs);
    expect(walked).toEqual({ phase, seen: `- ${SCHEME}, ${seen}` });
  });

  const event = {
    controllerId: '1234',
    deviceId: '0042',
    deviceType: codedFrom('deviceType', 'smokeDetector'),
    statusCode: codedFrom('statusCode', 'alarm'),
    systemConfig: codedFrom('systemConfig', 'groupedSupervisorOffDuty'),
    audio: 'duplex',
    priority: 0,
  } as const;

  it('are written as the frame of their controller and a group', () => {
    expect(ttUnitForm(event)).toEqual({
      line: 'D#10281234********000000',
      unit: { callCode: '8', unit: '042', battery: 'good', location: '00' },
    });
    const battery = ttUnitForm({ ...event, statusCode: codedFrom('statusCode', 'lowBattery') });
    expect(battery?.unit).toMatchObject({ callCode: '4', battery: 'low' });
  });

  it.each([
    ['no group', { ...event, systemConfig: codedFrom('systemConfig', 'localUnitAndController') }],
    ['a unit with four digits', { ...event, deviceId: '1042' }],
    ['no unit', { ...event, deviceId: undefined }],
    ['no digits', { ...event, controllerId: 'abc' }],
    ['a state without a call code', { ...event, statusCode: codedFrom('statusCode', 'online') }],
  ])('%s: a single unit, as far as it can be said', (_, other) => {
    expect(ttUnitForm(other as AlarmEvent)).toBeUndefined();
  });

  it('that a scheme has named go on under its frame, symbol for symbol', () => {
    const controller = decodeLine(SCHEME);
    if (!controller.ok) throw new Error('not read');
    const alarm = { callCode: '7', unit: '042', battery: 'low', location: '31' } as const;
    const { event: named, fields, warnings } = groupEvent(controller.value.fields, alarm);
    const check = { policy: 'none', result: 'notChecked' } as const;
    const source = { protocol: 'ttnew', raw: encodeGroupAlarm(alarm), fields, check, warnings };
    expect(ttUnitForm(named, { source })).toEqual({ line: SCHEME.replace(/1(?=0000)/, '7'), unit: alarm });
  });
});

it.each(vectors.tt)('$id goes on symbol for symbol', ({ line }) => {
  const read = ttProtocol('ttnew').read(line);
  const lines = decodeLine(line);
  if (!read.ok || !lines.ok || read.value.event === null) throw new Error('not read');
  const source = {
    protocol: 'ttnew',
    raw: line,
    fields: read.value.fields,
    check: { policy: 'learn', result: 'ok' },
    warnings: [],
  };
  expect(ttForm(read.value.event, { source })).toEqual({ ok: true, value: `D#${lines.value.symbols}00` });
});

describe('a centre that calls the controller of a TT scheme', () => {
  const form: TtForm = { line: SCHEME, unit: unit('042') };
  const placed: TtSendInput = { type: 'timer', timer: 'placed' };
  const called = (...inputs: readonly TtSendInput[]) =>
    walked(ttSending('first', form, TTNEW_PROFILE, true), [start, ...inputs]);

  it.each<[string, TtSendInput[], string, string]>([
    [
      'asks, gets the waiting unit without a frame, and selects it',
      [...tones('DA'), ...tones('DDDA'), announce, ...tones('D42B'), pause],
      'open',
      'DB, queued, 6D42DDDD, 1DDDD42A, acknowledged, speech',
    ],
    [
      'says nothing more after its request',
      [...tones('DA'), placed, announce],
      'open',
      'DB, queued, 6D42DDDD',
    ],
    [
      'selects at once',
      [...tones('DA'), ...tones('D42B'), pause],
      'open',
      'DB, queued, 1DDDD42A, acknowledged, speech',
    ],
    ['asks again', [...tones('DA'), ...tones('DA')], 'alarm', 'DB, DB'],
    ['asks as one that was called', [...tones('DB'), ...tones('DB')], 'open', `- ${SCHEME}, queued`],
    ['says something else', [...tones('DA'), ...tones('123'), pause], 'alarm', 'DB'],
    ['asks nothing', [answer], 'over', 'failed noAnswer, hangUp'],
    [
      'leaves before it has selected',
      [...tones('DA'), ...tones('DDDA'), { type: 'hungUp' }],
      'over',
      'DB, queued, failed noAnswer',
    ],
  ])('and %s', (_, inputs, phase, seen) => {
    expect(called(...inputs)).toEqual({ phase, seen });
  });

  it('is no request of a centre that was called', () => {
    expect(walk('ttnew', form, start, ...tones('DA'), pause, ...tones('DDDA'), pause)).toEqual({
      phase: 'alarm',
      seen: '',
    });
  });

  it('learns the unit by its group alone: no frame was said', () => {
    let state = ttSending('first', form, TTNEW_PROFILE, true);
    const said = [start, ...tones('DA'), ...tones('D42B'), pause].flatMap((input) => {
      const step = stepTtSending(state, input);
      state = step.state;
      return step.effects.flatMap((effect) => ('alarmString' in effect ? [effect.alarmString] : []));
    });
    expect(said).toEqual(['6D42DDDD', '6D42DDDD']);
  });
});
