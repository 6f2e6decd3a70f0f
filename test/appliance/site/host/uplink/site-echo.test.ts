import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SiteLine } from '../site-line.ts';
import { until } from '../site-world.ts';

let line: SiteLine;
beforeEach(async () => {
  line = await SiteLine.open();
});
afterEach(() => line.end());

/** Resolves when the broker has got so many births: the clock stands meanwhile. */
const born = (count: number): Promise<void> => until(() => line.births().length === count, `birth ${count}`);

describe('an echo', () => {
  it('is our own birth, sent and received back', async () => {
    const { agent } = await line.online();
    await line.world.advance(6_000);
    expect(await agent.echo()).toEqual({ kind: 'heard', ms: 0 });
    // The broker's own list may trail the connection that it answered.
    await born(2);
    expect(line.births().map(({ payload }) => payload.birthNo)).toEqual([1, 2]);
  });

  it('waits for its turn right after a birth, and one serves all who ask meanwhile', async () => {
    const { agent } = await line.online();
    const asked = [agent.echo(), agent.echo()];
    await line.world.advance(5_000);
    expect(await Promise.all(asked)).toEqual([
      { kind: 'heard', ms: 0 },
      { kind: 'heard', ms: 0 },
    ]);
    // The broker's own list may trail the connection that it answered.
    await born(2);
  });

  it('does not come from a broker that takes and does not deliver', async () => {
    const { agent } = await line.online();
    line.aedes.authorizeForward = (_client, packet) => (packet.topic.endsWith('/up/state') ? null : packet);
    await line.world.advance(6_000);
    const asked = agent.echo();
    await born(2);
    await line.world.advance(10_000);
    expect(await asked).toEqual({ kind: 'notDelivered', waitedMs: 10_000 });
  });

  it('is not the birth of before, which the broker keeps', async () => {
    const { agent } = await line.online();
    await line.world.advance(6_000);
    line.aedes.authorizeForward = () => null;
    const asked = agent.echo();
    await born(2);
    line.aedes.authorizeForward = (_client, packet) => packet;
    await line.say(line.down('up/state'), line.births()[0]?.payload ?? {}, true);
    // A message sent after it has been heard, so the first one was heard as well.
    await line.say(line.down('dn/req'), line.request('ping'));
    await until(() => line.of('up/res').length === 1, 'answer');
    await line.world.advance(10_000);
    expect(await asked).toMatchObject({ kind: 'notDelivered' });
  });

  it('ends with the connection', async () => {
    const { agent } = await line.online();
    const asked = agent.echo();
    line.closeAll();
    expect(await asked).toEqual({ kind: 'notConnected' });
  });

  it('is, for a connection that is only just being made, its first birth', async () => {
    const { agent } = line.world.host();
    agent.start();
    expect(await agent.echo()).toEqual({ kind: 'heard', ms: 0 });
    expect(line.births()).toHaveLength(1);
  });

  it('is given up after ten seconds without a connection', async () => {
    const silent = {
      publish: async () => undefined,
      subscribe: async () => undefined,
      end: async () => undefined,
    };
    const { agent } = line.world.host({ openBroker: () => silent });
    agent.start();
    const asked = agent.echo();
    await line.world.advance(10_000);
    expect(await asked).toEqual({ kind: 'notConnected' });
  });

  it('is none before enrolment', async () => {
    const { agent } = line.world.host({ identity: undefined });
    expect(await agent.echo()).toEqual({ kind: 'notEnrolled' });
  });
});
