import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { Aedes } from 'aedes';
import { afterEach, expect, it } from 'vitest';
import { openOwnerLink } from '#cloud/io/broker/link/owner-link.ts';
import { openRequestLink } from '#cloud/io/broker/link/request-link.ts';
import { Wire } from '#test/campaign/replica/wire.ts';
import { random } from '../stage.ts';

/* A broker behind a wire that forgets a connection: nothing is said on it any more, and no word of its end arrives. */

const TOPIC = 'carillon/1/05/t/s/u/dn/twin';
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of closing.splice(0).reverse()) await end();
});

async function brokerBehindWire() {
  const aedes = await Aedes.createBroker();
  const server: Server = createServer(aedes.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => new Promise<void>((resolve) => aedes.close(() => server.close(() => resolve()))));
  const wire = await Wire.open((server.address() as AddressInfo).port);
  closing.push(() => wire.stop());
  return { wire, dial: { kind: 'url', url: `mqtt://127.0.0.1:${wire.port}` } as const };
}

it.each(['handOver', 'goodbye', 'lost'] as const)(
  'a message in flight on a half-open connection delays no end of a shard (%s)',
  async (why) => {
    const { wire, dial } = await brokerBehindWire();
    const up = Promise.withResolvers<unknown>();
    const link = openOwnerLink({
      ...{ sh: '05', dial, epoch: 1, cap: [], random, mayConnect: () => true },
      ...{ onMessage: () => undefined, onUp: up.resolve, onDown: () => undefined },
    });
    await up.promise;
    wire.forget();
    const inProgress = link.publish(TOPIC, '{}', { qos: 1, retain: true });
    inProgress.catch(() => undefined);
    const beganMs = performance.now();
    await link.close(why);
    expect(performance.now() - beganMs).toBeLessThan(3_000);
  },
);

it('nor the end of the connection for questions', async () => {
  const { wire, dial } = await brokerBehindWire();
  const link = openRequestLink({ clientId: 'cp-r-one', dial, onMessage: () => undefined });
  const isOpen = () =>
    link.publish(TOPIC, '{}', { qos: 1, retain: false }).then(
      () => true,
      () => false,
    );
  await expect.poll(isOpen).toBe(true);
  wire.forget();
  link.publish(TOPIC, '{}', { qos: 1, retain: false }).catch(() => undefined);
  const beganMs = performance.now();
  await link.close();
  expect(performance.now() - beganMs).toBeLessThan(3_000);
});

it('a message that the broker had not taken when the connection ended fails, and its sender goes on', async () => {
  const { wire, dial } = await brokerBehindWire();
  const [up, down] = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
  const link = openOwnerLink({
    ...{ sh: '05', dial, epoch: 1, cap: [], random, mayConnect: () => true },
    ...{ onMessage: () => undefined, onUp: up.resolve, onDown: down.resolve },
  });
  closing.push(() => link.close('lost'));
  await up.promise;
  wire.cut();
  const inProgress = Promise.all([
    expect(link.publish(TOPIC, '{}', { qos: 1, retain: true })).rejects.toThrow('not published'),
    expect(link.publish(TOPIC, '{}', { qos: 1, retain: false })).rejects.toThrow('not published'),
  ]);
  wire.down();
  await down.promise;
  await inProgress;
});

it('so does a question', async () => {
  const { wire, dial } = await brokerBehindWire();
  const link = openRequestLink({ clientId: 'cp-r-one', dial, onMessage: () => undefined });
  closing.push(() => link.close());
  await expect.poll(() => link.isUp()).toBe(true);
  wire.cut();
  const question = expect(link.publish(TOPIC, '{}', { qos: 1, retain: false })).rejects.toThrow(
    'not published',
  );
  wire.down();
  await question;
});
