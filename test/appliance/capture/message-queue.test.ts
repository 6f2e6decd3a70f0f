import { expect, it } from 'vitest';
import { Intake, type TakenMessage } from '#appliance/capture/index.ts';
import { MessageQueue } from '#appliance/capture/message-queue.ts';
import { DEVICE, request, response } from './sip-text.ts';

const message = (text: string): TakenMessage => ({ ...request('INVITE', 'c'), bytes: Buffer.from(text) });
function drained(queue: MessageQueue): string[] {
  const texts: string[] = [];
  queue.drain(({ bytes }) => texts.push(Buffer.from(bytes).toString()));
  return texts;
}

it('gives the messages in the order of their coming, each once', () => {
  const queue = new MessageQueue(1_000_000);
  for (const round of [1, 2]) {
    const texts = Array.from({ length: 2_000 }, (_, n) => `${round} ${n} ${'x'.repeat(n % 300)}`);
    for (const text of texts) expect(queue.add(message(text))).toBe(true);
    expect(queue.length).toBe(texts.length);
    expect(drained(queue)).toEqual(texts);
    expect(queue.length).toBe(0);
  }
});

it('keeps ends, time and key of each, whatever the round before had in its place', () => {
  const queue = new MessageQueue(1_000);
  const first = { ...message('a'), key: 'k', direction: 'out', protocol: 'dc09', atMs: 7 } as const;
  const second = { ...message('b'), flow: { ...DEVICE, remotePort: 9 } };
  for (const each of [first, second, second, first]) {
    queue.add(each);
    const found: TakenMessage[] = [];
    queue.drain((taken) => found.push({ ...taken, bytes: Buffer.from(taken.bytes) }));
    expect(found).toEqual([each]);
  }
});

it('has room for so many bytes, and again after each round', () => {
  const queue = new MessageQueue(300_000);
  for (const _ of [1, 2, 3]) {
    expect(queue.add(message('a'.repeat(200_000)))).toBe(true);
    expect(queue.add(message('b'.repeat(100_001)))).toBe(false);
    expect(queue.add(message('c'.repeat(100_000)))).toBe(true);
    expect(drained(queue).map(({ length }) => length)).toEqual([200_000, 100_000]);
  }
});

it('is empty after a look that failed', () => {
  const queue = new MessageQueue(1_000);
  queue.add(message('a'));
  const look = () => {
    throw new Error('a defect');
  };
  expect(() => queue.drain(look)).toThrow('a defect');
  queue.add(message('b'));
  expect(drained(queue)).toEqual(['b']);
});

it('holds no memory of the transport, which may use it for the next message', () => {
  const intake = new Intake();
  const taken = [request('INVITE', 'one'), response(180, 'INVITE', 'one')];
  const bytes = taken.map((each) => Buffer.from(each.bytes));
  for (const [n, each] of taken.entries()) intake.take({ ...each, bytes: bytes[n] ?? each.bytes });
  for (const each of bytes) each.fill('z');
  const kept: string[] = [];
  intake.settle((_, { bytes: found }) => kept.push(Buffer.from(found).toString()));
  expect(kept).toEqual(taken.map((each) => Buffer.from(each.bytes).toString()));
});
