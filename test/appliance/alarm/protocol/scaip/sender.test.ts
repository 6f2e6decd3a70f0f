import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  alarmEventOf,
  commandOfTone,
  controlTone,
  decodeRequest,
  encodeRequest,
  SCAIP_PROFILE,
  type ScaipResponse,
  type ScaipSendInput,
  scaipForm,
  scaipSending,
  sourceEventOf,
  stepScaipSending,
} from '#appliance/alarm/protocol/scaip/index.ts';

const form = { ref: '42', cid: '123456', dty: '0004', stc: '0010' };
const start: ScaipSendInput = { type: 'start', at: 0 };
const arrived: ScaipSendInput = { type: 'sipAnswer', at: 0, status: 200 };
const timer = (at = 0): ScaipSendInput => ({ type: 'timer', at });
const sip = (status: number): ScaipSendInput => ({ type: 'sipAnswer', at: 0, status });
const answer = (rest: Partial<ScaipResponse>, at = 0): ScaipSendInput => ({
  type: 'answer',
  at,
  response: { ref: '42', snu: 0, mre: 0, cre: 61, ...rest },
});
const began: ScaipSendInput = { type: 'voiceBegan', at: 0 };

function walk(inputs: readonly ScaipSendInput[], defaultVoiceDestination?: string) {
  let state = scaipSending(form, {
    sender: SCAIP_PROFILE.sender,
    ...(defaultVoiceDestination !== undefined && { defaultVoiceDestination }),
  });
  const seen: string[] = [];
  for (const input of inputs) {
    const step = stepScaipSending(state, input);
    state = step.state;
    for (const effect of step.effects) {
      if (effect.type === 'failed') seen.push(`failed ${effect.warning} ${effect.onward}`);
      else if (effect.type === 'startTimer') seen.push(`${effect.ms}`);
      else if (effect.type === 'send') seen.push('send');
      else if (effect.type === 'call') seen.push(`call ${effect.destination} ${effect.direction}`);
      else if (effect.type === 'awaitCall') seen.push(`await ${effect.minutes} ${effect.direction}`);
      else if (effect.type === 'acknowledged' || effect.type === 'done') seen.push(effect.type);
    }
  }
  return { phase: state.phase, seen: seen.join(', ') };
}

const WALKS: readonly [string, readonly ScaipSendInput[], string, string][] = [
  ['sent', [start, arrived, answer({})], 'over', 'send, 5000, 10000, acknowledged, done'],
  ['answer in the 200 first', [start, answer({}), arrived], 'over', 'send, 5000, acknowledged, done'],
  ['another reference', [start, arrived, answer({ ref: '41' })], 'sending', 'send, 5000, 10000'],
  [
    'three tries',
    [start, timer(), timer(), timer()],
    'over',
    'send, 5000, send, 5000, send, 5000, failed noAnswer alternate',
  ],
  ['no password, or a wrong one', [start, sip(401)], 'over', 'send, 5000, failed authFailed alternate'],
  ['503', [start, sip(503)], 'over', 'send, 5000, failed busy alternate'],
  ['408', [start, sip(408)], 'over', 'send, 5000, failed noAnswer alternate'],
  ['404', [start, sip(404)], 'over', 'send, 5000, failed noRoute alternate'],
  ['snu 5', [start, arrived, answer({ snu: 5 })], 'over', 'send, 5000, 10000, failed rejected alternate'],
  ['snu 6', [start, arrived, answer({ snu: 6 })], 'over', 'send, 5000, 10000, failed busy alternate'],
  ...[1, 2, 3, 7, 10, 99].map(
    (snu) =>
      [
        `snu ${snu}`,
        [start, arrived, answer({ snu })],
        'over',
        'send, 5000, 10000, failed protocolError once',
      ] as [string, readonly ScaipSendInput[], string, string],
  ),
  [
    'hold',
    [start, answer({ snu: 4 }), timer(10_000), answer({}, 10_100)],
    'over',
    'send, 5000, 10000, send, 5000, acknowledged, done',
  ],
  [
    'hold limit',
    [start, answer({ snu: 4 }), timer(10_000), answer({ snu: 4 }, 11_000), timer(600_000)],
    'over',
    'send, 5000, 10000, send, 5000, 10000, failed timeout alternate',
  ],
  [
    'cre 62',
    [start, answer({ mre: 1, cre: 62, tnu: ['sip:9@arc'] }), began],
    'over',
    'send, 5000, acknowledged, call sip:9@arc duplex, 60000, done',
  ],
  [
    'cre 61',
    [start, answer({ mre: 2, cre: 61 }), timer()],
    'over',
    'send, 5000, acknowledged, call +46 listen, 60000, done',
  ],
  [
    'a bare tnu',
    [start, answer({ mre: 1, cre: 62, tnu: ['sip:'] })],
    'calling',
    'send, 5000, acknowledged, call +46 duplex, 60000',
  ],
  [
    'cre 5',
    [start, answer({ mre: 3, cre: 5 }), began],
    'over',
    'send, 5000, acknowledged, await 5 speak, 300000, done',
  ],
  ['out of turn', [began, answer({}), timer(), arrived], 'idle', ''],
];

