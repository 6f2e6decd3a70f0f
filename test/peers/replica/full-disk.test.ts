import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { fillDisk } from '#test/support/storage/full-disk.ts';
import { OWNER_TOKEN, type Replica, type Replicas, startReplicas } from '../cloud/replicas.ts';
import { runProgram } from '../support/program.ts';

const DOMAIN = 'full.example';
const place = new Place();
let replicas: Replicas;
let full: Replica;

beforeAll(async () => {
  const disk = place.folder();
  const mounted = await runProgram('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
  expect(mounted.code, mounted.stderr).toBe(0);
  await place.keep(Promise.resolve({ stop: async () => void (await runProgram('umount', [disk])) }));
  replicas = await startReplicas(place, 2, {
    environmentOf: (n) => (n === 1 ? { CARILLON_DATA: join(disk, 'data') } : {}),
  });
  const [, second] = replicas.all;
  if (second === undefined) throw new Error('there are not two replicas');
  full = second;
  fillDisk(join(disk, 'filler'));
  const made = await replicas.ask(full, 'POST', '/platform/tenant', { domain: DOMAIN });
  expect(made).toMatchObject({ status: 200 });
}, 500_000);
afterAll(() => place.close());

async function works(deviceId: string): Promise<void> {
  const path = `/provisioning/device/${DOMAIN}`;
  const device = { deviceId, authType: 'deviceid', srtp: 'never' };
  expect(await replicas.ask(full, 'PUT', path, device)).toMatchObject({ status: 200 });
  for (const each of replicas.all)
    expect(await replicas.ask(each, 'GET', `${path}/${deviceId}`)).toMatchObject({ status: 200, deviceId });
  expect((await fetch(`${full.api}/readyz`)).status).toBe(200);
  // It has its part of the shards.
  await expect.poll(() => replicas.figure('carillon_shard_owned', full)).toBe(32);
}

it('a replica whose own disk is full takes changes, observes its hosts, and starts again', {
  timeout: 400_000,
}, async () => {
  await works('while-it-runs');
  await full.process.kill();
  await full.process.start({}, 240_000);
  await works('behind-a-start');
  const answer = await fetch(`${full.api}/metrics`, { headers: { authorization: `Bearer ${OWNER_TOKEN}` } });
  expect(answer.status).toBe(200);
});
