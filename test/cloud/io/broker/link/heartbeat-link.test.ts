import { once } from 'node:events';
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net';
import { createServer } from 'node:tls';
import { Aedes } from 'aedes';
import { connectAsync } from 'mqtt';
import { afterEach, expect, it, vi } from 'vitest';
import { createAuthorityChain, openAuthority } from '#cloud/io/authority/index.ts';
import { type Dial, openBroker } from '#cloud/io/broker/index.ts';
import { HeartbeatLink } from '#cloud/io/broker/link/heartbeat-link.ts';
import { openShardLinks, type ShardLinksSetting } from '#cloud/io/broker/link/shard-links.ts';
import { random } from '../stage.ts';

/* Heartbeats come by one connection of the process, other messages by that of their shard. */

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of closing.splice(0).reverse()) await end();
});

const placeIn = (sh: string) => `carillon/1/${sh}/t/s/u`;
const loopTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A broker with TLS, as those outside have it: a paused connection stops reading there alone. */
async function broker() {
  const authority = await openAuthority(await createAuthorityChain(Date.now()));
  const { cert, key } = await authority.issueServer(['127.0.0.1'], Date.now());
  const aedes = await Aedes.createBroker();
  const server = createServer({ cert, key }, aedes.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => new Promise<void>((resolve) => aedes.close(() => server.close(() => resolve()))));
  const say = (topic: string, payload: string) =>
    aedes.publish({ cmd: 'publish', topic, payload, qos: 0, retain: false, dup: false }, (cause) => {
      if (cause) throw cause;
    });
  const url = `mqtts://127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** Ends the connection of a client, as a broker may. */
  const cut = (clientId: string) => {
    const { clients } = aedes as unknown as { readonly clients: Record<string, { close: () => void }> };
    clients[clientId]?.close();
  };
  return { aedes, say, cut, dial: { kind: 'url', url, tls: { ca: authority.ca } } as const };
}

type Stage = Awaited<ReturnType<typeof broker>>;

/** Heartbeats as they come, one word each. */
function heartbeatsFrom({ dial }: Stage) {
  const taken: string[] = [];
  const link = new HeartbeatLink({
    ...{ clientId: 'cp-h-one', dial },
    onMessage: (topic, payload) => void taken.push(`${topic.split('/')[2]} ${payload.toString('utf8')}`),
  });
  closing.push(() => link.close());
  const serve = async (sh: string) => {
    const up = Promise.withResolvers<void>();
    const leave = link.serve(sh, { onUp: up.resolve, onDown: () => undefined });
    await up.promise;
    return leave;
  };
  return { link, taken, serve };
}

/** The links of shard 05 at one broker, and everything that is said of it. */
function shardAt(
  { dial }: { readonly dial: Dial },
  link: HeartbeatLink,
  on: Partial<ShardLinksSetting> = {},
) {
  const changes: string[] = [];
  const reasons: string[] = [];
  const links = openShardLinks({
    ...{ sh: '05', epoch: 1, cap: [], random, mayConnect: () => true, dials: [dial], heartbeats: [link] },
    onMessage: () => undefined,
    onChange: (_, up, change) => void changes.push(`${change} ${up}`),
    onDown: (_, reason) => void reasons.push(reason),
    ...on,
  });
  closing.push(() => links.close('lost'));
  return { links, changes, reasons };
}

it('brings the heartbeats of the shards that are served, until they are left', async () => {
  const stage = await broker();
  const { taken, serve } = heartbeatsFrom(stage);
  const leave = await serve('05');
  await serve('07');
  for (const sh of ['04', '05', '06', '07']) stage.say(`${placeIn(sh)}/up/hb`, 'one');
  await expect.poll(() => taken).toEqual(['05 one', '07 one']);
  leave();
  // Behind its answer the broker sends nothing of that shard.
  await serve('08');
  for (const sh of ['05', '08']) stage.say(`${placeIn(sh)}/up/hb`, 'two');
  await expect.poll(() => taken).toEqual(['05 one', '07 one', '08 two']);
});

it('reads what has come within a second at once', async () => {
  const stage = await broker();
  const { taken, serve } = heartbeatsFrom(stage);
  await serve('05');
  stage.say(`${placeIn('05')}/up/hb`, 'first');
  await expect.poll(() => taken.length).toBe(1);
  const turnsWithSome = new Set<number>();
  for (let turn = 0, before = 1; taken.length < 101; turn++) {
    if (turn < 100) stage.say(`${placeIn('05')}/up/hb`, String(turn));
    await loopTurn();
    if (taken.length > before) turnsWithSome.add(turn);
    before = taken.length;
  }
  expect(turnsWithSome.size).toBeLessThan(10);
  expect(taken.slice(1)).toEqual(Array.from({ length: 100 }, (_, n) => `05 ${n}`));
});

it('says the end of a reading behind all heartbeats that were read in it', async () => {
  const stage = await broker();
  const taken: string[] = [];
  const link: HeartbeatLink = new HeartbeatLink({
    ...{ clientId: 'cp-h-one', dial: stage.dial },
    onMessage: (_, payload) => {
      if (link.atEnd(() => taken.push('end'))) taken.push(payload.toString('utf8'));
    },
  });
  closing.push(() => link.close());
  const up = Promise.withResolvers<void>();
  link.serve('05', { onUp: up.resolve, onDown: () => undefined });
  await up.promise;
  expect(link.atEnd(() => taken.push('never'))).toBe(false);
  for (let n = 0; n < 3; n++) {
    stage.say(`${placeIn('05')}/up/hb`, 'one');
    stage.say(`${placeIn('05')}/up/hb`, 'two');
    await expect.poll(() => taken, { timeout: 5_000 }).toEqual(['one', 'two', 'end', 'end']);
    taken.length = 0;
  }
});

it('has those that come together taken at the end of the reading, without a timer for each moment', async () => {
  const stage = await broker();
  const opened = openBroker({
    ...{ dials: [stage.dial], heartbeats: 'cp-h-one', owned: new Map([['05', 1]]), isOwned: () => true },
    ...{
      cap: [],
      random,
      kick: () => undefined,
      closeBroker: async () => undefined,
      onDown: () => undefined,
    },
  });
  closing.push(() => opened.close());
  const order: string[] = [];
  opened.onMessage((topic, payload) => {
    if (!topic.endsWith('/up/hb')) return;
    if (order.push(payload.toString('utf8')) === 1) opened.behindHeartbeats(() => order.push('end'));
  });
  await opened.ready;
  const timers = vi.spyOn(globalThis, 'setTimeout');
  closing.push(() => timers.mockRestore());
  for (const word of ['one', 'two', 'three']) stage.say(`${placeIn('05')}/up/hb`, word);
  await expect.poll(() => order.filter((each) => each !== 'end'), { timeout: 5_000 }).toHaveLength(3);
  await expect.poll(() => order).toContain('end');
  expect(timers.mock.calls.filter(([, ms]) => ms === 100)).toEqual([]);
});

it('takes another message of a host behind each heartbeat that was sent before it', async () => {
  const stage = await broker();
  const order: string[] = [];
  const link = new HeartbeatLink({
    ...{ clientId: 'cp-h-one', dial: stage.dial },
    onMessage: (_, payload) => void order.push(payload.toString('utf8')),
  });
  closing.push(() => link.close());
  const { changes } = shardAt(stage, link, {
    onMessage: (_, topic, payload) => {
      if (topic.endsWith('/up/cfg')) order.push(payload.toString('utf8'));
    },
  });
  await expect.poll(() => changes).toEqual(['gained true']);
  for (let n = 0; n < 50; n++) {
    // A paused connection has read this one, and no more.
    stage.say(`${placeIn('05')}/up/hb`, `early ${n}`);
    for (let turn = 0; turn < 5; turn++) await loopTurn();
    stage.say(`${placeIn('05')}/up/hb`, `heartbeat ${n}`);
    stage.say(`${placeIn('05')}/up/cfg`, `report ${n}`);
    if (n % 3 === 0) await expect.poll(() => order.length).toBe(3 * n + 3);
  }
  await expect.poll(() => order.length).toBe(150);
  for (const kind of ['early', 'heartbeat', 'report'])
    expect(order.filter((each) => each.startsWith(kind))).toEqual(
      Array.from({ length: 50 }, (_, n) => `${kind} ${n}`),
    );
  const overtaken = order.filter((each, at) => order.indexOf(each.replace('report', 'heartbeat')) > at);
  expect(overtaken).toEqual([]);
});

it('leaves a broker without the shard until its heartbeats come, and when they come no more', async () => {
  const stage = await broker();
  const refused = new Set(['cp-h-one']);
  stage.aedes.authorizeSubscribe = (client, filter, answer) =>
    answer(null, client !== null && refused.has(client.id) ? null : filter);
  const { link } = heartbeatsFrom(stage);
  const { changes, reasons, links } = shardAt(stage, link);
  await expect.poll(() => reasons, { timeout: 10_000 }).not.toEqual([]);
  expect([links.up.size, changes.includes('gained true')]).toEqual([0, false]);
  refused.clear();
  await expect.poll(() => links.up.size, { timeout: 10_000 }).toBe(1);
  // Each try has failed for the same reason.
  expect(reasons).toHaveLength(1);
  changes.length = 0;
  stage.cut('cp-h-one');
  await expect.poll(() => changes).toContain('lost false');
  await expect.poll(() => changes.at(-1), { timeout: 10_000 }).toBe('gained true');
});

it('brings no heartbeat twice where the session of an earlier version listens to everything', async () => {
  const stage = await broker();
  const earlier = await connectAsync(stage.dial.url, {
    ...{ clientId: 'cp-05', clean: false, ca: stage.dial.tls.ca },
  });
  await earlier.subscribeAsync('carillon/1/05/+/+/+/up/#', { qos: 1 });
  await earlier.endAsync();
  const { link, taken } = heartbeatsFrom(stage);
  const others: string[] = [];
  const { links } = shardAt(stage, link, {
    onMessage: (_, topic) => {
      if (topic.includes('/up/')) others.push(topic);
    },
  });
  await expect.poll(() => links.up.size).toBe(1);
  stage.say(`${placeIn('05')}/up/hb`, 'one');
  stage.say(`${placeIn('05')}/up/res`, 'answer');
  await expect.poll(() => others).toEqual([`${placeIn('05')}/up/res`]);
  expect(taken).toEqual(['05 one']);
});

it('reports a broker that is away once, though both connections try again and again and say other reasons', async () => {
  const listening = async (server: Server) => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { kind: 'url', url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}` } as const;
  };
  const away = createPlainServer();
  const refusing = await listening(away);
  await new Promise((resolve) => away.close(resolve));
  const closer = createPlainServer((socket) => socket.destroy());
  closing.push(() => closer.close());
  const link = new HeartbeatLink({ clientId: 'cp-h-one', dial: refusing, onMessage: () => undefined });
  closing.push(() => link.close());
  const { changes, reasons } = shardAt({ dial: await listening(closer) }, link);
  await expect.poll(() => changes.length, { timeout: 15_000 }).toBeGreaterThan(5);
  expect(new Set(changes)).toEqual(new Set(['lost false']));
  expect(reasons).toHaveLength(1);
});
