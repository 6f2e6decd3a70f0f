import '../english.ts';
import { describe, expect, it } from 'vitest';
import { labelOf, ladderOf, type Message, msOf } from '#cloud/console/component/trace/ladder.ts';
import type { Step } from '#cloud/console/component/trace/lane.ts';

const HOST = '192.0.2.1:5060';
const DEVICE = '192.0.2.7:40000';
const APPLICATION = '192.0.2.9:443';
const at = (ms: number): string => new Date(1_795_680_000_000 + ms).toISOString().replace('Z', '250Z');

function message(
  ms: number,
  direction: 'in' | 'out',
  other: string,
  text: string,
  protocol = 'sip',
): Message {
  const [from, to] = direction === 'in' ? [other, HOST] : [HOST, other];
  return { at: at(ms), hostId: 'gw-1', direction, transport: 'UDP', protocol, from, to, text };
}
const messages = [
  message(0, 'in', DEVICE, 'MESSAGE sip:scaip@pbx.example SIP/2.0\r\n\r\n'),
  message(10, 'out', DEVICE, 'SIP/2.0 200 OK\r\n\r\n'),
  message(20, 'out', APPLICATION, 'POST /newAlarmbridgeEvent HTTP/1.1\r\n\r\n{}', 'http'),
  message(4_020, 'out', '192.0.2.8:5060', 'INVITE sip:operator@192.0.2.8 SIP/2.0\r\n\r\n'),
];
const step = (ms: number, kind: string, direction: Step['direction'], detail: Step['detail']): Step => ({
  ...{ at: 1_795_680_000_000 + ms, hostId: 'gw-1', party: 'device', direction, kind, detail },
});
const steps = [
  step(0, 'sipReceived', 'in', { source: DEVICE }),
  step(30, 'tonePlayed', 'out', {
    tones: [{ digit: 'A', ms: 250 }, { silenceMs: 80 }, { hz: 1400, ms: 80 }],
  }),
  step(40, 'toneHeard', 'in', { digit: '1' }),
  step(50, 'toneHeard', 'in', { digit: '2' }),
];

describe('the ladder of a record', () => {
  it('has device, host, application and others as lines, and an arrow for each message and row of tones', () => {
    const { parties, rungs } = ladderOf(messages, steps, false);
    expect(parties).toEqual([
      { id: 'device', role: 'device' },
      { id: 'gw-1', role: 'host' },
      { id: APPLICATION, role: 'application' },
      { id: '192.0.2.8:5060', role: 'other' },
    ]);
    expect(rungs.map(({ from, to, label, atMs }) => [from, to, label, Math.round(atMs)])).toEqual([
      [0, 1, 'MESSAGE', 0],
      [1, 0, '200 OK', 10],
      [1, 2, 'POST /newAlarmbridgeEvent', 20],
      [1, 0, 'A 250 ms, 1400 Hz 80 ms', 30],
      [0, 1, '12', 40],
      [1, 3, 'INVITE', 4_020],
    ]);
  });

  it('stands at even distances, or draws a pause as long as it was, up to a limit', () => {
    const heights = (isTrue: boolean): number[] =>
      ladderOf(messages, [], isTrue).rungs.map(({ height }) => Math.round(height));
    expect(new Set(heights(false)).size).toBe(1);
    expect(heights(true)).toEqual([34, 34, 34, 194]);
    const late = [...messages, message(3_600_000, 'in', DEVICE, 'BYE sip:a@b SIP/2.0\r\n\r\n')];
    expect(ladderOf(late, [], true).rungs.at(-1)?.height).toBe(214);
  });

  it('orders messages by the microseconds that their times have', () => {
    expect(msOf('2026-11-26T08:00:00.000400Z') - msOf('2026-11-26T08:00:00.000Z')).toBeCloseTo(0.4, 3);
  });

  it('names a frame by its beginning, and survives a message that is no text', () => {
    const frame = message(0, 'in', DEVICE, '\n3A4B0026"SIA-DCS"0001L0#1234[]', 'dc09');
    expect(labelOf({ ...frame, text: '3A4B0026"SIA-DCS"0001L0#1234[]' })).toBe(
      '3A4B0026"SIA-DCS"0001L0#1234[]',
    );
    const { text: _, ...bytes } = frame;
    expect(ladderOf([{ ...bytes, base64: 'AAE=' }], [], false).rungs[0]?.label).toBe('');
  });

  it('lays 2,000 messages out at once', () => {
    const many = Array.from({ length: 2_000 }, (_, i) =>
      message(i, i % 2 === 0 ? 'in' : 'out', DEVICE, 'INFO sip:a@b SIP/2.0\r\n\r\n'),
    );
    expect(ladderOf(many, [], true).rungs).toHaveLength(2_000);
  });
});
