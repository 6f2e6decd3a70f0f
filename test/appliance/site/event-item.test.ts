import { describe, expect, it } from 'vitest';
import { batchOf, type UplinkRow } from '#appliance/site/index.ts';
import { eventBatchSchema, PAYLOAD_LIMIT_BYTES } from '#shared/contract/feed/index.ts';

const NOW = 1_770_000_000_000;
const row = (seq: number, more: Partial<UplinkRow> = {}): UplinkRow => ({
  id: `01jc7z5t3k9q8w6m4n2p0r${String(seq).padStart(4, '0')}`,
  seq,
  type: 'authError',
  body: '{"type":"authError","deviceId":"d1"}',
  createdWall: NOW - 1_000,
  createdMono: 5,
  boot: 1,
  epoch: 2,
  late: false,
  ...more,
});
const place = { afterSeq: 10, gap: false, nowMs: NOW, boot: 1, mono: 1_005 };
const payload = (items: unknown) => ({ v: 1, sid: '01jc7z5t3k9q8w6m4n2p0r1s50', items });

describe('batch of events', () => {
  it('is none without rows', () => {
    expect(batchOf([], place)).toBeUndefined();
  });

  it('chains the items from what the cloud has, and skips what a quota dropped', () => {
    const batch = batchOf([row(12), row(15)], { ...place, gap: true });
    expect(batch?.upTo).toBe(15);
    expect(eventBatchSchema.parse(payload(batch?.items)).items).toMatchObject([
      { seq: 12, prev: 10, gap: true, type: 'authError', data: { deviceId: 'd1' }, late: false, epoch: 2 },
      { seq: 15, prev: 12 },
    ]);
  });

  it('names the trace of an event, also of one too large to be sent whole, and the same each time', () => {
    const traceId = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const traced = (more: object = {}) => row(11, { body: JSON.stringify({ traceId, ...more }) });
    const [item] = batchOf([traced()], place)?.items ?? [];
    expect(item?.tp).toMatch(/^00-0f8fad5bd9cb469fa16570867728950e-(?!0{16})[0-9a-f]{16}-01$/);
    const [large] = batchOf([traced({ text: 'x'.repeat(100_000) })], place)?.items ?? [];
    expect(large).toMatchObject({ tp: item?.tp, data: { truncated: true } });
    expect(eventBatchSchema.parse(payload([large])).items[0]?.tp).toBe(item?.tp);
    for (const odd of ['', 'call-1', '00000000-0000-0000-0000-000000000000', 7])
      expect(batchOf([traced({ traceId: odd })], place)?.items[0]).not.toHaveProperty('tp');
  });

  it('stays within 100 items and 64 KiB', () => {
    const small = Array.from({ length: 130 }, (_, i) => row(11 + i));
    expect(batchOf(small, place)?.items).toHaveLength(100);
    const big = Array.from({ length: 100 }, (_, i) =>
      row(11 + i, { body: JSON.stringify({ text: 'å'.repeat(2_000) }) }),
    );
    const batch = batchOf(big, place);
    expect(batch?.items.length).toBeGreaterThan(10);
    expect(Buffer.byteLength(JSON.stringify(payload(batch?.items)))).toBeLessThanOrEqual(PAYLOAD_LIMIT_BYTES);
    expect(batch?.upTo).toBe(10 + (batch?.items.length ?? 0));
  });

  it('does not get stuck on an event larger than a payload', () => {
    const batch = batchOf([row(11, { body: JSON.stringify({ text: 'x'.repeat(100_000) }) }), row(12)], place);
    expect(batch?.items.map(({ data }) => data)).toEqual([
      { truncated: true },
      { type: 'authError', deviceId: 'd1' },
    ]);
  });

  it('says late what waited, and takes any text', () => {
    // An item of another boot: only the wall clock can say how old it is.
    const old = row(11, { createdWall: NOW - 120_000, boot: 0, body: 'no json' });
    expect(batchOf([old, row(12, { late: true }), row(13, { body: '[1]' })], place)?.items).toMatchObject([
      { late: true, data: { text: 'no json' } },
      { late: true },
      { late: false, data: { value: [1] } },
    ]);
  });

  it.each([
    ['made a second ago with the clock in 1970', { createdWall: 7_000, createdMono: 5 }, false],
    ['made two minutes ago, before the clock was set back', { createdWall: NOW, createdMono: 5 }, true],
    [
      'of another host, by the wall clock alone',
      { origin: '{"uid":"01jc7z5t3k9q8w6m4n2p0r1s5v","boot":1,"seq":2}' },
      false,
    ],
  ])('says late by the clock that is never set: %s', (_, made, late) => {
    const mono = late ? 120_005 : 1_005;
    expect(batchOf([row(11, made)], { ...place, mono })?.items).toMatchObject([{ late }]);
  });

  it('carries a platform alarm as it is, and names the service it is about', () => {
    const body = {
      type: 'monitoringAlarm',
      error: 'serviceFailure',
      errorDetails: { service: 'sip', status: 'cleared' },
    };
    const row11 = row(11, { type: 'monitoringAlarm', body: JSON.stringify(body) });
    expect(batchOf([row11], place)?.items).toMatchObject([
      { type: 'monitoringAlarm', svc: 'sip', data: body },
    ]);
  });
});
