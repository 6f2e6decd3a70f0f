import { describe, expect, it } from 'vitest';
import { curlOf, deliveriesOf, keyOf } from '#cloud/console/component/trace/delivery.ts';
import type { Message } from '#cloud/console/component/trace/ladder.ts';
import type { Step } from '#cloud/console/component/trace/lane.ts';
import { differences } from '#cloud/console/page/record/compare.ts';
import type { Entry } from '#cloud/console/page/record/record-words.ts';

const T0 = 1_795_680_000_000;
const URL = 'https://app.example/newAlarmbridgeEvent';
const step = (ms: number, kind: string, detail: Step['detail']): Step => ({
  ...{ at: T0 + ms, hostId: 'gw-1', party: 'application', direction: 'out', kind, detail },
});
const request = (ms: number, attempt: number): Message => ({
  ...{ at: new Date(T0 + ms).toISOString(), hostId: 'gw-1', direction: 'out', transport: 'HTTPS' },
  ...{ protocol: 'http', from: '192.0.2.1:0', to: '192.0.2.9:443' },
  text: `POST /newAlarmbridgeEvent HTTP/1.1\r\nhost: app.example\r\nauthorization: Bearer ${'x'.repeat(40)}\r\nidempotency-key: key-1\r\nx-delivery-attempt: ${attempt}\r\ncontent-length: 15\r\n\r\n{"name":"O'Neil"}`,
});
const steps = [
  step(0, 'callbackSent', { url: URL, attempt: 1 }),
  step(20, 'callbackFailed', { reason: 'The application did not answer', tookMs: 20 }),
  step(1_000, 'callbackSent', { url: URL, attempt: 2 }),
  step(1_010, 'callbackAnswered', { status: 200, body: '{"action":"drop"}', tookMs: 10 }),
];
const messages = [request(1, 1), request(1_001, 2)];

describe('the deliveries of a record', () => {
  it('pairs each attempt with its answer and the request as it was sent', () => {
    const found = deliveriesOf(steps, messages);
    expect(
      found.map(({ attempt, status, reason, body, tookMs }) => [attempt, status, reason, body, tookMs]),
    ).toEqual([
      [1, undefined, 'The application did not answer', undefined, 20],
      [2, 200, undefined, '{"action":"drop"}', 10],
    ]);
    expect(found.map(({ request: sent }) => sent?.headers.at(-2))).toEqual([
      ['x-delivery-attempt', '1'],
      ['x-delivery-attempt', '2'],
    ]);
    expect(found.map(keyOf)).toEqual(['key-1', 'key-1']);
  });

  it('shows an attempt without an answer, and one whose request no host has any more', () => {
    expect(deliveriesOf(steps.slice(0, 1), [])).toEqual([
      expect.objectContaining({ attempt: 1, status: undefined, request: undefined }),
    ]);
  });

  it('gives a command that a shell takes as it is, without the secrets', () => {
    const [first] = deliveriesOf(steps, messages);
    expect(first && curlOf(first)).toBe(
      [
        `curl -X POST '${URL}' \\`,
        `  -H 'authorization: Bearer MASKED' \\`,
        `  -H 'idempotency-key: key-1' \\`,
        `  -H 'x-delivery-attempt: 1' \\`,
        `  --data-binary '{"name":"O'\\''Neil"}'`,
      ].join('\n'),
    );
  });
});

describe('a record beside the last good one', () => {
  it('names the fields that differ, and none that always does', () => {
    const record = (more: Partial<Entry>): Entry => ({
      ...{
        v: 1,
        recordId: 'a',
        kind: 'alarm',
        at: 1,
        result: 'done',
        siteId: 'north',
        hostId: 'gw-1',
        receivedAt: 2,
      },
      ...more,
    });
    const now = record({ recordId: 'b', at: 9, result: 'failed', deliveries: { count: 2, failed: 2 } });
    const good = record({ deliveries: { count: 1, failed: 0, lastStatus: 200 }, to: 'scaip' });
    expect(differences(now, good)).toEqual([
      { field: 'result', now: 'failed', good: 'done' },
      { field: 'deliveries.count', now: '2', good: '1' },
      { field: 'deliveries.failed', now: '2', good: '0' },
      { field: 'deliveries.lastStatus', now: '', good: '200' },
      { field: 'to', now: '', good: 'scaip' },
    ]);
  });
});
