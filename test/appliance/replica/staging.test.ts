import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  acceptTwin,
  checkManifest,
  judgeStaged,
  StagedReading,
  TenantModel,
} from '#appliance/replica/index.ts';
import {
  formatPage,
  type Manifest,
  type Operation,
  resultHash,
  rowHash,
} from '#shared/contract/feed/index.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const put = (entity: string, id: string, body: unknown): Operation => ({
  op: 'put',
  entity,
  id,
  body,
  rowHash: rowHash(body, sha256),
});
const device = (id: string, more: object = {}) =>
  put('device', id, { deviceId: id, authType: 'deviceid', srtp: 'negotiated', ...more });

describe('reading of a staged change', () => {
  const read = (...operations: readonly Operation[]) => {
    const reading = new StagedReading([], sha256);
    reading.add(formatPage(operations));
    return reading;
  };

  it('turns bodies into what the engines read, with defaults', () => {
    const bridge = { id: 'b', protocol: 'scaip', name: 'n', destinationMatch: 'x', newerField: 1 };
    const { changes, faults } = read(
      put('alarmbridge', 'b', bridge),
      device('d', { passwordHash: '$argon2id$x' }),
    );
    expect(faults).toEqual([]);
    expect(changes).toMatchObject([
      { op: 'put', entity: 'alarmbridge', id: 'b', body: { id: 'b', order: 1000 } },
      { op: 'put', entity: 'device', id: 'd', body: { passwordHash: '$argon2id$x' } },
    ]);
    expect(JSON.stringify(changes)).not.toContain('newerField');
  });

  it('keeps what it does not know without looking inside', () => {
    const { changes, faults } = read(put('trunk', 't', { anything: [1] }));
    expect([changes, faults]).toEqual([[], []]);
  });

  it.each([
    ['invalid', '/device/d/srtp', device('d', { srtp: 'no' })],
    ['invalid', '/device/e/deviceId', { ...device('d'), id: 'e' } as Operation],
    ['rowHash', '/device/d', { ...device('d'), rowHash: 'f'.repeat(64) } as Operation],
    [
      'invalid',
      '/notificationsettings/a~1b/alarmFromEdge',
      put('notificationsettings', 'a/b', { alarmFromEdge: 1 }),
    ],
  ])('finds %s at %s', (code, path, operation) => {
    expect(read(operation).faults).toMatchObject([{ code, path }]);
  });

  it('counts the last word on each row only', () => {
    const reading = read(device('d', { srtp: 'no' }), device('d'));
    expect([reading.faults, reading.changes.length]).toEqual([[], 1]);
    expect(read(device('d', { srtp: 'no' }), { op: 'delete', entity: 'device', id: 'd' }).changes).toEqual([
      { op: 'remove', entity: 'device', id: 'd' },
    ]);
  });

  it('changes nothing by a row that stands already', () => {
    const same = device('d');
    const before = [{ entity: 'device', id: 'd', rowHash: same.op === 'put' ? same.rowHash : '' }];
    const reading = new StagedReading(before, sha256);
    reading.add(formatPage([same]));
    expect(reading.changes).toEqual([]);
  });

  it('knows a page that is none', () => {
    const reading = new StagedReading([], sha256);
    expect(reading.add('{"op":"put"}\n')).toBeUndefined();
    expect(reading.add('nonsense')).toBeUndefined();
  });
});

const hashed = (entity: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({ entity, id: `${entity}${from + i}`, rowHash: sha256(`${i}`) }));

const manifest = (more: Partial<Manifest> = {}): Manifest => ({
  v: 1,
  scope: 'tenant',
  owner: 't',
  kind: 'delta',
  from: 4,
  to: 6,
  massChange: false,
  issuedAt: 0,
  resultHash: resultHash([], sha256),
  pages: [],
  ...more,
});

