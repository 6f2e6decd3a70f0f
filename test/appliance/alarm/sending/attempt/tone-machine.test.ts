import { describe, expect, test } from 'vitest';
import { BS8521_PROFILE, encodeLine } from '#appliance/alarm/protocol/bs8521/index.ts';
import { TT92_PROFILE, type TtForm, type TtProfile } from '#appliance/alarm/protocol/tt/index.ts';
import {
  bs8521Machine,
  type SenderChange,
  type ToneCallKind,
  type ToneMachine,
  type ToneSendEffect,
  type ToneSendTimer,
  ttMachine,
} from '#appliance/alarm/sending/attempt/tone-machine.ts';
import type { NativeForm } from '#appliance/alarm/sending/order/native-form.ts';
import { decodeBs8521 } from '#shared/alarm-event/index.ts';

const fieldsOf = (digits: string) => {
  const read = decodeBs8521(digits);
  if (!read.ok) throw new Error(read.error.reason);
  return read.value;
};
const bs8521Form = (digits: string) => ({ kind: 'bs8521', fields: fieldsOf(digits) }) as NativeForm;
const ALONE = '010012345678000001001000';
const SCHEME = '110012345678001301000000';
const OF_SCHEME = '110012345678004301000000';
const OTHER_SCHEME = '110099999999004301000000';

const unit = (number: string) => ({ callCode: '6', unit: number, battery: 'good', location: '00' }) as const;
const TT_ALONE: TtForm = { line: 'D#1016000012345678000000' };
const TT_SCHEME: TtForm = { line: 'D#202100001234****000000', unit: unit('001') };
const ttForm = (form: TtForm) => ({ kind: 'tt', form }) as NativeForm;

const bs8521 = (digits: string, kind: ToneCallKind = 'ours', change: SenderChange = {}): ToneMachine =>
  bs8521Machine('a', fieldsOf(digits), BS8521_PROFILE, change, kind);
const tt = (
  form: TtForm,
  kind: ToneCallKind = 'ours',
  profile: TtProfile = TT92_PROFILE,
  change: SenderChange = {},
): ToneMachine => ttMachine('a', form, profile, change, kind);

/** The effects in short; timers only where they are asked for. */
const shown = (effects: readonly ToneSendEffect[]): string[] =>
  effects.flatMap((effect) => {
    if (effect.type === 'startTimer' || effect.type === 'stopTimer' || effect.type === 'trace') return [];
    if (effect.type === 'play')
      return [`play ${effect.tones.map((one) => ('digits' in one ? one.digits : '-')).join(' ')}`];
    return ['id' in effect ? `${effect.type} ${effect.id}` : effect.type];
  });
const hears = (machine: ToneMachine, digits: string, ms: number): string[] =>
  [...digits].flatMap((digit) => shown(machine.step({ type: 'heard', tone: { digit, ms } })));

const TIMERS: readonly ToneSendTimer[] = [
  'enquiry',
  'answer',
  'interDigit',
  'loss',
  'identity',
  'announce',
  'placed',
  'sequence',
];
const FOREIGN = { bs8521: ['announce', 'placed', 'sequence'], tt: ['loss', 'identity'] };

describe('a timer of the other protocol', () => {
  test.each(['ours', 'called', 'idle'] as const)('changes nothing in a call that is %s', (kind) => {
    for (const [machine, foreign] of [
      [bs8521(SCHEME, kind), FOREIGN.bs8521],
      [tt(TT_SCHEME, kind), FOREIGN.tt],
    ] as const) {
      machine.step({ type: 'start' });
      for (const timer of TIMERS.filter((one) => foreign.includes(one)))
        expect(machine.step({ type: 'timer', timer })).toEqual([]);
    }
  });

  test.each([
    ['BS 8521', bs8521(ALONE), 'B', 600, ALONE],
    ['TT', tt(TT_ALONE), '0#', 80, TT_ALONE.line],
  ])('its own one says the string again: %s', (_name, machine, request, ms, line) => {
    machine.step({ type: 'start' });
    hears(machine, request, ms);
    expect(shown(machine.step({ type: 'timer', timer: 'answer' })).join(' ')).toContain(line);
  });
});

