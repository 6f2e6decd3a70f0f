import { describe, expect, it } from 'vitest';
import { keepSecrets, mapSecrets, maskSecrets } from '#shared/contract/provisioning/index.ts';

const bridge = {
  name: 'a',
  dc09: { key: 'ab', encryptionRequired: true },
  restAuthentication: [
    { sub: 'one', secret: 'first', type: 'HS256' },
    { sub: 'two', secret: 'second', type: 'HS256' },
  ],
  customEventMap: { rules: [{ body: { secret: 'a word of the customer', key: 'k' } }] },
};

it('shows no secret, and leaves everything else', () => {
  const before = structuredClone(bridge);
  const masked = maskSecrets('alarmBridge', bridge);
  expect(masked).toEqual({
    ...bridge,
    dc09: { key: '<secret>', encryptionRequired: true },
    restAuthentication: bridge.restAuthentication.map((entry) => ({ ...entry, secret: '<secret>' })),
  });
  expect(bridge).toEqual(before);
});

it('masks device and notification settings', () => {
  const device = { password: 'p', ha1: 'h', serviceData: { alarmBridge: { dc09: { key: 'k' } } } };
  expect(JSON.stringify(maskSecrets('device', device))).not.toMatch(/"[phk]"/);
  expect(maskSecrets('device', { deviceId: 'a' })).toEqual({ deviceId: 'a' });
  const settings = { restAuthentication: [{ secret: 's' }] };
  expect(maskSecrets('notificationSettings', settings)).toEqual({
    restAuthentication: [{ secret: '<secret>' }],
  });
});

describe('keepSecrets', () => {
  it('gives back what was masked', () => {
    expect(keepSecrets('alarmBridge', maskSecrets('alarmBridge', bridge), bridge)).toEqual({
      ok: true,
      value: bridge,
    });
  });
  it('takes a new secret', () => {
    const changed = { ...bridge, dc09: { key: 'new' } };
    expect(keepSecrets('alarmBridge', changed, bridge)).toEqual({ ok: true, value: changed });
  });
  it('follows an entry that has moved', () => {
    const moved = { restAuthentication: [{ sub: 'two', secret: '<secret>', type: 'HS256' }] };
    expect(keepSecrets('alarmBridge', moved, bridge)).toEqual({
      ok: true,
      value: { restAuthentication: [{ sub: 'two', secret: 'second', type: 'HS256' }] },
    });
  });
  it('takes the entry at the same place when the entry was renamed', () => {
    const renamed = { restAuthentication: [{ sub: 'other', secret: '<secret>', type: 'HS256' }] };
    expect(keepSecrets('alarmBridge', renamed, bridge)).toMatchObject({
      value: { restAuthentication: [{ sub: 'other', secret: 'first' }] },
    });
  });
  it.each([
    [{ dc09: { key: '<secret>' } }, {}, '/dc09/key'],
    [{ dc09: { key: '<secret>' } }, undefined, '/dc09/key'],
    [
      { restAuthentication: [{ secret: '<secret>' }] },
      { restAuthentication: [] },
      '/restAuthentication/0/secret',
    ],
  ])('refuses to keep what is not stored: %j over %j', (document, stored, path) => {
    expect(keepSecrets('alarmBridge', document, stored)).toMatchObject({
      ok: false,
      error: { code: 'secretUnknown', path },
    });
  });
});

describe('secrets of mappers and trunks', () => {
  const mapper = {
    targetEndpoint: {
      destAddr: 'sip:a@b',
      sipAuthPassword: 'one',
      trunkKey: 'two',
      dc09: { key: 'three', account: '1' },
      restAuthentication: [{ secret: 'four', type: 'HS256' }],
      backupEndpoint: { backupDestAddr: 'sip:c@d', backupSipAuthPassword: 'five' },
    },
  };
  const trunk = { name: 'n', password: 'one', trunkKey: 'two' };

  it('none is shown, and each is kept', () => {
    for (const [resource, document] of [
      ['alarmEventMapper', mapper],
      ['trunk', trunk],
    ] as const) {
      const masked = maskSecrets(resource, document as object);
      expect(JSON.stringify(masked)).not.toMatch(/"(one|two|three|four|five)"/);
      expect(keepSecrets(resource, masked, document)).toEqual({ ok: true, value: document });
    }
  });

  it('a placeholder with nothing behind it is refused with its place', () => {
    const asked = { targetEndpoint: { backupEndpoint: { backupSipAuthPassword: '<secret>' } } };
    expect(keepSecrets('alarmEventMapper', asked, { targetEndpoint: {} })).toMatchObject({
      ok: false,
      error: { code: 'secretUnknown', path: '/targetEndpoint/backupEndpoint/backupSipAuthPassword' },
    });
    expect(keepSecrets('trunk', { trunkKey: '<secret>' }, undefined)).toMatchObject({
      error: { path: '/trunkKey' },
    });
  });
});

describe('a header of callbacks that carries a credential', () => {
  const entry = (sub: string, requestHeaders: Record<string, string>) => ({
    ...{ sub, type: 'HS256', secret: `key of ${sub}` },
    requestHeaders,
  });
  const stored = {
    restAuthentication: [
      entry('a', { authorization: 'Basic YTpi', 'X-Api-Key': 'k1', 'X-Kind': 'fall' }),
      entry('b', { Authorization: 'Bearer b' }),
    ],
  };

  it.each(['alarmBridge', 'cloudSipUa', 'mediaService', 'recordingService', 'notificationSettings'] as const)(
    'is shown for %s as the placeholder, whatever the case of its name, and kept when it is sent back',
    (resource) => {
      const masked = maskSecrets(resource, stored);
      expect(masked.restAuthentication.map(({ requestHeaders }) => requestHeaders)).toEqual([
        { authorization: '<secret>', 'X-Api-Key': '<secret>', 'X-Kind': 'fall' },
        { Authorization: '<secret>' },
      ]);
      const turned = { restAuthentication: masked.restAuthentication.toReversed() };
      expect(keepSecrets(resource, turned, stored)).toEqual({
        ok: true,
        value: { restAuthentication: stored.restAuthentication.toReversed() },
      });
    },
  );

  it('stands for an event sender in its endpoint, and one that is not stored cannot be kept', () => {
    const sender = { targetEndpoint: stored };
    const masked = maskSecrets('alarmEventMapper', sender);
    expect(JSON.stringify(masked)).not.toMatch(/Basic|Bearer|k1/);
    expect(keepSecrets('alarmEventMapper', masked, sender)).toEqual({ ok: true, value: sender });
    const fresh = { restAuthentication: [entry('c', { Cookie: '<secret>' })] };
    expect(keepSecrets('alarmBridge', fresh, { restAuthentication: [] })).toMatchObject({
      error: { path: '/restAuthentication/0/requestHeaders/Cookie' },
    });
  });

  it('is not sealed: an older host would send the sealed text', () => {
    const sealed: unknown[] = [];
    mapSecrets(stored, (value) => sealed.push(value));
    expect(sealed).toEqual(['key of a', 'key of b']);
  });
});
