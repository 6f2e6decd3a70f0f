import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { demoHostOnline } from '#installer/step/demo-online.ts';

/* An API that shows the demo host with one status after the other; the last one stays. */

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function api(...statuses: string[]) {
  let asked = 0;
  const server = createServer((_, response) => {
    const status = statuses[Math.min(asked++, statuses.length - 1)];
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ success: true, data: { site: [{ hostId: 'demo-host', status }], sites: [] } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { asked: () => asked, api: { baseUrl: `http://127.0.0.1:${port}`, token: 't' } };
}

it('waits until the host is online', async () => {
  const cloud = await api('commissioning', 'offline', 'online');
  expect(await demoHostOnline(cloud.api, 10_000)).toBeUndefined();
  expect(cloud.asked()).toBe(3);
});

it.each(['degraded', 'unstable'])('a host that is %s takes alarms', async (status) => {
  const cloud = await api(status);
  expect(await demoHostOnline(cloud.api, 10_000)).toBeUndefined();
});

it.each(['draining', 'drained', 'quarantined', 'decommissioned'])(
  'does not wait for one that is %s',
  async (status) => {
    const cloud = await api(status);
    expect(await demoHostOnline(cloud.api, 10_000)).toContain(
      `the demo host is ${status} and takes no alarms`,
    );
    expect(cloud.asked()).toBe(1);
  },
);

it('says so when the time is over, also without an answer', async () => {
  const cloud = await api('commissioning');
  expect(await demoHostOnline(cloud.api, 1)).toContain('the demo host is commissioning and not online');
  expect(await demoHostOnline({ baseUrl: 'http://127.0.0.1:9', token: 't' }, 1)).toContain('not online');
});