describe('another event', () => {
  test.each<[string, ToneMachine, NativeForm, string | undefined]>([
    ['of the scheme joins the call', bs8521(SCHEME), bs8521Form(OF_SCHEME), encodeLine(fieldsOf(OF_SCHEME))],
    ['of another controller does not', bs8521(SCHEME), bs8521Form(OTHER_SCHEME), undefined],
    ['of a single unit does not', bs8521(SCHEME), bs8521Form(ALONE), undefined],
    ['joins no call of a single unit', bs8521(ALONE), bs8521Form(OF_SCHEME), undefined],
    ['of another protocol does not', bs8521(SCHEME), ttForm(TT_SCHEME), undefined],
    [
      'of a TT scheme joins the call',
      tt(TT_SCHEME),
      ttForm({ line: TT_SCHEME.line, unit: unit('002') }),
      'D#202100001234****000000',
    ],
    [
      'of another TT controller does not',
      tt(TT_SCHEME),
      ttForm({ line: 'D#202100009999****000000', unit: unit('002') }),
      undefined,
    ],
    ['of a single TT unit does not', tt(TT_SCHEME), ttForm({ line: TT_SCHEME.line }), undefined],
    ['joins no call of a single TT unit', tt(TT_ALONE), ttForm(TT_SCHEME), undefined],
    ['of BS 8521 joins no call of TT', tt(TT_SCHEME), bs8521Form(OF_SCHEME), undefined],
  ])('%s', (_name, machine, form, alarmString) => {
    machine.step({ type: 'start' });
    const added = machine.add('b', form);
    if (alarmString === undefined) expect(added).toBeUndefined();
    else expect(added?.alarmString.startsWith(alarmString)).toBe(true);
  });
});

describe('the string of an alarm', () => {
  test('goes out when the centre asks, and its acknowledge is passed on', () => {
    const machine = bs8521(ALONE);
    machine.step({ type: 'start' });
    expect(hears(machine, 'B', 600)[0]).toContain(ALONE);
    expect(hears(machine, 'B', 80)).toContain('acknowledged a');
  });

  test.each<[string, TtProfile['sentCheck'], string]>([
    ['as it came without a method', undefined, TT_ALONE.line],
    ['with two symbols that are fixed', { method: 'none', fixed: '77' } as never, 'D#1016000012345678000077'],
  ])('carries its check digits %s in TT', (_name, sentCheck, line) => {
    const machine = tt(TT_ALONE, 'ours', { ...TT92_PROFILE, ...(sentCheck && { sentCheck }) });
    machine.step({ type: 'start' });
    expect(hears(machine, '0#', 80).join(' ')).toContain(line);
  });

  test.each([
    ['BS 8521', (change: SenderChange) => bs8521(ALONE, 'ours', change)],
    ['TT', (change: SenderChange) => tt(TT_ALONE, 'ours', TT92_PROFILE, change)],
  ])('waits for its acknowledge as long as the request says: %s', (name, machineOf) => {
    const waits = (change: SenderChange): number[] => {
      const machine = machineOf(change);
      machine.step({ type: 'start' });
      const request = name === 'TT' ? '0#' : 'B';
      return [...request]
        .flatMap((digit) => machine.step({ type: 'heard', tone: { digit, ms: name === 'TT' ? 80 : 600 } }))
        .flatMap((effect) => (effect.type === 'startTimer' && effect.timer === 'answer' ? [effect.ms] : []));
    };
    const [usual = 0] = waits({});
    const [changed = 0] = waits({ ackWaitMs: 60_000 });
    expect(changed).toBeGreaterThan(usual);
  });
});

describe('sequential tones', () => {
  test.each<[string, ToneMachine, boolean]>([
    ['TT listens for them where its profile does', tt(TT_ALONE), true],
    ['TT does not in a call of the centre', tt(TT_SCHEME, 'called'), false],
    ['BS 8521 never', bs8521(ALONE), false],
  ])('%s', (_name, machine, listens) => {
    expect(machine.stmf !== undefined).toBe(listens);
  });
});
