import { createPublicKey, createSign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeKeyPair } from '#cloud/console/client/key-pair.ts';
import { additionOf, removalOf } from '#cloud/console/page/credential/credential-patch.ts';
import { OPERATIONS } from '#shared/client/operation.codes.ts';

describe('a pair of keys made in the browser', () => {
  it('is PKCS#8 and SPKI of one key, which others read', async () => {
    const { privatePem, publicPem } = await makeKeyPair();
    const signature = createSign('sha256').update('a callback').sign(privatePem);
    expect(verify('sha256', Buffer.from('a callback'), createPublicKey(publicPem), signature)).toBe(true);
    expect(privatePem.split('\n').every((line) => line.length <= 64)).toBe(true);
  });
});

describe('the rotation of a callback key', () => {
  it('puts the new key before the old ones, with their subject and scope', () => {
    expect(additionOf([{ type: 'HS256', sub: 'carillon', scope: 'alarm' }, {}], 'PEM')).toEqual([
      {
        op: 'add',
        path: '/restAuthentication/0',
        value: { sub: 'carillon', scope: 'alarm', type: 'ES256', secret: 'PEM' },
      },
    ]);
    expect(additionOf([], 'PEM')).toEqual([
      { op: 'add', path: '/restAuthentication', value: [{ type: 'ES256', secret: 'PEM' }] },
    ]);
  });
  it('removes the old ones from the last one on, and never the one that signs', () => {
    expect(removalOf([{}, {}, {}]).map(({ path }) => path)).toEqual([
      '/restAuthentication/2',
      '/restAuthentication/1',
    ]);
    expect(removalOf([{}])).toEqual([]);
  });
  it.each(['patchProvisioningAlarmbridgeByAlarmBridgeId', 'patchProvisioningCloudsipuaByCloudSipUAId'])(
    '%s is an operation of the API',
    (name) => {
      expect(Object.keys(OPERATIONS)).toContain(name);
    },
  );
});
