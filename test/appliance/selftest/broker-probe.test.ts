import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { brokerProbe } from '#appliance/selftest/broker-probe.ts';
import type { BrokerEcho } from '#appliance/selftest/running.ts';
import type { HostIdentity } from '#appliance/site/index.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const at = (port: number) => ({ brokerUrl: `mqtt://127.0.0.1:${port}` }) as HostIdentity;
const running = (echo: BrokerEcho) => ({ echo: async () => echo });

async function listener(): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('the broker', () => {
  test('is skipped before enrolment, and never passed', async () => {
    const outcome = await brokerProbe(undefined, running({ kind: 'heard', ms: 1 }));
    expect(outcome).toEqual({ verdict: 'skipped', found: 'not enrolled', code: 'notEnrolled' });
  });

  test('is well when what we said came back, with the time it took', async () => {
    expect(await brokerProbe(at(1883), running({ kind: 'heard', ms: 4.25 }))).toEqual({
      verdict: 'ok',
      found: '127.0.0.1:1883, published and heard back in 4.3 ms',
    });
  });

  test('fails when it does not come back', async () => {
    expect(await brokerProbe(at(1883), running({ kind: 'notDelivered', waitedMs: 10_000 }))).toMatchObject({
      verdict: 'failure',
      code: 'mqtt.notDelivered',
    });
  });

  test('fails when there is no broker to ask', async () => {
    const outcome = { verdict: 'failure', code: 'service.silent' };
    expect(await brokerProbe(at(1883), undefined)).toMatchObject(outcome);
    expect(await brokerProbe(at(1883), { echo: () => Promise.reject(new Error('x')) })).toMatchObject(
      outcome,
    );
  });

  test('fails without a session, and says whether its port is open', async () => {
    const away = running({ kind: 'notConnected' });
    expect(await brokerProbe(at(await listener()), away)).toMatchObject({ code: 'mqtt.notConnected' });
    expect(await brokerProbe(at(9), away)).toMatchObject({
      verdict: 'failure',
      code: 'mqtt.unreachable',
      found: 'mqtt://127.0.0.1:9: ECONNREFUSED',
    });
  });
});
