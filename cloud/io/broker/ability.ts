import type { Duplex } from 'node:stream';
import { type IClientOptions, MqttClient, connect as mqttConnect } from 'mqtt';
import { type BrokerSubscription, closed, comes, hear, say, subscriptionOf } from './broker-subscription.ts';
import { type Dial, securityOf } from './link/owner-link.ts';

/** An ability of a broker. */
export interface Ability {
  readonly name: 'clientId' | 'retain' | 'will' | 'takeover' | 'session' | 'mqtt5' | 'share';
  readonly able: boolean;
  /** Without it hosts are not supervised rightly; the others are facts and nothing here relies on them. */
  readonly needed: boolean;
}

export interface AbilitySetting {
  /** Client ids begin with it, and the branch of the tree that is used is called so: `[0-9a-z]{26}`. */
  readonly id: string;
  /** The broker of this process by its own access, or an address where the control plane is let in. */
  readonly dial:
    | { readonly kind: 'inside'; readonly open: (id: string) => Duplex }
    | Extract<Dial, { readonly kind: 'url' }>;
}

const CONNECT_MS = 5_000;

/**
 * Tries a broker in a branch where no other client listens (control plane, section 3.7): longest client id, retained message,
 * will, takeover, kept session, MQTT 5, shared subscription. Rejects when it cannot be reached at all.
 */
export async function probeAbilities({ id, dial: link }: AbilitySetting): Promise<Ability[]> {
  const branch = `carillon/1/probe/${id}`;
  const open: MqttClient[] = [];
  const connect = (options: IClientOptions): MqttClient =>
    link.kind === 'inside'
      ? new MqttClient(() => link.open(id) as never, options)
      : mqttConnect(link.url, { ...options, ...securityOf(link) });

  async function dial(suffix: string, more: IClientOptions = {}): Promise<BrokerSubscription> {
    const client = connect({
      clientId: `${id}${suffix}`,
      protocolVersion: 4,
      clean: true,
      keepalive: 30,
      connectTimeout: CONNECT_MS,
      reconnectPeriod: 0,
      resubscribe: false,
      ...more,
    });
    open.push(client);
    const subscription = subscriptionOf(client);
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('the broker does not answer')), CONNECT_MS).unref();
      client.once('connect', () => {
        clearTimeout(late);
        resolve();
      });
      client.once('error', reject);
      client.once('close', () => reject(new Error('the broker closed the connection')));
    });
    return subscription;
  }
  const can = (work: () => Promise<boolean>): Promise<boolean> => work().catch(() => false);

  const clientId = () => can(async () => (await dial('-'.padEnd(38, 'x'))).client.connected);
  const retain = async (speaker: BrokerSubscription): Promise<boolean> => {
    await say(speaker, `${branch}/kept`, 'kept', true);
    const late = await dial('-late');
    await hear(late, [`${branch}/#`]);
    const kept = (await comes(late, `${branch}/kept`)) === 'kept';
    await say(speaker, `${branch}/kept`, '', true);
    return kept;
  };
  const will = async (listener: BrokerSubscription): Promise<boolean> => {
    const last = { topic: `${branch}/will`, payload: Buffer.from('gone'), qos: 1, retain: false } as const;
    const dying = await dial('-dying', { will: last });
    dying.client.stream.destroy();
    return (await comes(listener, `${branch}/will`)) === 'gone';
  };
  const takeover = async (): Promise<boolean> => {
    const first = await dial('-twice');
    const second = await dial('-twice');
    return (await closed(first.client)) && second.client.connected;
  };
  const session = async (speaker: BrokerSubscription): Promise<boolean> => {
    const first = await dial('-stays', { clean: false });
    await hear(first, [`${branch}/#`]);
    await first.client.endAsync();
    await say(speaker, `${branch}/meanwhile`, 'meanwhile');
    const back = await dial('-stays', { clean: false });
    const waited = (await comes(back, `${branch}/meanwhile`)) === 'meanwhile';
    await back.client.endAsync();
    // Leaves no session behind.
    await dial('-stays');
    return waited;
  };
  const mqtt5 = () => can(async () => (await dial('-five', { protocolVersion: 5 })).client.connected);
  const share = (speaker: BrokerSubscription) =>
    can(async () => {
      const one = await dial('-share');
      await hear(one, [`$share/probe/${branch}/#`]);
      if (!one.client.connected) return false;
      await say(speaker, `${branch}/shared`, 'shared');
      return (await comes(one, `${branch}/shared`)) === 'shared';
    });

  try {
    const owner = await dial('-owner');
    await hear(owner, [`${branch}/#`]);
    const found = async (
      name: Ability['name'],
      needed: boolean,
      able: Promise<boolean>,
    ): Promise<Ability> => ({
      name,
      able: await able,
      needed,
    });
    return await Promise.all([
      found('clientId', true, clientId()),
      found(
        'retain',
        true,
        can(() => retain(owner)),
      ),
      found(
        'will',
        true,
        can(() => will(owner)),
      ),
      found('takeover', true, can(takeover)),
      found(
        'session',
        true,
        can(() => session(owner)),
      ),
      found('mqtt5', false, mqtt5()),
      found('share', false, share(owner)),
    ]);
  } finally {
    for (const client of open) await client.endAsync(true).catch(() => undefined);
  }
}
