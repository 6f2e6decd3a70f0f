import { describe, expect, it } from 'vitest';
import {
  stepTtSending,
  TT92_COMBINED,
  TT92_PROFILE,
  TTNEW_PROFILE,
  type TtForm,
  type TtProfile,
  type TtSendInput,
  ttSending,
} from '#appliance/alarm/protocol/tt/index.ts';
import { said } from '../tone/call-room.ts';

/* The unit's side of TT92 towards a centre that asks in sequential tones. */

const LINE = 'D#1016000012345678000000';
const start: TtSendInput = { type: 'start' };
const dtmf = (line: string): TtSendInput[] =>
  [...line].map((digit) => ({ type: 'heard', tone: { digit, ms: 80 } }));
const stmf = (line: string): TtSendInput[] =>
  [...line].map((digit) => ({ type: 'heard', tone: { digit, ms: 155, stmf: 'heard' } }));
const timer = (name: 'sequence' | 'answer' | 'announce' | 'interDigit'): TtSendInput => ({
  type: 'timer',
  timer: name,
});
const nothingMore = timer('sequence');
const combined = [...stmf('0'), ...dtmf('0#')];

const speaking = (sequential: TtProfile['sender']['sequential']): TtProfile => ({
  ...TT92_PROFILE,
  sender: { ...TT92_PROFILE.sender, sequential },
});

function walk(profile: TtProfile, inputs: readonly TtSendInput[], form: TtForm = { line: LINE }) {
  let state = ttSending('first', form, profile);
  const seen: string[] = [];
  const timers: (readonly [string, number])[] = [];
  for (const input of [start, ...inputs]) {
    const step = stepTtSending(state, input);
    state = step.state;
    for (const effect of step.effects) {
      if (effect.type === 'play') seen.push(said(effect.tones.filter((one) => !('silenceMs' in one))));
      else if (effect.type === 'startTimer') timers.push([effect.timer, effect.ms]);
      else if (effect.type !== 'stopTimer') seen.push(effect.type);
    }
  }
  return { seen, timers, phase: state.phase };
}
const seen = (sequential: TtProfile['sender']['sequential'], ...inputs: readonly TtSendInput[]) =>
  walk(speaking(sequential), inputs).seen;

const IN_DTMF = LINE;
const IN_STMF = `stmf ${LINE}`;

describe('a frame goes out', () => {
  it.each<[string, TtProfile['sender']['sequential'], TtSendInput[], string[]]>([
    ['in DTMF where the centre asks in DTMF', 'whenAsked', dtmf('0#'), [IN_DTMF]],
    [
      'in sequential tones where it asks in nothing else',
      'whenAsked',
      [...stmf('0'), nothingMore],
      [IN_STMF],
    ],
    ['in DTMF first where it asks in both', 'whenAsked', combined, [IN_DTMF]],
    [
      'by turns where such a centre does not acknowledge it',
      'whenAsked',
      [...combined, ...combined, timer('answer'), timer('answer')],
      [IN_DTMF, IN_STMF, IN_DTMF, IN_STMF],
    ],
    ['always in sequential tones where the profile says so', 'always', dtmf('0#'), [IN_STMF]],
    ['once, not into the rest of the request', 'always', combined, [IN_STMF]],
    [
      'never in them where the profile says so',
      'never',
      [...stmf('0'), nothingMore, ...dtmf('0#')],
      [IN_DTMF],
    ],
  ])('%s', (_, sequential, inputs, expected) => {
    expect(seen(sequential, ...inputs)).toEqual(expected);
  });

  it('is acknowledged in DTMF', () => {
    expect(seen('whenAsked', ...stmf('0'), nothingMore, ...dtmf('B0'))).toEqual([
      IN_STMF,
      'acknowledged',
      'speech',
    ]);
  });

  it('again where it is asked again, four times', () => {
    const asked = [...stmf('0'), nothingMore];
    expect(seen('whenAsked', ...asked, ...asked, ...asked, ...asked, ...asked)).toEqual([
      IN_STMF,
      IN_STMF,
      IN_STMF,
      IN_STMF,
      'failed',
      'hangUp',
    ]);
  });

  it('in the times of the profile, and its acknowledge has the time that it says', () => {
    const times = { rowMs: 140, gapMs: 10, columnMs: 140, digitMs: 300 };
    const { timers } = walk({ ...speaking('always'), stmf: times }, dtmf('0#'));
    expect(timers.at(-1)).toEqual(['answer', 80 + LINE.length * 300 + 2_000]);
    expect(walk(speaking('always'), dtmf('0#')).timers.at(-1)).toEqual([
      'answer',
      80 + LINE.length * 160 + 2_000,
    ]);
  });
});

describe('input without a request', () => {
  it.each([
    ['another digit', stmf('1')],
    ['our own frame that comes back', stmf(LINE.replaceAll('D', '0'))],
    ['half a digit before it', [{ type: 'heard', tone: { digit: '?', ms: 75, stmf: 'half' } }, ...stmf('0')]],
  ] as const)('%s', (_, detected) => {
    expect(seen('whenAsked', ...detected, nothingMore)).toEqual([]);
  });

  it('a voice that sounds so in the call', () => {
    expect(
      seen('whenAsked', ...dtmf('0#'), ...dtmf('B0'), ...stmf('0'), nothingMore, ...dtmf('701')),
    ).toEqual([IN_DTMF, 'acknowledged', 'speech']);
  });

  it('is one string of TTNEW', () => {
    expect(walk(TTNEW_PROFILE, [...stmf('0'), nothingMore]).seen).toEqual([]);
  });
});

it('waits for the rest of a request in DTMF as long as the profile says that it lasts', () => {
  const after = (profile: TtProfile) => walk(profile, stmf('0')).timers.at(-1);
  expect(after(TT92_PROFILE)).toEqual(['sequence', 320 + 250]);
  expect(after({ ...TT92_PROFILE, combined: TT92_COMBINED.slice(0, 1) })).toEqual(['sequence', 250]);
});

describe('the controller of a scheme', () => {
  const form: TtForm = {
    line: 'D#202100001234****000000',
    unit: { callCode: '6', unit: '042', battery: 'good', location: '00' },
  };
  const clear: TtSendInput[] = [
    { type: 'heard', tone: { digit: '*', ms: 500 } },
    { type: 'heard', tone: { digit: '0', ms: 1_000 } },
  ];
  const call = (asked: readonly TtSendInput[]) =>
    walk(
      TT92_PROFILE,
      [...asked, ...dtmf('B0'), timer('announce'), ...dtmf('D42B'), timer('interDigit'), ...clear],
      form,
    ).seen;

  it('names its unit in the tones in which its frame was taken', () => {
    expect(call([...stmf('0'), nothingMore])).toEqual([
      `stmf ${form.line}`,
      'queued',
      'stmf 6D42DDDD',
      'stmf 1DDDD42A',
      'acknowledged',
      'speech',
      'stmf DDDDDDDB',
    ]);
    expect(call(combined)).toEqual([
      form.line,
      'queued',
      '6D42DDDD',
      '1DDDD42A',
      'acknowledged',
      'speech',
      'DDDDDDDB',
    ]);
  });
});
