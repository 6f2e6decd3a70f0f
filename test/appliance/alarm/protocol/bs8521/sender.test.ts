import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  BS8521_PROFILE,
  type Bs8521SendInput,
  bs8521Form,
  bs8521Sending,
  decodeLine,
  encodeLine,
  stepBs8521Sending,
} from '#appliance/alarm/protocol/bs8521/index.ts';
import { bs8521Alarm, decodeBs8521 } from '#shared/alarm-event/index.ts';

const fieldsOf = (digits: string) => {
  const read = decodeBs8521(digits);
  if (!read.ok) throw new Error(read.error.reason);
  return read.value;
};
const ALONE = '010012345678000001001000';
const SCHEME = '110012345678004201907900';
const start: Bs8521SendInput = { type: 'start' };
const tone = (digit: string, ms = 80): Bs8521SendInput => ({ type: 'heard', tone: { digit, ms } });
const request = tone('B', 600);
const ack = tone('B');
const answer: Bs8521SendInput = { type: 'timer', timer: 'answer' };
const quick = (digit: string) => [tone('A', 250), tone(digit)];
const long = (line: string) => [...line].map((digit) => tone(digit));
const add: Bs8521SendInput = { type: 'add', id: 'b', fields: fieldsOf('110012345678004301000000') };

function walk(digits: string, ...inputs: readonly Bs8521SendInput[]) {
  let state = bs8521Sending('a', fieldsOf(digits), BS8521_PROFILE);
  const seen: string[] = [];
  for (const input of inputs) {
    const step = stepBs8521Sending(state, input);
    state = step.state;
    for (const effect of step.effects) {
      if (effect.type === 'play')
        seen.push(
          effect.tones
            .map((one) =>
              'digits' in one
                ? one.digits
                : 'digit' in one
                  ? one.digit
                  : 'hz' in one
                    ? `${one.hz} Hz`
                    : `-${one.silenceMs}`,
            )
            .join(' '),
        );
      else if (effect.type === 'failed') seen.push(`failed ${effect.id} ${effect.warning}`);
      else if ('id' in effect) seen.push(`${effect.type} ${effect.id}`);
      else if (effect.type === 'command') seen.push(effect.command);
      else if (effect.type === 'hangUp') seen.push('hangUp');
      else if (effect.type === 'startTimer' && effect.timer === 'answer') seen.push(`${effect.ms}`);
    }
  }
  return { phase: state.phase, seen: seen.join(', ') };
}

const STRING = `A${ALONE}00#`;
// 28 symbols of 160 ms, and 1600 ms; the pause of 80 ms only after a request.
const FIRST = `-80 ${STRING}, 6160`;
const AGAIN = `${STRING}, 6080`;
describe('a BS 8521 string that is being sent', () => {
  it.each<[string, string, Bs8521SendInput[], string, string]>([
    ['sent', ALONE, [start, request, ack], 'open', `30000, 1850 Hz, ${FIRST}, acknowledged a, speech a`],
    ['no receiver asks', ALONE, [start, answer], 'over', '30000, 1850 Hz, failed a noAnswer, hangUp'],
    ['a short B is no request', ALONE, [start, ack], 'alarm', '30000, 1850 Hz'],
    [
      'four times, then given up',
      ALONE,
      [start, request, answer, request, answer, answer],
      'over',
      `30000, 1850 Hz, ${FIRST}, ${AGAIN}, ${FIRST}, ${AGAIN}, failed a noAnswer, hangUp`,
    ],
    [
      'commands of the centre',
      ALONE,
      [
        start,
        request,
        ack,
        ...quick('7'),
        ...quick('8'),
        ...long('A20002#'),
        ...long('A20017#'),
        ...long('A38#'),
        ...quick('#'),
        ...quick('D'),
      ],
      'over',
      `30000, 1850 Hz, ${FIRST}, acknowledged a, speech a, B, speak, B, listen, A0002#, releaseDoorLock2, A0000#, B, switchToDuplex, B, B, hangUp`,
    ],
    [
      'a scheme: both units selected',
      SCHEME,
      [
        start,
        request,
        add,
        ack,
        ...long('A00042#'),
        ...quick('9'),
        ...long('A10000#'),
        ...long('A00043#'),
        ...quick('9'),
        ...quick('D'),
      ],
      'over',
      `30000, 1850 Hz, -80 A${SCHEME}00#, 6160, queued a, queued b, A004201907900#, acknowledged a, speech a, A000001#, A004301000000#, A004301000000#, acknowledged b, speech b, A000000#, B, hangUp`,
    ],
    [
      'a scheme: the centre hangs up',
      SCHEME,
      [start, request, ack, { type: 'hungUp' }],
      'over',
      `30000, 1850 Hz, -80 A${SCHEME}00#, 6160, queued a, failed a noAnswer`,
    ],
    [
      'a silent centre',
      ALONE,
      [start, request, ack, { type: 'timer', timer: 'loss' }],
      'over',
      `30000, 1850 Hz, ${FIRST}, acknowledged a, speech a, hangUp`,
    ],
  ])('%s', (_name, digits, inputs, phase, seen) => {
    expect(walk(digits, ...inputs)).toEqual({ phase, seen });
  });
});

const file = join(import.meta.dirname, '../../../../vectors/alarm/bs8521.json');
const { bs8521 } = JSON.parse(readFileSync(file, 'utf8')) as { bs8521: { id: string; line: string }[] };
it.each(bs8521)('$id goes on digit for digit', ({ line }) => {
  const read = decodeLine(line);
  if (!read.ok) throw new Error(read.error.reason);
  const source = {
    protocol: 'bs8521',
    raw: line,
    fields: { ...read.value.fields },
    check: { policy: 'learn', result: 'ok' },
    warnings: [],
  };
  const made = bs8521Form(bs8521Alarm(read.value.fields), { source });
  expect(made.ok && encodeLine(made.value).slice(1, 25)).toBe(read.value.digits);
});
