import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { aesCbc, type Listening, openFrameListener } from '#appliance/io/frame-listener/index.ts';
import { simulateDc09 } from '#appliance/simulator/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** The whole appliance behind a real DC-09 port. */
async function receiver(clockOffMs = 0) {
  const site = await testAppliance();
  open.push(() => site.close());
  site.setWallBy(Date.now() + clockOffMs - site.clock.wallMs());
  site.bridge({ protocol: 'dc09', name: 'Panels', destinationMatch: '#1234$' });
  site.answerBy(() => answered({ action: 'drop' }));
  const listening: Listening = await openFrameListener(
    { host: '127.0.0.1', port: 0 },
    {
      frame: (frame, connection) => site.runtime.dc09.frame(frame, connection),
      closed: (connection) => site.runtime.dc09.closed(connection),
      report: () => undefined,
    },
  );
  open.push(() => listening.close());
  return { site, to: `127.0.0.1:${listening.port}` };
}

const usual = { token: 'SIA-DCS', account: '1234', data: 'NBA07', key: undefined, count: 1 } as const;

describe('a simulated panel', () => {
  it.each(['tcp', 'udp'] as const)('sends frames over %s and gets each acknowledged', async (transport) => {
    const { site, to } = await receiver();
    const outcome = await simulateDc09({ ...usual, to, transport, count: 5 });
    expect(outcome).toEqual({ sent: 5, acknowledged: 5, failures: [] });
    await site.quiet();
    expect(site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent')).toHaveLength(5);
  });

  it.each([16, 24, 32])('encrypts with a key of %d bytes and sets its clock by a NAK', async (bytes) => {
    const { site, to } = await receiver(3_600_000);
    const key = randomBytes(bytes).toString('hex');
    site.device({ deviceId: '1234', serviceData: { alarmBridge: { dc09: { key } } } });
    const said: string[] = [];
    const onStep = ({ text }: { readonly text: string }) => void said.push(text);
    const outcome = await simulateDc09({ ...usual, to, transport: 'tcp', key, count: 2, onStep });
    expect(outcome.acknowledged).toBe(2);
    expect(said.filter((text) => text.includes('NAK'))).toHaveLength(1);
  });

  it('says why a receiver refuses it', async () => {
    const { site, to } = await receiver();
    site.device({
      deviceId: '1234',
      serviceData: { alarmBridge: { dc09: { key: randomBytes(16).toString('hex') } } },
    });
    const key = randomBytes(16).toString('hex');
    const outcome = await simulateDc09({ ...usual, to, transport: 'tcp', key });
    expect(outcome.failures).toEqual(['the receiver cannot process the frame (DUH): account, key or format']);
  });

  it('rejects with the address where there is no listener', async () => {
    await expect(simulateDc09({ ...usual, to: '127.0.0.1:1', transport: 'tcp' })).rejects.toThrow(
      'nobody listens for DC-09 on 127.0.0.1:1',
    );
  });
});

it('has the cipher it needs', () => {
  expect(aesCbc.encrypt(randomBytes(16), new Uint8Array(16), new Uint8Array(16))).toHaveLength(16);
});
