import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readHostStatus } from '#cloud/store/index.ts';
import { heartbeatOf, type MonitoringStage, openMonitoringStage, type Puppet } from './stage.ts';

let stage: MonitoringStage;
let host: Puppet;

beforeEach(async () => {
  stage = await openMonitoringStage();
  host = await stage.addHost();
  await stage.birth(host, { roles: ['leader'] });
});
afterEach(() => stage.close());

const received = () => stage.monitoring.observed(host.place.uid);
const beat = (changes: object) => stage.say(host, 'up/hb', heartbeatOf(host, changes));

describe('roles', () => {
  test('change with a heartbeat, which is written at once', async () => {
    await beat({ roles: ['leader', 'vip'] });
    const row = await readHostStatus(stage.store, host.place.uid);
    expect(row?.facts.roles).toEqual(['leader', 'vip']);
  });
  test('stay those of the birth for an older host, whose heartbeat has none', async () => {
    await beat({});
    expect(received()?.facts.roles).toEqual(['leader']);
  });
});

describe('last known good revisions', () => {
  const report = (changes: object) =>
    stage.say(host, 'up/cfg', {
      v: 1,
      sid: host.sid,
      scope: 'tenant',
      rev: 4,
      nonce: 'n',
      applied: 4,
      ms: 1,
      err: [],
      ...changes,
    });

  test('are those of its birth, and stay while newer ones are being judged', async () => {
    expect(received()?.facts.kept).toEqual({ tenant: 3, site: 2, host: 1, platform: 1 });
    await beat({ cfg: [4, 2, 1, 1], lkg: 0 });
    expect(received()).toMatchObject({ revTenant: 4, facts: { good: false, kept: { tenant: 3 } } });
    await beat({ cfg: [4, 2, 1, 1], lkg: 1 });
    expect(received()?.facts.kept).toEqual({ tenant: 4, site: 2, host: 1, platform: 1 });
  });
  test('move when the host says that its gate was passed, and not before', async () => {
    await report({ res: 'applied' });
    expect(received()?.facts.kept).toMatchObject({ tenant: 3 });
    await report({ res: 'ack' });
    expect(received()?.facts.kept).toEqual({ tenant: 4, site: 2, host: 1, platform: 1 });
    await report({ res: 'nack', rev: 5, err: [{ code: 'x', path: '/y', msg: 'z' }] });
    expect(received()?.facts.kept).toMatchObject({ tenant: 4 });
  });
});

test('contact is steady, and then counted', async () => {
  // Until 3 T + 60 s after a start a connection that ends may be our own doing.
  await stage.beating([host], 151);
  expect(received()?.contact).toEqual({ unstable: false, losses: 0, suppressed: 0 });
  await stage.say(host, 'up/state', { v: 1, st: 'off', sid: host.sid });
  expect(received()?.contact).toEqual({ unstable: false, losses: 1, suppressed: 0 });
});
