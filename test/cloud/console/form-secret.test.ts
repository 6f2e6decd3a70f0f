import { describe, expect, it } from 'vitest';
import type { Schema } from '#cloud/console/component/form/schema.ts';
import { withoutMasks, withoutSecrets } from '#cloud/console/component/form/secret.ts';
import { contractSchema } from '../../../installer/build/console/contract-schema.mjs';

describe('the beginning of a copy', () => {
  it('has no mask of a secret at any depth, which the control plane would refuse for a new resource', () => {
    const read = {
      name: 'North',
      restAuthentication: [{ sub: 'carillon', secret: '<secret>' }, { sub: 'other' }],
      dc09: { keys: ['<secret>', 'kept'], account: null },
    };
    expect(withoutMasks(read)).toEqual({
      name: 'North',
      restAuthentication: [{ sub: 'carillon' }, { sub: 'other' }],
      dc09: { keys: ['kept'], account: null },
    });
  });
});

describe('a draft in the tab', () => {
  const kept = (contract: string, values: object, stored: object = {}) =>
    withoutSecrets(contractSchema(contract) as Schema, { ...values }, { ...stored });
  const entry = { sub: 'carillon', type: 'ES256' };

  it.each<readonly [string, object, object]>([
    ['trunkRequestSchema', { name: 'North', password: 'typed', trunkKey: 'typed' }, { name: 'North' }],
    [
      'alarmBridgeRequestSchema',
      {
        restAuthentication: [{ ...entry, secret: 'typed' }],
        dc09: { key: 'typed', supervisionInterval: 60_000 },
      },
      { restAuthentication: [entry], dc09: { supervisionInterval: 60_000 } },
    ],
    [
      'alarmEventMapperRequestSchema',
      {
        targetEndpoint: {
          protocol: 'scaip',
          backupEndpoint: { uri: 'sip:a', backupSipAuthPassword: 'typed' },
        },
      },
      { targetEndpoint: { protocol: 'scaip', backupEndpoint: { uri: 'sip:a' } } },
    ],
    [
      'deviceRequestSchema',
      { ha1: 'typed', password: 'typed', serviceData: { alarmBridge: { dc09: { key: 'typed' } } } },
      { serviceData: { alarmBridge: { dc09: {} } } },
    ],
    ...['cloudSipUaRequestSchema', 'mediaServiceRequestSchema', 'recordingServiceRequestSchema'].map(
      (contract) =>
        [
          contract,
          { restAuthentication: [{ ...entry, secret: 'typed' }] },
          { restAuthentication: [entry] },
        ] as const,
    ),
  ])('has no secret that was typed: %s', (contract, typed, expected) => {
    expect(kept(contract, typed)).toEqual(expected);
  });

  it('keeps the mask of a stored secret, which a write would remove otherwise', () => {
    const stored = { name: 'North', password: '<secret>', trunkKey: '<secret>' };
    const typed = { ...stored, name: 'South', password: 'typed' };
    expect(kept('trunkRequestSchema', typed, stored)).toEqual({ ...stored, name: 'South' });
  });
});
