import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { Aedes, type AedesPublishPacket } from 'aedes';
import { afterEach, describe, expect, it } from 'vitest';
import { openEmbeddedBroker, probeAbilities, type Refused } from '#cloud/io/broker/index.ts';
import { ulid } from '#shared/id.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const id = () => ulid(Date.now(), randomBytes(10));
const able = (found: Awaited<ReturnType<typeof probeAbilities>>) =>
  Object.fromEntries(found.map((each) => [each.name, each.able]));

/** aedes as it comes, but for what `broken` takes away. */
async function bare(broken: object = {}): Promise<string> {
  const broker = await Aedes.createBroker(broken);
  const server: Server = createServer(broker.handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => new Promise((resolve) => broker.close(() => server.close(resolve))));
  return `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('abilities of a broker', () => {
  it('ours has what is needed, and refuses the rest without a word of it in the log', async () => {
    const refused: Refused[] = [];
    const embedded = await openEmbeddedBroker({
      listen: { host: '127.0.0.1', port: 0 },
      tls: undefined,
      admit: async () => undefined,
      rateLimits: true,
      onRefused: (event) => refused.push(event),
    });
    ends.push(embedded.close);
    const found = await probeAbilities({ id: id(), dial: { kind: 'inside', open: embedded.dialProbe } });
    expect(able(found)).toEqual({
      clientId: true,
      retain: true,
      will: true,
      takeover: true,
      session: true,
      mqtt5: false,
      share: false,
    });
    expect(found.filter(({ needed }) => !needed).map(({ name }) => name)).toEqual(['mqtt5', 'share']);
    expect(refused).toEqual([]);
  });

  it('one that loses what is retained, and wills, is found out', async () => {
    const isLost = ({ retain, topic }: AedesPublishPacket) => retain || topic.endsWith('/will');
    const url = await bare({
      authorizePublish: (_: unknown, packet: AedesPublishPacket, done: (error?: Error | null) => void) => {
        if (isLost(packet)) Object.assign(packet, { retain: false, topic: 'lost' });
        done(null);
      },
    });
    const found = able(await probeAbilities({ id: id(), dial: { kind: 'url', url } }));
    expect(found).toMatchObject({ clientId: true, takeover: true, retain: false, will: false });
  });

  it('one that is not there is no broker without abilities', async () => {
    const dial = { kind: 'url', url: 'mqtt://127.0.0.1:9' } as const;
    await expect(probeAbilities({ id: id(), dial })).rejects.toThrow(/ECONNREFUSED|closed/);
  });
});
