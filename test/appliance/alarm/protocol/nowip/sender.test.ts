import { describe, expect, it } from 'vitest';
import {
  decodeAtm,
  encodeAtm,
  NOWIP_PROFILE,
  type NowIpForm,
  type NowIpSendInput,
  nowIpSending,
  stepNowIpSending,
} from '#appliance/alarm/protocol/nowip/index.ts';
import { decodeBs8521 } from '#shared/alarm-event/index.ts';

const alone: NowIpForm = { type: '1', data: '010012345678000001001000' };
const scheme: NowIpForm = { type: '1', data: '110012345678004201907900' };
const start: NowIpSendInput = { type: 'start', wallMs: 0 };
const timer: NowIpSendInput = { type: 'timer', wallMs: 0 };

function said(type: string, data = ''): NowIpSendInput {
  const atm = decodeAtm(encodeAtm({ version: '2', type, data, time: 't', mac: 'm' }));
  if (!atm.ok) throw new Error(atm.error.reason);
  return { type: 'message', wallMs: 0, atm: atm.value };
}
const second = decodeBs8521('110012345678004301000000');
const add: NowIpSendInput = { type: 'add', id: 'b', fields: second.ok ? second.value : ({} as never) };

function walk(form: NowIpForm, ...inputs: readonly NowIpSendInput[]) {
  let state = nowIpSending('a', form, { profile: NOWIP_PROFILE });
  const seen: string[] = [];
  for (const input of inputs) {
    const step = stepNowIpSending(state, input);
    state = step.state;
    for (const effect of step.effects) {
      if (effect.type === 'send') {
        const atm = decodeAtm(effect.xml);
        if (!atm.ok) throw new Error(atm.error.reason);
        seen.push(
          `${atm.value.type}${atm.value.version === '2' ? ' mirrored' : ''} ${atm.value.data}`.trim(),
        );
      } else if (effect.type === 'failed') seen.push(`failed ${effect.id} ${effect.warning}`);
      else if ('id' in effect) seen.push(`${effect.type} ${effect.id}`);
      else if (effect.type === 'command') seen.push(effect.command);
      else if (effect.type === 'startTimer') seen.push(`${effect.ms}`);
      else if (effect.type === 'hangUp') seen.push('hangUp');
    }
  }
  return { phase: state.phase, seen: seen.join(', ') };
}

const SENT = `1 ${alone.data}, 3000`;
const SCHEME = `1 ${scheme.data}, 3000`;
describe('a NOW-IP alarm that is being sent', () => {
  it.each<[string, NowIpForm, NowIpSendInput[], string, string]>([
    ['sent', alone, [start, said('A')], 'open', `${SENT}, acknowledged a, speech a`],
    [
      'three tries',
      alone,
      [start, timer, timer, timer],
      'over',
      `${SENT}, ${SENT}, ${SENT}, failed a noAnswer, hangUp`,
    ],
    ['rejected', alone, [start, said('5')], 'over', `${SENT}, failed a rejected, hangUp`],
    [
      'busy, then sent',
      alone,
      [start, said('6'), timer, said('A')],
      'open',
      `${SENT}, 1000, ${SENT}, acknowledged a, speech a`,
    ],
    [
      'busy three times and once more',
      alone,
      [start, said('6'), timer, said('6'), timer, said('6'), timer, said('6')],
      'over',
      `${SENT}, 1000, ${SENT}, 1000, ${SENT}, 1000, ${SENT}, failed a busy, hangUp`,
    ],
    [
      'heartbeat',
      { type: '0', data: '123456780000' },
      [start, said('A')],
      'over',
      '0 123456780000, 3000, acknowledged a',
    ],
    [
      'heartbeat lost',
      { type: '0', data: '123456780000' },
      [start, { type: 'refused', warning: 'noRoute', reason: 'x' }],
      'over',
      '0 123456780000, 3000, failed a noRoute, hangUp',
    ],
    [
      'commands',
      alone,
      [
        start,
        said('A'),
        said('2', '7'),
        said('2', '38'),
        said('2', '20001'),
        said('2', '20017'),
        said('2', 'D'),
      ],
      'over',
      `${SENT}, acknowledged a, speech a, A mirrored, speak, A mirrored, switchToDuplex, A mirrored, releaseDoorLock1, 5 mirrored 20017, A mirrored, hangUp`,
    ],
    [
      'a scheme: both units selected',
      scheme,
      [
        start,
        said('A'),
        add,
        said('2', '00042'),
        said('2', '9'),
        said('2', '10000'),
        said('2', '00043'),
        said('2', '9'),
        said('2', 'D'),
      ],
      'over',
      `${SCHEME}, queued a, 130000, 7 mirrored 004201907900, acknowledged a, speech a, 7 mirrored 000001, 130000, 7 mirrored 004301000000, 130000, 7 mirrored 004301000000, acknowledged b, speech b, 7 mirrored 000000, 130000, A mirrored, hangUp`,
    ],
    [
      'a scheme: one left',
      scheme,
      [start, said('A'), add, said('2', '00042'), { type: 'hungUp' }],
      'over',
      `${SCHEME}, queued a, 130000, 7 mirrored 004201907900, acknowledged a, speech a, failed b noAnswer`,
    ],
    [
      'a scheme whose centre selects no unit',
      scheme,
      [start, said('A'), add, { type: 'timer', wallMs: 0 }],
      'over',
      `${SCHEME}, queued a, 130000, failed a noAnswer, failed b noAnswer, hangUp`,
    ],
    [
      'a unit that is not awaited',
      scheme,
      [start, said('A'), said('2', '00099')],
      'open',
      `${SCHEME}, queued a, 130000, 7 mirrored 000000000000`,
    ],
  ])('%s', (_name, form, inputs, phase, seen) => {
    expect(walk(form, ...inputs)).toEqual({ phase, seen });
  });
});
