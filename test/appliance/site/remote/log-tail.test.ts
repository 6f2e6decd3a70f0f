import { describe, expect, it } from 'vitest';
import { logTail } from '#appliance/site/remote/log-tail.ts';
import { redactLine } from '#shared/redact/index.ts';

const line = (level: string, text: string): string => JSON.stringify({ time: 't', level, text });
const LOG = [line('debug', 'a'), line('info', 'b'), line('warn', 'c'), line('error', 'd'), line('info', 'e')];
const textsOf = (lines: readonly string[]): unknown[] =>
  lines.map((each) => (JSON.parse(each) as { text: unknown }).text);

describe('the lines of the log that leave the host', () => {
  it.each([
    [{ lines: 100 }, ['a', 'b', 'c', 'd', 'e']],
    [{ lines: 2 }, ['d', 'e']],
    [{ lines: 100, level: 'debug' }, ['a', 'b', 'c', 'd', 'e']],
    [{ lines: 100, level: 'info' }, ['b', 'c', 'd', 'e']],
    [{ lines: 100, level: 'warn' }, ['c', 'd']],
    [{ lines: 100, level: 'error' }, ['d']],
    [{ lines: 1, level: 'warn' }, ['d']],
    [{ lines: 100, match: '"text":"e"' }, ['e']],
    [{ lines: 1, match: '"level":"info"' }, ['e']],
    [{ lines: 100, level: 'error', match: '"text":"e"' }, []],
    [{ lines: 100, match: '' }, ['a', 'b', 'c', 'd', 'e']],
  ] as const)('%j are %j', (request, texts) => {
    expect(textsOf(logTail(LOG, request))).toEqual(texts);
  });

  it('are without secrets and numbers, and cannot be found by them', () => {
    const secret = line('info', 'Authorization: Bearer abcdefghijklmnop');
    expect(redactLine(secret)).not.toContain('abcdefghijklmnop');
    expect(logTail([secret], { lines: 1 })).toEqual([redactLine(secret)]);
    expect(logTail([secret], { lines: 1, match: 'abcdefghijklmnop' })).toEqual([]);
  });

  it('are the newest that fit into one message, with their escapes', () => {
    // A quotation mark takes two bytes in the answer; each line so 1,0xx bytes and its comma.
    const many = Array.from({ length: 200 }, (_, n) => `{"level":"info","n":${n},"x":"${'ä'.repeat(500)}"}`);
    const lines = logTail(many, { lines: 200 });
    const bytes = Buffer.byteLength(JSON.stringify(lines));
    expect(bytes).toBeLessThanOrEqual(48 * 1_024 + 1);
    // One more would not have fitted.
    expect(bytes).toBeGreaterThan(48 * 1_024 - 1_100);
    expect(lines).toEqual(many.slice(-lines.length));
    // A line with its quotation marks and a comma fills the message to the last byte.
    const exact = (bytes: number) => `"level":"info"${'x'.repeat(bytes)}`;
    const around = Buffer.byteLength(JSON.stringify(exact(0))) + 1;
    const most = 48 * 1_024 - around;
    expect(logTail([exact(most)], { lines: 1 })).toHaveLength(1);
    expect(logTail([exact(most + 1)], { lines: 1 })).toEqual([]);
    expect(logTail([`{"level":"info","x":"${'x'.repeat(60_000)}"}`], { lines: 1 })).toEqual([]);
  });
});
