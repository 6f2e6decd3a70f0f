import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  acceptTwin,
  checkManifest,
  ENTITIES,
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

  it('drops what a newer cloud has added, however deep', () => {
    const { changes, faults } = read(
      put('trunk', 't', {
        name: 'n',
        newer: 1,
        hosts: [{ uri: 'sip:a', newer: { b: 1 } }, { uri: 'sip:b' }],
      }),
      put('alarmeventmapper', 'm', {
        name: 'n',
        targetEndpoint: { protocol: 'scaip', destAddr: 'sip:a@b', newer: [] },
      }),
    );
    expect(faults).toEqual([]);
    expect(changes).toMatchObject([{ body: { hosts: [{ uri: 'sip:a' }, { uri: 'sip:b' }] } }, { id: 'm' }]);
    expect(JSON.stringify(changes)).not.toContain('newer');
    const wrong = put('trunk', 't', { name: 'n', hosts: [{ uri: 'a', newer: 1 }] });
    expect(read(wrong).faults).toMatchObject([{ path: '/trunk/t/hosts/0/uri' }]);
  });

  it('keeps what it does not know without looking inside', () => {
    const { changes, faults } = read(put('newerthing', 't', { anything: [1] }));
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

describe('references', () => {
  const bridge = { protocol: 'scaip', name: 'n', destinationMatch: 'x' };
  const target = { protocol: 'sia-dcs', destAddr: 'receiver.example:12300' };
  const profile = { kind: 'siaMapping', extends: 'default', content: {} };
  const staged = (before: readonly string[], ...operations: readonly Operation[]) => {
    const rows = before.map((row) => {
      const [entity = '', id = ''] = row.split(' ');
      return { entity, id, rowHash: 'x' };
    });
    const reading = new StagedReading(rows, sha256);
    for (const operation of operations) reading.add(formatPage([operation]));
    return reading.faults.map(({ code, path }) => [code, path]);
  };
  const withMapper = put('alarmbridge', 'b', { ...bridge, alarmEventMapperId: 'm' });

  it.each([
    ['a mapper that is there', ['alarmeventmapper m'], [withMapper]],
    [
      'a mapper of the same change, whatever comes first',
      [],
      [withMapper, put('alarmeventmapper', 'm', { name: 'n', targetEndpoint: target })],
    ],
    ['a built-in profile', [], [put('alarmbridge', 'b', { ...bridge, protocolProfile: 'scaip' })]],
    ['one without effect', [], [put('alarmbridge', 'b', { ...bridge, protocolProfile: 'tt-burst' })]],
    ['an own profile', ['protocolprofile p'], [put('alarmbridge', 'b', { ...bridge, protocolProfile: 'p' })]],
    [
      'a profile in the place of a built-in one',
      [],
      [put('protocolprofile', 'default', { ...profile, name: 'default' })],
    ],
  ])('takes %s', (_what, before, operations) => {
    expect(staged(before, ...operations)).toEqual([]);
  });

  it.each([
    ['no such mapper', [], [withMapper], '/alarmbridge/b/alarmEventMapperId'],
    [
      'a mapper that goes',
      ['alarmeventmapper m'],
      [withMapper, { op: 'delete', entity: 'alarmeventmapper', id: 'm' }],
      '/alarmbridge/b/alarmEventMapperId',
    ],
    [
      'no such profile',
      [],
      [put('alarmbridge', 'b', { ...bridge, protocolProfile: 'p' })],
      '/alarmbridge/b/protocolProfile',
    ],
    [
      'no such mapping',
      [],
      [put('alarmeventmapper', 'm', { name: 'n', targetEndpoint: { ...target, siaMapping: 'own' } })],
      '/alarmeventmapper/m/targetEndpoint/siaMapping',
    ],
    [
      'nothing to extend',
      [],
      [put('protocolprofile', 'p', { ...profile, name: 'p', extends: 'other' })],
      '/protocolprofile/p/extends',
    ],
  ] as const)('refuses %s', (_what, before, operations, path) => {
    expect(staged(before, ...(operations as readonly Operation[]))).toEqual([['reference', path]]);
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

  it('has a look-up for every entity, and a new list only when a row of it has changed', () => {
    const service = { destinationMatch: '^x$', callbackBaseUrl: 'https://app.example/' };
    const reading = new StagedReading([], sha256);
    reading.add(
      formatPage([
        put('alarmbridge', 'b', { protocol: 'scaip', name: 'n', destinationMatch: 'x' }),
        put('alarmeventmapper', 'm', { name: 'n', alarmHandling: 'drop' }),
        put('cloudsipua', 'u', { name: 'n', ...service }),
        put('trunk', 't', { name: 'n', hosts: [{ uri: 'sip:192.0.2.1' }] }),
        put('mediaservice', 's', { name: 'n', ...service }),
        put('callrecording', 'r', { name: 'n', ...service }),
        put('protocolprofile', 'p', { name: 'p', kind: 'tone', extends: 'bs8521', content: { a: [1] } }),
        put('promptfile', 'hi.wav', { name: 'hi.wav', sha256: 'a'.repeat(64), size: 44, format: 'wav' }),
      ]),
    );
    expect(reading.faults).toEqual([]);
    const model = new TenantModel('care.example');
    model.apply(reading.changes);
    expect(model.bridge('b')?.order).toBe(1000);
    expect(model.mapper('m')?.maxSessionDuration).toBe(3600);
    expect(model.cloudSipUa('u')?.callbackTimeout).toBe(15_000);
    expect(model.trunk('t')?.hosts).toEqual([{ uri: 'sip:192.0.2.1', priority: 10, weight: 100 }]);
    expect(model.mediaServicesById.get('s')?.emergencyFallback).toBe('error');
    expect(model.recordingServicesById.get('r')?.retention).toBe(72);
    expect(model.protocolProfile('p')?.content).toEqual({ a: [1] });
    expect(model.promptFile('hi.wav')?.size).toBe(44);

    const lists = () => [
      model.bridges,
      model.mappers,
      model.cloudSipUas,
      model.trunks,
      model.mediaServices,
      model.recordingServices,
      model.protocolProfiles,
      model.promptFiles,
    ];
    const before = lists();
    expect(before.map((list) => list.length)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    model.remove('trunk', 'nobody');
    expect(lists().every((list, index) => list === before[index])).toBe(true);
    model.remove('trunk', 't');
    expect(lists().map((list, index) => list === before[index])).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
      true,
      true,
    ]);
    expect([model.trunk('t'), model.trunks]).toEqual([undefined, []]);
    model.replace([]);
    expect(lists().flat()).toEqual([]);
    expect(ENTITIES).toHaveLength(17);
  });

  it('refuses a profile whose row has another name', () => {
    const reading = new StagedReading([], sha256);
    reading.add(
      formatPage([put('protocolprofile', 'q', { name: 'p', kind: 'tone', extends: 'tt92', content: {} })]),
    );
    expect(reading.faults).toMatchObject([{ path: '/protocolprofile/q/name' }]);
  });
});
