import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSqlite } from '#appliance/io/sqlite/index.ts';
import { simulateScaip } from '#appliance/simulator/index.ts';
import { until } from '#test/support/site.ts';
import { openSitePair, type PairHost, type SitePair } from '#test/support/site-pair.ts';

/*
 * Two hosts, each a process of its own. The second one reaches neither the edge listener nor the broker of the cloud:
 *
 *   cloud ◀── HTTPS, MQTT ── host one ◀── link of the site ── host two ──▶ (no address)
 */
const UNREACHABLE = 'https://127.0.0.1:9';
const WITHIN_MS = 90_000;

let pair: SitePair;
let two: PairHost;

beforeAll(async () => {
  pair = await openSitePair();
  [, two] = pair.hosts;
  await two.process.stop();
  const file = join(two.folder, 'identity.json');
  const identity = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(
    file,
    JSON.stringify({ ...identity, edgeUrl: UNREACHABLE, brokerUrl: 'mqtts://127.0.0.1:9' }),
  );
});
afterAll(() => pair.close());

async function device(deviceId: string): Promise<void> {
  const answer = await fetch(`${pair.api}/provisioning/device/${pair.domain}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${pair.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      deviceId,
      authType: 'deviceid',
      deviceType: 'alarmbridgeAlarmUnit',
      srtp: 'never',
    }),
  });
  expect(answer.status, await answer.text()).toBeLessThan(300);
}

/** The device is in the configuration that this host has on its disk. */
function knows({ folder }: PairHost, deviceId: string): boolean {
  const db = openSqlite({ file: join(folder, 'config.db'), readonly: true });
  try {
    return (
      db
        .prepare<[string], { id: string }>(`SELECT id FROM replica WHERE scope = 'tenant' AND body LIKE ?`)
        .get(`%"${deviceId}"%`) !== undefined
    );
  } finally {
    db.close();
  }
}

it('a host without WAN starts, and gets the changes of the meantime from the other one', async () => {
  await device('came-while-off');
  await two.process.start();
  expect(await until(() => knows(two, 'came-while-off'), WITHIN_MS)).toBe(true);
});

it('a change while it runs is there at once, and an alarm of a device made since is taken', async () => {
  const beganMs = performance.now();
  await device('came-later');
  expect(await until(() => knows(two, 'came-later'), WITHIN_MS)).toBe(true);
  process.stdout.write(`by way of the other host: ${Math.round(performance.now() - beganMs)} ms\n`);
  const acknowledged = Promise.withResolvers<string>();
  void simulateScaip({
    to: `127.0.0.1:${two.sipPort}`,
    transport: 'udp',
    domain: pair.domain,
    receiver: 'scaip',
    device: 'came-later',
    password: undefined,
    count: 1,
    rate: 1,
    deviceType: '0003',
    statusCode: '0010',
    trust: undefined,
    onAcknowledged: acknowledged.resolve,
  });
  await acknowledged.promise;
  const isDelivered = (): boolean => pair.received.some(({ path }) => path === '/newAlarmbridgeEvent');
  expect(await until(isDelivered, WITHIN_MS)).toBe(true);
});

it('it has done so without the cloud', () => {
  const log = readFileSync(pair.logFile('two'), 'utf8');
  const lives = log.split('"event":"uplink.connected"').length - 1;
  // The first life, before its line was cut.
  expect(lives).toBe(1);
});
