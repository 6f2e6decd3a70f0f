import { describe, expect, it } from 'vitest';
import { Desk, type Found, framed } from './panel.ts';

/*
 * The link with an account, each input in each situation: the frame that is said again, and what becomes of its event.
 */

const frame = (sequence: string, said = 'Nri1/BA12', time = '') =>
  framed(`"SIA-DCS"${sequence}L0#1234[#1234|${said}]${time}`);

const WINDOW = { timeWindowUnencrypted: 'on' } as const;
const OLD = '_13:00:00,09-25-2026';

const INPUTS: Readonly<Record<string, (desk: Desk) => unknown>> = {
  'the same frame': (desk) => desk.send(frame('0001'), 'again'),
  'from elsewhere': (desk) => {
    desk.address = '192.0.2.99';
    return desk.send(frame('0001'), 'elsewhere');
  },
  'another number': (desk) => desk.send(frame('0002'), 'again'),
  'other content': (desk) => desk.send(frame('0001', 'Nri1/FA12'), 'again'),
  'without a number': (desk) => desk.send(frame('0000'), 'again'),
  'a wrong time': (desk) => desk.send(frame('0003', 'Nri1/BA12', OLD), 'again'),
  NULL: (desk) => desk.send(framed('"NULL"0004L0#1234[]'), 'again'),
  'an answer of another': (desk) => desk.send(framed('"ACK"0001L0#1234[]'), 'again'),
  stored: (desk) => desk.of('event').flatMap((one) => desk.settle(one, 'stored')),
  'store failed': (desk) => desk.of('event').flatMap((one) => desk.settle(one, 'storeFailed')),
};

const PATHS: Readonly<Record<string, (desk: Desk) => void>> = {
  new: () => undefined,
  storing: (desk) => void desk.send(frame('0001'), 'first'),
  'storing, late': (desk) => {
    desk.send(frame('0001'), 'first');
    desk.at += 5_001;
  },
  taken: (desk) => {
    desk.disk = 'stores';
    desk.send(frame('0001'), 'first');
    desk.disk = 'waits';
  },
  'taken, the last moment': (desk) => {
    PATHS.taken?.(desk);
    desk.at += 10 * 60_000 - 1;
  },
  'taken, forgotten': (desk) => {
    PATHS.taken?.(desk);
    desk.at += 10 * 60_000;
  },
  'taken, without a number': (desk) => {
    desk.disk = 'stores';
    desk.send(frame('0000'), 'first');
    desk.disk = 'waits';
    desk.at += 59_999;
  },
  'taken, without a number, forgotten': (desk) => {
    PATHS['taken, without a number']?.(desk);
    desk.at += 1;
  },
};

const word = (effect: Found): string => {
  if (effect.type === 'answer') return `${effect.token} to ${(effect.to as string[]).join(' ')}`;
  if (effect.type === 'silence') return `silence to ${(effect.to as string[]).join(' ')}`;
  return effect.type;
};

function cell(situation: string, input: string): string {
  const desk = new Desk();
  desk.disk = 'waits';
  desk.setting = { ...desk.setting, profile: { ...desk.setting.profile, ...WINDOW } };
  PATHS[situation]?.(desk);
  const before = desk.effects.length;
  INPUTS[input]?.(desk);
  const done = desk.effects.slice(before).filter(({ type }) => type !== 'alive' && type !== 'trace');
  return done.map((effect) => word(effect as Found)).join(', ') || 'nothing';
}

/** New in every situation. */
const ALWAYS = {
  'another number': 'event',
  'other content': 'event',
  'a wrong time': 'NAK to again, wrongTime',
  NULL: 'ACK to again',
  'an answer of another': 'nothing',
};
const NEW = { ...ALWAYS, 'the same frame': 'event', 'from elsewhere': 'event', 'without a number': 'event' };
const TAKEN = { ...NEW, 'the same frame': 'ACK to again', stored: 'nothing', 'store failed': 'nothing' };
const TABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  new: { ...NEW, stored: 'nothing', 'store failed': 'nothing' },
  storing: {
    ...NEW,
    'the same frame': 'nothing',
    stored: 'ACK to first',
    'store failed': 'silence to first',
  },
  'storing, late': {
    ...NEW,
    'the same frame': 'nothing',
    stored: 'silence to first',
    'store failed': 'silence to first',
  },
  taken: TAKEN,
  'taken, the last moment': TAKEN,
  'taken, forgotten': { ...NEW, stored: 'nothing', 'store failed': 'nothing' },
  'taken, without a number': { ...TAKEN, 'the same frame': 'event', 'without a number': 'ACK to again' },
  'taken, without a number, forgotten': { ...NEW, stored: 'nothing', 'store failed': 'nothing' },
};

describe('the link with a panel', () => {
  it.each(Object.keys(PATHS))('%s: each input has its answer', (situation) => {
    const walked = Object.fromEntries(Object.keys(INPUTS).map((input) => [input, cell(situation, input)]));
    expect(walked).toEqual(TABLE[situation]);
  });
});