describe('a SCAIP request that is being sent', () => {
  it.each(WALKS)('%s', (_name, inputs, phase, seen) => {
    expect(walk(inputs, '+46')).toEqual({ phase, seen });
  });

  it('is acknowledged even when there is no person to call', () => {
    expect(walk([start, answer({ mre: 1, cre: 61 })])).toEqual({
      phase: 'over',
      seen: 'send, 5000, acknowledged, done',
    });
  });

  it('keeps its reference and its text over every try', () => {
    let state = scaipSending(form, { sender: SCAIP_PROFILE.sender });
    const sent = [start, timer(), answer({ snu: 4 }), timer(1)].flatMap((input) => {
      const step = stepScaipSending(state, input);
      state = step.state;
      return step.effects.flatMap((effect) => (effect.type === 'send' ? [effect.xml] : []));
    });
    expect(sent).toEqual([encodeRequest(form), encodeRequest(form), encodeRequest(form)]);
  });

  it('obeys hbi only when it has allowed it', () => {
    const setting = { sender: SCAIP_PROFILE.sender };
    const minutes = (hbo?: string) => {
      const sending = stepScaipSending(scaipSending({ ...form, ...(hbo && { hbo }) }, setting), start).state;
      return stepScaipSending(sending, answer({ heartbeatMinutes: 15 })).effects;
    };
    expect(minutes('001')).toContainEqual(expect.objectContaining({ heartbeatMinutes: 15 }));
    expect(minutes()).not.toContainEqual(expect.objectContaining({ heartbeatMinutes: 15 }));
  });
});

it('a control tone means the command it was made of', () => {
  for (const command of [
    'clearDown',
    'volumeDown',
    'volumeUp',
    'switchToDuplex',
    'listen',
    'speak',
  ] as const) {
    const tone = controlTone(command, SCAIP_PROFILE);
    expect(tone.ok && commandOfTone(tone.value.digits)).toBe(command);
  }
  expect(commandOfTone('5')).toBeUndefined();
});

interface Vector {
  readonly id: string;
  readonly request?: string;
  readonly alarmEvent?: unknown;
}
const file = join(import.meta.dirname, '../../../../vectors/alarm/scaip.json');
const vectors = (JSON.parse(readFileSync(file, 'utf8')) as { scaip: Vector[] }).scaip.filter(
  ({ request, alarmEvent }) => request !== undefined && alarmEvent != null,
);

describe('SCAIP vectors, sent on', () => {
  it('are enough to mean something', () => expect(vectors.length).toBeGreaterThan(5));
  it.each(vectors)('$id keeps its codes', ({ request = '' }) => {
    const read = decodeRequest(request);
    if (!read.ok) throw new Error(read.error.reason);
    const source = sourceEventOf(read.value, { policy: 'off', result: 'notChecked' });
    const event = alarmEventOf(read.value);
    const made = scaipForm(event, { ref: read.value.ref, source });
    if (!made.ok) throw new Error(made.error.reason);
    const again = decodeRequest(encodeRequest(made.value));
    if (!again.ok) throw new Error(again.error.reason);
    const codes = ({ dty, stc = '0010', lco = '', dco = '' }: typeof read.value) =>
      [dty, stc, lco, dco].map(Number);
    expect(codes(again.value)).toEqual(codes(read.value));
    expect(again.value).toMatchObject({
      ref: read.value.ref,
      cid: read.value.cid,
      messageType: read.value.messageType,
      systemConfig: read.value.systemConfig,
      priority: read.value.priority,
    });
    expect(alarmEventOf(again.value).audio).toBe(event.audio);
  });
});