describe('judgement', () => {
  const judge = (before: ReturnType<typeof hashed>, after: ReturnType<typeof hashed>, massChange = false) =>
    judgeStaged(manifest({ massChange, resultHash: resultHash(after, sha256) }), before, after, sha256).kind;

  it.each([
    ['20 of 66 go', hashed('device', 66), hashed('device', 46), 'fault'],
    ['20 of 67 go: under 30 %', hashed('device', 67), hashed('device', 47), 'good'],
    ['19 of 19 go: under 20', hashed('device', 19), [], 'good'],
    ['all change places', hashed('device', 40), hashed('device', 40, 100), 'fault'],
    ['the last bridge goes', hashed('alarmbridge', 1), [], 'fault'],
    ['one of two bridges goes', hashed('alarmbridge', 2), hashed('alarmbridge', 1), 'good'],
    ['many come', [], hashed('device', 900), 'good'],
  ])('%s', (_what, before, after, verdict) => {
    expect(judge(before, after)).toBe(verdict);
    expect(judge(before, after, true)).toBe('good');
  });

  it('is a mismatch when the rows are not the cloud’s', () => {
    expect(judgeStaged(manifest(), [], hashed('device', 1), sha256).kind).toBe('mismatch');
  });
});

describe('manifest', () => {
  const expected = { scope: 'tenant', owner: 't', standing: { rev: 4, h: '' }, wantedRev: 6 } as const;

  it.each([
    ['as asked for', manifest(), undefined],
    ['newer than wanted', manifest({ to: 9 }), undefined],
    ['a snapshot', manifest({ kind: 'snapshot', from: 0 }), undefined],
    ['a delta from nothing', manifest({ from: 0 }), undefined],
    ['without signature', undefined, 'signatureInvalid'],
    ['of version 2', { ...manifest(), v: 2 }, 'foreignManifest'],
    ['of another scope', manifest({ scope: 'site' }), 'foreignManifest'],
    ['of another tenant', manifest({ owner: 'u' }), 'foreignManifest'],
    ['older than wanted: a replay', manifest({ to: 5 }), 'unreachable'],
    ['from another place', manifest({ from: 3 }), 'unreachable'],
  ])('%s', (_what, payload, code) => {
    const checked = checkManifest(payload, expected);
    expect(checked.ok ? undefined : checked.error.code).toBe(code);
  });
});

describe('twin', () => {
  const uid = '01jc7z5t3k9q8w6m4n2p0r1s5v';
  const pointer = { rev: 0, h: `sha256:${'0'.repeat(64)}` };
  const cfg = { tenant: pointer, site: pointer, host: pointer, platform: pointer };
  const twin = { v: 1, uid, twinRev: 5, life: 'active', hb: { profile: 'high' }, jitterS: 1, cfg };

  it.each([
    [twin, undefined],
    [{ ...twin, newer: true }, undefined],
    [undefined, 'signatureInvalid'],
    [{ ...twin, v: 2 }, 'foreignTwin'],
    [{ ...twin, uid: '01jc7z5t3k9q8w6m4n2p0r1s5w' }, 'foreignTwin'],
    [{ ...twin, twinRev: 4 }, 'olderTwin'],
  ])('%j is %s', (payload, code) => {
    const read = acceptTwin(payload, uid, 5);
    expect(read.ok ? undefined : read.error.code).toBe(code);
  });
});

describe('tenant model', () => {
  it('changes in one go, replaces objects and never edits one', () => {
    const model = new TenantModel('care.example');
    const reading = new StagedReading([], sha256);
    reading.add(formatPage([device('a', { deviceCLI: '+4681234567' }), device('b')]));
    model.apply(reading.changes);
    const held = model.byId('a');
    const later = new StagedReading([], sha256);
    later.add(formatPage([device('a', { description: 'new' }), { op: 'delete', entity: 'device', id: 'b' }]));
    model.apply(later.changes);
    expect(held?.description).toBeUndefined();
    expect([...model.devices()].map(({ deviceId }) => deviceId)).toEqual(['a']);
    model.replace([]);
    expect([...model.devices()]).toEqual([]);
    expect(model.notification.alarmFromEdge).toBe(true);
  });
});
