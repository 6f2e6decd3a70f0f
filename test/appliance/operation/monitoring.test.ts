import { describe, expect, it } from 'vitest';
import { monitoringAccess } from '#appliance/operation/index.ts';

const access = (hosts: readonly string[], asked: (string | undefined)[] = []) =>
  monitoringAccess({
    hosts,
    isLocalKey: (key) => key === 'local',
    admits: async (authorization) => {
      asked.push(authorization);
      return authorization === 'Bearer tenant';
    },
  });

describe('the figures of a host', () => {
  it.each([[['127.0.0.1']], [['127.9.9.9']], [['::1']], [['localhost']], [['127.0.0.1', '::1']], [[]]])(
    'at %j are open',
    (hosts) => {
      expect(access(hosts)).toBeUndefined();
    },
  );

  it.each([
    [['0.0.0.0']],
    [['::']],
    [['192.0.2.1']],
    [['::10']],
    [['localhost.example']],
    [['10.127.0.1']],
    [['127.0.0.1', '192.0.2.1']],
  ])('at %j take a key or a token', async (hosts) => {
    const may = access(hosts);
    const answers = ['Bearer local', 'Bearer tenant', 'Bearer other', 'local', undefined].map((each) =>
      may?.(each),
    );
    expect(await Promise.all(answers)).toEqual([true, true, false, false, false]);
  });

  it('are not asked of the tenant where the key is known', async () => {
    const asked: (string | undefined)[] = [];
    await access(['0.0.0.0'], asked)?.('Bearer local');
    expect(asked).toEqual([]);
  });
});
