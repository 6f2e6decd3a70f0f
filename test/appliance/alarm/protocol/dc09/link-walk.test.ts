import { describe, expect, it } from 'vitest';
import { type Found, framed, TestReceiver } from './panel.ts';

/*
 * The link with an account, each input in each situation: the frame that is said again, and what becomes of its event.
 */

const frame = (sequence: string, said = 'Nri1/BA12', time = '') =>
  framed(`"SIA-DCS"${sequence}L0#1234[#1234|${said}]${time}`);

const WINDOW = { timeWindowUnencrypted: 'on' } as const;
const OLD = '_13:00:00,09-25-2026';

const INPUTS: Readonly<Record<string, (receiver: TestReceiver) => unknown>> = {
  'the same frame': (receiver) => receiver.send(frame('0001'), 'again'),
  'from elsewhere': (receiver) => {
    receiver.address = '192.0.2.99';
    return receiver.send(frame('0001'), 'elsewhere');
  },
  'another number': (receiver) => receiver.send(frame('0002'), 'again'),
  'other content': (receiver) => receiver.send(frame('0001', 'Nri1/FA12'), 'again'),
  'without a number': (receiver) => receiver.send(frame('0000'), 'again'),
  'a wrong time': (receiver) => receiver.send(frame('0003', 'Nri1/BA12', OLD), 'again'),
  NULL: (receiver) => receiver.send(framed('"NULL"0004L0#1234[]'), 'again'),
  'an answer of another': (receiver) => receiver.send(framed('"ACK"0001L0#1234[]'), 'again'),
  stored: (receiver) => receiver.of('event').flatMap((one) => receiver.settle(one, 'stored')),
  'store failed': (receiver) => receiver.of('event').flatMap((one) => receiver.settle(one, 'storeFailed')),
};

const PATHS: Readonly<Record<string, (receiver: TestReceiver) => void>> = {
  new: () => undefined,
  storing: (receiver) => void receiver.send(frame('0001'), 'first'),
  'storing, late': (receiver) => {
    receiver.send(frame('0001'), 'first');
    receiver.at += 5_001;
  },
  taken: (receiver) => {
    receiver.disk = 'stores';
    receiver.send(frame('0001'), 'first');
    receiver.disk = 'waits';
  },
  'taken, the last moment': (receiver) => {
    PATHS.taken?.(receiver);
    receiver.at += 10 * 60_000 - 1;
  },
  'taken, forgotten': (receiver) => {
    PATHS.taken?.(receiver);
    receiver.at += 10 * 60_000;
  },
  'taken, without a number': (receiver) => {
    receiver.disk = 'stores';
    receiver.send(frame('0000'), 'first');
    receiver.disk = 'waits';
    receiver.at += 59_999;
  },
  'taken, without a number, forgotten': (receiver) => {
    PATHS['taken, without a number']?.(receiver);
    receiver.at += 1;
  },
};

const word = (effect: Found): string => {
  if (effect.type === 'answer') return `${effect.token} to ${(effect.to as string[]).join(' ')}`;
  if (effect.type === 'silence') return `silence to ${(effect.to as string[]).join(' ')}`;
  return effect.type;
};

function cell(situation: string, input: string): string {
  const receiver = new TestReceiver();
  receiver.disk = 'waits';
  receiver.setting = { ...receiver.setting, profile: { ...receiver.setting.profile, ...WINDOW } };
  PATHS[situation]?.(receiver);
  const before = receiver.effects.length;
  INPUTS[input]?.(receiver);
  const done = receiver.effects.slice(before).filter(({ type }) => type !== 'alive' && type !== 'trace');
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
