import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  configReportSchema,
  eventBatchSchema,
  formatPage,
  heartbeatSchema,
  parsePage,
  resultHash,
  rowHash,
  stateSchema,
  twinSchema,
} from '#shared/contract/feed/index.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const sid = '01j00000000000000000000000';

const birth = {
  v: 1,
  st: 'on',
  sid,
  birthNo: 3,
  boot: 41,
  ts: 1_770_000_000_000,
  clk: { sync: true, src: 'ntp', offMs: 12 },
  twinRev: 57,
  sw: { agent: '1.8.0', os: '12.9' },
  hw: { serial: 'A1', ramMb: 4096, diskMb: 64_000 },
  net: { ifs: ['10.0.0.5'], prefix: 24 },
  cap: ['cfg.delta'],
  cfg: { tenant: 412, site: 31, host: 9, platform: 77, lkg: true },
  ev: { alarm: [88_120, 88_190] },
  life: 'active',
  epoch: 14,
  roles: ['vip'],
};

describe('payloads', () => {
  it('takes a birth and ignores what it does not know', () => {
    expect(stateSchema.parse({ ...birth, weather: 'fine' })).toEqual(birth);
  });

  it('takes the will, and a graceful stop with its reason', () => {
    expect(stateSchema.parse({ v: 1, st: 'off', sid })).toEqual({ v: 1, st: 'off', sid });
    expect(stateSchema.safeParse({ v: 1, st: 'off', sid, why: 'tired' }).success).toBe(false);
  });

  it.each([
    ['another version', { ...birth, v: 2 }],
    ['no sid', { ...birth, sid: undefined }],
    ['a sid with a wildcard', { ...birth, sid: '+1j00000000000000000000000' }],
  ])('refuses a birth with %s', (_, payload) => {
    expect(stateSchema.safeParse(payload).success).toBe(false);
  });

  it('fills what a short heartbeat leaves out', () => {
    const short = { v: 1, sid, n: 1, ts: 5, up: 1, twinRev: 1, cfg: [1, 2, 3, 4], life: 'active', epoch: 0 };
    expect(heartbeatSchema.parse(short)).toMatchObject({ lkg: 1, calls: 0, svc: {}, out: {}, ovr: 0 });
    expect(heartbeatSchema.safeParse({ ...short, cfg: [1, 2, 3] }).success).toBe(false);
  });

  it('takes a NACK with its evidence', () => {
    const nack = {
      v: 1,
      sid,
      scope: 'tenant',
      rev: 413,
      nonce: 'k3',
      res: 'nack',
      applied: 412,
      err: [
        { code: 'regexUnsupported', path: '/alarmbridge/x/destinationMatch', msg: 'lookahead not supported' },
      ],
    };
    expect(configReportSchema.parse(nack)).toEqual(nack);
  });

  it('holds a batch to a hundred events', () => {
    const item = { seq: 1, prev: 0, id: sid, type: 'x', ts: 1, mono: 1.5, boot: 1, epoch: 0 };
    const batch = (length: number) => ({ v: 1, sid, items: Array.from({ length }, () => item) });
    expect(eventBatchSchema.safeParse(batch(100)).success).toBe(true);
    expect(eventBatchSchema.safeParse(batch(101)).success).toBe(false);
    expect(eventBatchSchema.safeParse(batch(0)).success).toBe(false);
  });

  it('takes a twin and fills in what is rarely set', () => {
    const pointer = { rev: 1, h: `sha256:${'0'.repeat(64)}` };
    const twin = {
      v: 1,
      uid: sid,
      twinRev: 57,
      life: 'active',
      hb: { profile: 'standard' },
      jitterS: 1,
      cfg: { tenant: pointer, site: pointer, host: pointer, platform: pointer },
    };
    expect(twinSchema.parse(twin)).toMatchObject({ doNotReschedule: false, deadline: null, net: null });
  });
});

describe('rows', () => {
  const row = (entity: string, id: string, body: unknown) => ({ entity, id, rowHash: rowHash(body, sha256) });

  it('have one hash whatever the order of members and of rows', () => {
    expect(rowHash({ b: 1, a: [1, { d: null, c: 'é' }] }, sha256)).toBe(
      rowHash({ a: [1, { c: 'é', d: null }], b: 1 }, sha256),
    );
    const rows = [row('device', 'b', {}), row('device', 'a', {}), row('alarmbridge', 'z', {})];
    expect(resultHash(rows, sha256)).toBe(resultHash([...rows].reverse(), sha256));
    expect(resultHash([row('device', 'a', {})], sha256)).not.toBe(
      resultHash([row('device', 'a', 1)], sha256),
    );
  });

  it('hash as written down: JSON of [entity, id, rowHash] and a line feed, sorted', () => {
    const a = { entity: 'a', id: '2', rowHash: 'ff' };
    const b = { entity: 'a', id: '10', rowHash: '00' };
    expect(resultHash([a, b], sha256)).toBe(`sha256:${sha256('["a","10","00"]\n["a","2","ff"]\n')}`);
    expect(resultHash([], sha256)).toBe(`sha256:${sha256('')}`);
  });

  it('travel in pages of JSON lines', () => {
    const operations = [
      { op: 'put', entity: 'device', id: 'd\n1', body: { name: 'ä' }, rowHash: 'a'.repeat(64) },
      { op: 'delete', entity: 'device', id: 'd2' },
    ] as const;
    const text = formatPage(operations);
    expect(text.split('\n')).toHaveLength(3);
    expect(parsePage(text)).toEqual(operations);
    expect(parsePage(`${text}{"op":"rename"}\n`)).toBeUndefined();
    expect(parsePage(`${text}{"op"`)).toBeUndefined();
  });
});
