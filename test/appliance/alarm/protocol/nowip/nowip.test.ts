import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  answerWaitMs,
  commandFor,
  decodeAtm,
  decodeCommand,
  decodeProgram,
  encodeAtm,
  encodeCommand,
  initial,
  meaningOf,
  NOWIP_PROFILE,
  type NowIpCommand,
  type NowIpEffect,
  type NowIpInput,
  step,
} from '#appliance/alarm/protocol/nowip/index.ts';
import { DEVICE_COMMANDS, receivedForm } from '#shared/alarm-event/index.ts';
import { rounds } from '#test/support/vitest/rounds.ts';
import { brokenForms, slowOnes } from '../mutate.ts';

interface Vectors {
  readonly nowip: {
    readonly id: string;
    readonly type: string;
    readonly data: string;
    readonly meaning: string;
    readonly alarmEvent?: unknown;
    readonly answer?: { readonly type: string };
  }[];
  readonly nowipBody: { readonly id: string; readonly xml: string; readonly answer: string }[];
}
const file = join(import.meta.dirname, '../../../../vectors/alarm/nowip.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors;
const ALARM = '110012345678004201907900';
const NOW = Date.parse('2026-09-25T14:12:05.678Z');

const xmlOf = (type: string, data: string) =>
  encodeAtm({ version: '1', type, data, time: '2026-09-25T14:12:04Z', mac: '00:11:22:33:44:55' });

function read(xml: string) {
  const atm = decodeAtm(xml);
  if (!atm.ok) throw new Error(atm.error.reason);
  return atm.value;
}

/** The messages of one controller, with a disk that obeys. */
class TestReceiver {
  state = initial(NOWIP_PROFILE);
  at = 0;
  disk: 'stores' | 'fails' | 'waits' = 'stores';
  readonly effects: NowIpEffect[] = [];

  send(xml: string, call?: string, to = 'w'): string[] {
    const before = this.effects.length;
    this.input({
      type: 'message',
      at: this.at,
      wallMs: NOW,
      to,
      atm: read(xml),
      ...(call !== undefined && { call }),
    });
    return this.effects.slice(before).flatMap((one) => (one.type === 'answer' ? [one.xml] : []));
  }

  input(input: NowIpInput): void {
    const { state, effects } = step(this.state, input);
    this.state = state;
    for (const effect of effects) {
      this.effects.push(effect);
      if (effect.type !== 'event' || this.disk === 'waits') continue;
      const { message } = effect;
      if (this.disk === 'stores') this.input({ type: 'stored', at: this.at, wallMs: NOW, message });
      else this.input({ type: 'storeFailed', at: this.at, message });
    }
  }

  of<T extends NowIpEffect['type']>(type: T): Extract<NowIpEffect, { type: T }>[] {
    return this.effects.filter((one): one is Extract<NowIpEffect, { type: T }> => one.type === type);
  }
}

/** The content of a message, in the words of the vectors. */
function wordsOf(type: string, data: string): string {
  const meaning = meaningOf(read(xmlOf(type, data)));
  if (!meaning.ok) return meaning.error.reason;
  const said = meaning.value;
  if (said.kind === 'heartbeat') return `heartbeat, controller ${said.controllerId}, unit ${said.unitId}`;
  if (said.kind === 'acknowledge') return 'acknowledge where an empty element is not accepted';
  if (said.kind !== 'command') return said.kind;
  const { command } = said;
  if (command.kind === 'selectUnit') return `select unit ${command.unitId}`;
  if (command.kind === 'nextOutstanding') return 'next waiting call';
  if (command.kind === 'output' && command.control === '01') return 'open door 1';
  if (command.kind === 'speech' && command.setting === '8') return 'duplex';
  return command.kind === 'clearDown' ? 'clear down' : command.kind;
}

describe('NOW-IP vectors', () => {
  it('are all here', () => {
    expect([vectors.nowip.length, vectors.nowipBody.length]).toEqual([8, 1]);
  });

  it.each(vectors.nowip)('$id $meaning', ({ type, data, meaning, alarmEvent, answer }) => {
    expect(wordsOf(type, data)).toBe(meaning);
    if (alarmEvent === undefined) return;
    const receiver = new TestReceiver();
    const [xml = ''] = receiver.send(xmlOf(type, data));
    const [event] = receiver.of('event');
    expect(event && receivedForm(event.event)).toEqual(alarmEvent);
    expect(read(xml).type).toBe(answer?.type);
  });

  it.each(vectors.nowipBody)('$id', ({ xml, answer }) => {
    const receiver = new TestReceiver();
    expect(receiver.send(xml)).toEqual([answer.replace('…', '2026-09-25T14:12:05Z')]);
    expect(receiver.of('event')[0]?.source).toMatchObject({
      raw: xml,
      fields: { controllerId: '12345678', unitId: '0042', event: '019', mac: '00:11:22:33:44:55' },
    });
    const { raw: _, warnings, ...form } = read(xml);
    expect(warnings).toEqual([]);
    expect(encodeAtm(form)).toBe(xml);
  });
});

describe('reading', () => {
  it('matches names without case and takes an empty element for a full stop', () => {
    const atm = read('<atm><Type>a</Type><DATA></DATA><wgs>57.7,11.9</wgs><other>1</other></atm>');
    expect(atm).toMatchObject({ type: 'A', data: '', version: '', mac: '', wgs: '57.7,11.9' });
    expect(encodeAtm({ ...atm, version: '1', time: 't', mac: 'm' })).toContain('<data>.</data>');
  });

  it('does not take the elements of another protocol for an alarm', () => {
    expect(decodeAtm('<order><type>1</type><data>20</data></order>').ok).toBe(false);
    expect(decodeAtm('<order><type>1</type><data>20</data>').ok).toBe(false);
  });

  it('acknowledges nothing by a type that is said twice', () => {
    expect(decodeAtm('<ATM><type>A</type><type>5</type><data>.</data></ATM>').ok).toBe(false);
  });

  it.each([
    ['another root', '<mrq><type>1</type></mrq>'],
    ['no type', '<ATM><data>1</data></ATM>'],
    ['a long type', '<ATM><type>11</type></ATM>'],
    ['too much data of a command', `<ATM><type>8</type><data>${'1'.repeat(600)}</data></ATM>`],
    ['a document type', `<!DOCTYPE a>${xmlOf('1', ALARM)}`],
    ['no XML', 'ATM'],
  ])('%s is malformed', (_, xml) => {
    expect(decodeAtm(xml).ok).toBe(false);
  });

  it.each([
    ['0', '1234', 'a heartbeat is not controller and unit'],
    ['1', ALARM.slice(1), 'not 24 digits'],
    ['2', '4711', 'no command'],
    ['8', '400123005abc', 'no parameter'],
    ['Z', '', 'type Z is not known'],
    ['5', '.', 'rejected'],
    ['6', '.', 'busy'],
  ])('type %s with %s: %s', (type, data, said) => {
    expect(wordsOf(type, data)).toBe(said);
  });

  it('hears answers and failures of commands', () => {
    expect(meaningOf(read(xmlOf('7', '000003')))).toMatchObject({
      value: { kind: 'response', digits: '000003' },
    });
    expect(meaningOf(read(xmlOf('7', '99999')))).toMatchObject({ value: { kind: 'response', digits: null } });
  });
});

describe('commands', () => {
  it.each<[NowIpCommand, string, number]>([
    [{ kind: 'speak' }, '7', 3000],
    [{ kind: 'listen' }, '8', 3000],
    [{ kind: 'clear' }, '9', 3000],
    [{ kind: 'clearDown' }, 'D', 3000],
    [{ kind: 'selectUnit', unitId: '0042' }, '00042', 2000],
    [{ kind: 'nextOutstanding' }, '10000', 5000],
    [{ kind: 'nextOutstanding', unitId: '0007' }, '10007', 5000],
    [{ kind: 'output', control: '03' }, '20003', 3000],
    [{ kind: 'speech', setting: '8' }, '38', 3000],
    [{ kind: 'programmingMode', code: '1234' }, 'C1234', 3000],
    [{ kind: 'setParameter', parameter: '018', value: '12 4' }, '40001800412 4', 1000],
    [{ kind: 'readParameter', parameter: '018' }, '500018', 1000],
  ])('%o is %s', (command, data, waitMs) => {
    const encoded = encodeCommand(command);
    expect(encoded.data).toBe(data);
    const decoded = encoded.type === '8' ? decodeProgram(data) : decodeCommand(data);
    expect(decoded).toEqual({ ok: true, value: command });
    expect(answerWaitMs(command, NOWIP_PROFILE)).toBe(waitMs);
  });

  it('say every device command of the API but those that need none', () => {
    expect(DEVICE_COMMANDS.filter((command) => !commandFor(command).ok)).toEqual(['sendTones']);
    // The call lives without one.
    expect(commandFor('keepAlive')).toEqual({ ok: true, value: undefined });
    expect(commandFor('keepAlive', { keepAlive: '0' })).toMatchObject({
      value: { kind: 'given', data: '0' },
    });
  });
});

describe('receiver', () => {
  it.each(['110012345678004201907900', '1x'])(
    'says nothing to a controller that waits no more, and acknowledges what it repeats without an event: %s',
    (data) => {
      const receiver = new TestReceiver();
      receiver.disk = 'waits';
      const settle = () =>
        receiver.input({
          type: 'stored',
          at: receiver.at,
          wallMs: NOW,
          message: receiver.of('event')[0]?.message ?? '',
        });
      receiver.send(xmlOf('1', data));
      receiver.at = 3_001;
      settle();
      expect(receiver.of('answer')).toEqual([]);
      expect(receiver.of('silence')).toMatchObject([{ to: ['w'] }]);
      expect(receiver.send(xmlOf('1', data))).toHaveLength(1);
      expect(receiver.of('event')).toHaveLength(1);
    },
  );

  it('answers only who still waits', () => {
    const receiver = new TestReceiver();
    receiver.disk = 'waits';
    receiver.send(xmlOf('1', ALARM), 'c', 'gone');
    receiver.at = 3_001;
    receiver.send(xmlOf('1', ALARM), 'c', 'again');
    receiver.at = 6_001;
    receiver.input({
      type: 'stored',
      at: receiver.at,
      wallMs: NOW,
      message: receiver.of('event')[0]?.message ?? '',
    });
    expect(receiver.of('answer')).toMatchObject([{ to: ['again'] }]);
  });

  it('stores before it acknowledges, and answers everyone who asked', () => {
    const receiver = new TestReceiver();
    receiver.disk = 'waits';
    expect(receiver.send(xmlOf('1', ALARM), 'c', 'a')).toEqual([]);
    expect(receiver.send(xmlOf('1', ALARM), 'c', 'b')).toEqual([]);
    const message = receiver.of('event')[0]?.message ?? '';
    receiver.input({ type: 'stored', at: 1, wallMs: NOW, message });
    receiver.input({ type: 'stored', at: 1, wallMs: NOW, message });
    expect(receiver.of('answer')).toMatchObject([{ to: ['a', 'b'] }]);
    expect(receiver.of('event')).toHaveLength(1);
  });

  it('stays silent when the disk fails, and hears the repeat as new', () => {
    const receiver = new TestReceiver();
    receiver.disk = 'fails';
    expect(receiver.send(xmlOf('1', ALARM))).toEqual([]);
    expect(receiver.of('silence')).toHaveLength(1);
    receiver.disk = 'stores';
    expect(receiver.send(xmlOf('1', ALARM))).toHaveLength(1);
    expect(receiver.of('event')).toHaveLength(2);
  });

  it('hears the same message of a call once in two minutes, of another call at once', () => {
    const receiver = new TestReceiver();
    receiver.send(xmlOf('1', ALARM), 'c1');
    expect(receiver.send(xmlOf('1', ALARM), 'c1')).toHaveLength(1);
    expect(receiver.of('event')).toHaveLength(1);
    receiver.send(xmlOf('1', ALARM), 'c2');
    expect(receiver.of('event')).toHaveLength(2);
    receiver.at = 120_000;
    receiver.send(xmlOf('1', ALARM), 'c2');
    expect(receiver.of('event')).toHaveLength(3);
    expect(receiver.of('answer')).toHaveLength(4);
  });

  it('knows a message again that came before its call', () => {
    const receiver = new TestReceiver();
    receiver.send(xmlOf('1', ALARM));
    receiver.send(xmlOf('1', ALARM), 'c1');
    expect(receiver.of('event')).toHaveLength(1);
    receiver.send(xmlOf('1', ALARM), 'c2');
    expect(receiver.of('event')).toHaveLength(2);
  });

  it('takes a message without a call for a repeat until its alarm has had one, then for a new alarm', () => {
    const receiver = new TestReceiver();
    const called = (call: string | null) =>
      receiver.input({ type: 'called', at: 0, message: receiver.of('event').at(-1)?.message ?? '', call });
    receiver.send(xmlOf('1', ALARM));
    called(null);
    expect(receiver.send(xmlOf('1', ALARM))).toHaveLength(1);
    expect([receiver.of('event').length, receiver.of('again').length]).toEqual([1, 1]);
    // Its session is over without a call: this one is another alarm's.
    receiver.send(xmlOf('1', ALARM), 'c1');
    expect(receiver.of('event')).toHaveLength(2);
    receiver.send(xmlOf('1', ALARM), 'c1');
    expect([receiver.of('event').length, receiver.of('again').length]).toEqual([2, 2]);
    // Nor is that call there any more.
    receiver.send(xmlOf('1', ALARM));
    receiver.send(xmlOf('1', ALARM));
    expect(receiver.of('event').map(({ message }) => message)).toEqual([
      `1:${ALARM}:`,
      `1:${ALARM}:c1`,
      `1:${ALARM}:after c1`,
    ]);
    called('c2');
    receiver.send(xmlOf('1', ALARM), 'c2');
    expect([receiver.of('event').length, receiver.of('again').length, receiver.of('answer').length]).toEqual([
      3, 4, 7,
    ]);
  });

  it('knows what cannot be read by its call, too', () => {
    const receiver = new TestReceiver();
    for (const call of ['c1', 'c1', 'c2']) expect(receiver.send(xmlOf('1', '12AB'), call)).toHaveLength(1);
    expect(receiver.of('event')).toHaveLength(2);
  });

  it('absorbs heartbeats, hands on answers, keeps silent about what it does not understand', () => {
    const receiver = new TestReceiver();
    expect(receiver.send(xmlOf('0', '123456780000'))).toHaveLength(1);
    expect(receiver.of('heartbeat')).toMatchObject([{ controllerId: '12345678', deviceId: '0000' }]);
    for (const [type, data] of [
      ['A', '.'],
      ['7', '000003'],
      ['2', '7'],
    ] as const) {
      expect(receiver.send(xmlOf(type, data))).toEqual([]);
    }
    expect([receiver.of('handOn').length, receiver.of('event').length]).toEqual([3, 0]);
  });

  it('acknowledges what is no alarm, and says that an alarm is withdrawn', () => {
    const receiver = new TestReceiver();
    expect(receiver.send(xmlOf('1', '010012345678000109700000'))).toHaveLength(1);
    expect(receiver.of('event')).toEqual([]);
    receiver.send(xmlOf('1', '010012345678000100000000'));
    expect(receiver.of('event')[0]?.kind).toBe('cleared');
  });

  it('remembers 64 messages of a controller', () => {
    const receiver = new TestReceiver();
    for (let n = 0; n < 200; n++)
      receiver.send(xmlOf('1', `01001234567${String(n).padStart(5, '0')}01000000`));
    expect(receiver.state.taken.length).toBeLessThanOrEqual(65);
    expect(receiver.of('answer')).toHaveLength(200);
  });
});

const ROUNDS = rounds(5_000, 20_000);
it(`${ROUNDS} broken bodies: no throw, at most 5 ms`, () => {
  const seeds = vectors.nowip.map(({ type, data }) => xmlOf(type, data));
  const snippets = [
    '<',
    '>',
    '</data>',
    '<data>',
    '<type>1</type>',
    '&amp;',
    '.',
    '400',
    '99999',
    '<wgs>1</wgs>',
  ];
  const receiver = new TestReceiver();
  const kinds = new Set<string>();
  const slow = slowOnes(brokenForms(seeds, snippets, { seed: 500, count: ROUNDS }), (xml) => {
    const atm = decodeAtm(xml);
    if (!atm.ok) return;
    receiver.at += 1000;
    receiver.input({ type: 'message', at: receiver.at, wallMs: NOW, to: 'w', atm: atm.value });
    for (const { type } of receiver.effects) kinds.add(type);
    receiver.effects.length = 0;
  });
  expect(slow).toEqual([]);
  expect([...kinds].toSorted()).toEqual(['again', 'answer', 'event', 'handOn', 'heartbeat', 'notUnderstood']);
});
