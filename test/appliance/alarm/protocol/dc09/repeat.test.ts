import { describe, expect, it } from 'vitest';
import { framed, TestReceiver } from './panel.ts';

describe('the same frame later or from elsewhere', () => {
  const reported = (receiver: TestReceiver) => receiver.effects.filter(({ type }) => type === 'event').length;
  const frame = (sequence: string) => framed(`"SIA-DCS"${sequence}L0#1234[#1234|Nri1/BA12]`);

  it.each([
    { sequence: '0001', afterMs: 59_000, events: 1 },
    { sequence: '0001', afterMs: 65_000, events: 1 },
    { sequence: '0000', afterMs: 59_000, events: 1 },
    { sequence: '0000', afterMs: 65_000, events: 2 },
  ])('sequence $sequence on a new connection $afterMs ms later: $events', ({ sequence, afterMs, events }) => {
    const receiver = new TestReceiver();
    expect(receiver.send(frame(sequence), 'tcp 1')).toHaveLength(1);
    receiver.at += afterMs;
    expect(receiver.send(frame(sequence), 'tcp 2')).toHaveLength(1);
    expect(reported(receiver)).toBe(events);
    const [first] = receiver.effects.filter((effect) => effect.type === 'event');
    expect(first?.source.warnings.includes('noSequence')).toBe(sequence === '0000');
  });

  it('another address is apart, and each address gets its acknowledge', () => {
    const receiver = new TestReceiver();
    expect(receiver.send(frame('0001'), 'a')).toHaveLength(1);
    receiver.address = '127.0.0.2';
    expect(receiver.send(frame('0001'), 'b')).toHaveLength(1);
    expect(reported(receiver)).toBe(2);
    expect(receiver.send(frame('0001'), 'c')).toHaveLength(1);
    expect(reported(receiver)).toBe(2);
  });
});
