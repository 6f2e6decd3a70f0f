import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  decodeLine,
  stepTtSending,
  TT92_PROFILE,
  TTNEW_PROFILE,
  type TtSendInput,
  ttForm,
  ttProtocol,
  ttSending,
} from '#appliance/alarm/protocol/tt/index.ts';

const LINE = 'D#1016000012345678000000';
const SCHEME = 'D#202100001234****000000';
const start: TtSendInput = { type: 'start' };
const tones = (line: string, ms = 80): TtSendInput[] =>
  [...line].map((digit) => ({ type: 'heard', tone: { digit, ms } }));
const answer: TtSendInput = { type: 'timer', timer: 'answer' };
const pause: TtSendInput = { type: 'timer', timer: 'interDigit' };

function walk(name: 'tt92' | 'ttnew', line: string, ...inputs: readonly TtSendInput[]) {
  let state = ttSending(line, name === 'tt92' ? TT92_PROFILE : TTNEW_PROFILE);
  const seen: string[] = [];
  for (const input of inputs) {
    const step = stepTtSending(state, input);
    state = step.state;
    for (const effect of step.effects) {
      if (effect.type === 'play')
        seen.push(effect.tones.map((one) => ('digits' in one ? one.digits : '-')).join(' '));
      else if (effect.type === 'failed') seen.push(`failed ${effect.warning}`);
      else if (effect.type === 'command') seen.push(effect.command);
      else if (effect.type !== 'startTimer' && effect.type !== 'stopTimer') seen.push(effect.type);
    }
  }
  return { phase: state.phase, seen: seen.join(', ') };
}

describe('a TT frame on its way', () => {
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
      'a scheme: sent when selected',
      SCHEME,
      [start, ...tones('DB'), ...tones('DB'), ...tones('D42B'), pause],
      'open',
      `- ${SCHEME}, queued, 1DDDD42A, acknowledged, speech`,
    ],
    [
      'ttnew',
      'a scheme: never selected',
      SCHEME,
      [start, ...tones('DB'), ...tones('DB'), { type: 'hungUp' }],
      'over',
      `- ${SCHEME}, queued, failed noAnswer`,
    ],
  ])('%s %s', (name, _what, line, inputs, phase, seen) => {
    expect(walk(name, line, ...inputs)).toEqual({ phase, seen });
  });
});

const file = join(import.meta.dirname, '../../../../vectors/alarm/tt.json');
const { tt } = JSON.parse(readFileSync(file, 'utf8')) as { tt: { id: string; line: string }[] };
it.each(tt)('$id goes on symbol for symbol', ({ line }) => {
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
