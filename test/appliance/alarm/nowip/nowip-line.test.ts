import { describe, expect, test } from 'vitest';
import {
  type Alarm,
  EndedCalls,
  judged,
  markOf,
  type ReportedAlarm,
  receiverOf,
  senderOf,
  UntilCalled,
} from '#appliance/alarm/nowip/nowip-line.ts';
import { alarmText } from '#appliance/alarm/protocol/nowip/index.ts';
import { RepeatMemory } from '#appliance/alarm/protocol/repeat/index.ts';

const REPEAT_MS = 1_000;
const ATM = {} as Parameters<typeof alarmText>[0];
const SENDER = senderOf('bridge', 'unit');
const NAMED = `nowip ${SENDER} 12`;

interface From {
  readonly sourceIp: string;
  readonly proof?: string;
}
const HERE: From = { sourceIp: '192.0.2.1' };
const THERE: From = { sourceIp: '203.0.113.9' };
const PROVEN: From = { sourceIp: '192.0.2.1', proof: 'key unit' };
const PROVEN_THERE: From = { ...PROVEN, sourceIp: '203.0.113.9' };

/** The verdict on message 12 from `from`, after the same message was reported from each of `before`. */
function verdictAfter(before: readonly From[], from: From, at = 500, hasMark = true) {
  const memory = new RepeatMemory<ReportedAlarm>(10);
  for (const [i, one] of before.entries()) {
    const conversation = i === 0 ? NAMED : `${NAMED} ${i}`;
    const origin = { address: one.sourceIp, ...(one.proof !== undefined && { proof: one.proof }) };
    const mark = hasMark ? markOf(SENDER, alarmText(ATM)) : conversation;
    const receiver = receiverOf(SENDER, one);
    memory.add(
      { mark, conversation, origin, repeatMs: REPEAT_MS, stored: false, receiver, message: '12' },
      0,
    );
    memory.stored(conversation, 0);
  }
  return judged(memory, new Map<string, Alarm>(), '12', arrival(from), at);
}

const arrival = (from: From) =>
  ({ ...from, bridge: { id: 'bridge' }, fromUser: 'unit', atm: ATM }) as unknown as Parameters<
    typeof judged
  >[3];

describe('the verdict on a message', () => {
  test.each<[string, readonly From[], From, string, isOwnName: boolean]>([
    ['a first message is new', [], HERE, 'new', true],
    ['the same address repeats it', [HERE], HERE, 'repeat', true],
    ['another address may repeat it', [HERE], THERE, 'possible', false],
    ['a proven sender repeats it from elsewhere', [PROVEN], PROVEN_THERE, 'repeat', true],
    ['a sender without proof does not repeat what a proven one has said', [PROVEN], HERE, 'possible', false],
    ['a proven sender is not the one without proof', [HERE], PROVEN, 'possible', false],
    ['of four sources the fifth is counted', four(), THERE, 'counted', false],
    ['a proven sender is never only counted', four(), PROVEN, 'possible', false],
  ])('%s', (_name, before, from, kind, isOwnName) => {
    const found = verdictAfter(before, from);
    expect(found.verdict.kind).toBe(kind);
    expect(found.conversation === NAMED).toBe(isOwnName);
  });

  test.each([
    [REPEAT_MS - 1, 'repeat'],
    [REPEAT_MS, 'new'],
  ])('after %d ms it is %s', (at, kind) => {
    expect(verdictAfter([HERE], HERE, at).verdict.kind).toBe(kind);
  });

  test('a row of an earlier version, which has no mark, is known by its conversation', () => {
    expect(verdictAfter([HERE], HERE, 500, false).verdict.kind).toBe('repeat');
    expect(verdictAfter([HERE], THERE, 500, false).verdict.kind).toBe('possible');
  });

  test('an alarm in progress that another source has sent keeps its name', () => {
    const under = new Map([[NAMED, { receiver: receiverOf(SENDER, THERE) } as Alarm]]);
    const found = judged(new RepeatMemory(10), under, '12', arrival(HERE), 0);
    expect(found).toMatchObject({ named: NAMED, conversation: `${NAMED} at 192.0.2.1` });
  });
});

function four(): readonly From[] {
  return [1, 2, 3, 4].map((host) => ({ sourceIp: `198.51.100.${host}` }));
}

describe('a NOW-IP alarm before its call', () => {
  test.each([
    [99, 'x'],
    [100, undefined],
  ])('%d ms later it is %s', (ms, found) => {
    const known = new UntilCalled<string>();
    known.add('unit', 'x', 0, 100);
    expect(known.find('unit', ms)).toBe(found);
    expect(known.has('unit', ms)).toBe(found !== undefined);
    expect(known.take('unit', ms)).toBe(found);
    expect(known.take('unit', 0)).toBeUndefined();
  });

  test('the later one counts, and drops none that is still valid', () => {
    const known = new UntilCalled<number>();
    known.add('a', 1, 0, 50);
    known.add('b', 2, 10, 100);
    known.add('a', 3, 60, 100);
    expect(['a', 'b', 'c'].map((one) => known.find(one, 70))).toEqual([3, 2, undefined]);
  });

  test('a call that is over is known by its address for two minutes', () => {
    const ended = new EndedCalls();
    ended.add('unit', '192.0.2.1', 0);
    expect(ended.of('unit', 119_999)).toEqual(['192.0.2.1']);
    expect(ended.of('unit', 120_000)).toEqual([]);
    expect(ended.of('other', 0)).toEqual([]);
  });
});
