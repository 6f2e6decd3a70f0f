import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SwarmRun, simulateSwarm } from '#appliance/simulator/index.ts';
import { openWholeCloud, type WholeCloud } from '../../cloud/whole-cloud.ts';

let cloud: WholeCloud;
let folder: string;
beforeAll(async () => {
  cloud = await openWholeCloud();
  folder = mkdtempSync(join(tmpdir(), 'carillon-swarm-'));
  await ask('POST', '/platform/tenant', { domain: 'swarm.test' });
});
afterAll(async () => {
  await cloud.close();
  rmSync(folder, { recursive: true });
});

async function ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${cloud.api}${path}`, {
    method,
    headers: { authorization: `Bearer ${cloud.owner}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Record<string, unknown>;
}

const swarm = (changes: Partial<SwarmRun> = {}) =>
  simulateSwarm({
    cloud: cloud.api,
    token: cloud.owner,
    domain: 'swarm.test',
    hosts: 6,
    sites: 3,
    profile: 'high',
    folder,
    seconds: 6,
    alarms: 0,
    faults: 0,
    ...changes,
  });

it('enrols hosts that connect, are configured and pass their checks', { timeout: 60_000 }, async () => {
  const end = await swarm();
  expect(end).toMatchObject({ hosts: 6, connected: 6, configured: 6 });
  const { operations } = await ask('GET', '/site/swarm.test/operation');
  expect(operations).toHaveLength(6);
  for (const operation of operations as { steps: object[] }[])
    expect(operation.steps[0]).toMatchObject({ step: 'checks', state: 'done' });
});

it('comes again as the same hosts, whose lines break and whose alarms are reported', {
  timeout: 60_000,
}, async () => {
  const end = await swarm({ alarms: 1_800, faults: 360 });
  expect(end.said.state).toBeGreaterThanOrEqual(6);
  const { data } = (await ask('GET', '/site/swarm.test')) as { data: { site: object[] } };
  expect(data.site).toHaveLength(6);
  const { alarms } = await ask('GET', '/site/swarm.test/alarm');
  expect((alarms as { error: string }[]).map(({ error }) => error)).toContain('serviceFailure');
});
