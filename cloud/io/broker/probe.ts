import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { type BrokerSubscription, closed, comes, hear, say, subscriptionOf } from './broker-subscription.ts';

/** One thing that a broker must do, or must not. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  /** The observation, and the advice where it is not well. */
  readonly sentence: string;
}

export interface ProbeSetting {
  readonly url: string;
  /** PEM of the roots that the broker's own certificate goes up to; absent: those of the system. */
  readonly ca: string | undefined;
  /** By what the control plane is let in. */
  readonly owner: { readonly cert?: string; readonly key?: string };
  /** A made-up host: a certificate of our authority in its name, and its branch of the tree. */
  readonly host: {
    readonly uid: string;
    readonly cert: string;
    readonly key: string;
    readonly branch: string;
  };
  /** The branch of another host, where the first has no rights. */
  readonly foreignBranch: string;
  /** A topic of the shard's owner, which hosts hear. */
  readonly ownerTopic: string;
}

const CONNECT_MS = 10_000;
/** The largest message of the management tree. */
const LARGEST_BYTES = 64 * 1_024;

const words = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/**
 * Tries an external broker as the control plane, as a host, as a foreign host and as a stranger (control plane, sections
 * 3.7 and 3.8): only what we rely on is asked, with names of its own, so that a control plane at work notices nothing.
 */
export async function probeBroker(setting: ProbeSetting): Promise<Finding[]> {
  const { url, ca, host, foreignBranch, ownerTopic } = setting;
  const findings: Finding[] = [];
  const open: MqttClient[] = [];
  const find = (name: string, ok: boolean, well: string, unwell: string) =>
    findings.push({ name, ok, sentence: ok ? well : unwell });

  async function dial(clientId: string, more: IClientOptions): Promise<BrokerSubscription> {
    const client = await connectAsync(url, {
      clientId,
      protocolVersion: 4,
      clean: true,
      keepalive: 30,
      connectTimeout: CONNECT_MS,
      reconnectPeriod: 0,
      ...(ca === undefined ? {} : { ca }),
      ...more,
    });
    open.push(client);
    return subscriptionOf(client);
  }

  const asHost = (more: IClientOptions = {}) => dial(host.uid, { cert: host.cert, key: host.key, ...more });
  const ownerId = `check-${host.uid.slice(-12)}`;

  /** Whether a client without permission gets in. */
  async function getsIn(clientId: string, more: IClientOptions): Promise<boolean> {
    try {
      await dial(clientId, more);
      return true;
    } catch {
      return false;
    }
  }

  try {
    let owner: BrokerSubscription;
    try {
      owner = await dial(ownerId, setting.owner);
      find('reach', true, 'The broker lets the control plane in.', '');
    } catch (cause) {
      const why = `The broker does not let the control plane in: ${words(cause)}. Look at CARILLON_MQTT, CARILLON_MQTT_CERT, CARILLON_MQTT_KEY and CARILLON_TRUST.`;
      find('reach', false, '', why);
      return findings;
    }
    const hears = [`${host.branch}/up/#`, `${foreignBranch}/#`, ownerTopic];
    await hear(owner, hears);
    /** A broker may cut off whoever says what it does not take. */
    const steady = async (): Promise<BrokerSubscription> => {
      if (owner.client.connected) return owner;
      owner = await dial(ownerId, setting.owner);
      await hear(owner, hears);
      return owner;
    };

    let one: BrokerSubscription;
    try {
      one = await asHost();
      find(
        'host',
        true,
        'A host is let in by its certificate, and its client id of 26 characters is accepted.',
        '',
      );
    } catch (cause) {
      find(
        'host',
        false,
        '',
        `A host is not let in: ${words(cause)}. The authority in carillon-ca.pem must be trusted for clients.`,
      );
      return findings;
    }
    await hear(one, [`${host.branch}/dn/+`, ownerTopic]);
    await say(one, `${host.branch}/up/res`, 'own');
    find(
      'speak',
      (await comes(await steady(), `${host.branch}/up/res`)) === 'own',
      'Messages of a host in its own branch arrive.',
      `A host may not write below its own branch: allow it ${host.branch.replace(host.uid, '%u')}/up/#.`,
    );
    const large = 'x'.repeat(LARGEST_BYTES);
    await say(await steady(), `${host.branch}/dn/twin`, large);
    find(
      'size',
      (await comes(one, `${host.branch}/dn/twin`)) === large,
      'A message of 64 KiB arrives, and a host receives the messages for it.',
      'A message of 64 KiB to a host does not arrive: allow it to read dn/+ of its branch, and packets of 73728 bytes.',
    );

    await say(await steady(), `${host.branch}/dn/req`, 'kept', true);
    const late = await asHost();
    find(
      'takeover',
      await closed(one.client),
      'The broker ends the first connection of a client id when a second one opens.',
      'The broker keeps two connections of one client id, and must end the older one (MQTT 3.1.1, 3.1.4). Correct its configuration.',
    );
    await hear(late, [`${host.branch}/dn/+`]);
    find(
      'retain',
      (await comes(late, `${host.branch}/dn/req`)) === 'kept',
      'The broker keeps a retained message for later subscribers.',
      'The broker does not keep retained messages, and hosts read their twins from them. Switch retained messages on.',
    );
    await say(await steady(), `${host.branch}/dn/req`, '', true);
    await late.client.endAsync(true);

    await steady();
    const dying = await asHost({
      will: { topic: `${host.branch}/up/state`, payload: Buffer.from('gone'), qos: 1, retain: false },
    });
    dying.client.stream.destroy();
    find(
      'will',
      (await comes(await steady(), `${host.branch}/up/state`)) === 'gone',
      'The broker publishes the will of a client that is cut off.',
      'The will of a host that was cut off does not arrive: allow wills, and let hosts write up/state.',
    );

    const bold = await asHost();
    const forged = [`${foreignBranch}/up/hb`, `${foreignBranch}/dn/twin`, ownerTopic];
    (await steady()).received.clear();
    for (const topic of forged) await say(bold, topic, 'forged');
    const probe = bold.client.connected ? bold : await asHost();
    await say(probe, `${host.branch}/up/res`, 'last');
    await comes(await steady(), `${host.branch}/up/res`);
    const passed = forged.filter((topic) => owner.received.get(topic) === 'forged');
    find(
      'foreign-write',
      passed.length === 0,
      'Messages of a host in the name of another host, or of the control plane, reach no client.',
      `A host may write ${passed.join(', ')}: install carillon.acl, and allow nothing besides it.`,
    );

    const nosy = probe.client.connected ? probe : await asHost();
    nosy.received.clear();
    for (const filter of ['#', 'carillon/#', `${foreignBranch}/#`, `$share/all/${foreignBranch}/#`])
      await hear(nosy, [filter]);
    const secret = [`${foreignBranch}/dn/twin`, `${foreignBranch}/up/hb`];
    for (const topic of secret) await say(await steady(), topic, 'secret');
    if (nosy.client.connected) {
      await hear(nosy, [`${host.branch}/dn/+`]);
      await say(await steady(), `${host.branch}/dn/ack`, 'last');
      await comes(nosy, `${host.branch}/dn/ack`);
    }
    const leaked = secret.filter((topic) => nosy.received.get(topic) === 'secret');
    find(
      'foreign-read',
      leaked.length === 0,
      'A host receives no message for another host, whatever it subscribes to.',
      `A host receives ${leaked.join(', ')}: install carillon.acl, which also judges deliveries.`,
    );

    const session: IClientOptions = { ...setting.owner, clean: false };
    const keptId = `${ownerId}-k`;
    const first = await dial(keptId, session);
    await hear(first, [`${host.branch}/up/#`]);
    await first.client.endAsync();
    const meanwhile = nosy.client.connected ? nosy : await asHost();
    await say(meanwhile, `${host.branch}/up/cfg`, 'meanwhile');
    const back = await dial(keptId, session);
    find(
      'session',
      (await comes(back, `${host.branch}/up/cfg`)) === 'meanwhile',
      'The broker keeps messages while the control plane is disconnected for a moment.',
      'The broker does not keep the session of the control plane. Allow persistent sessions and queued messages of QoS 1.',
    );
    await back.client.endAsync();
    // Leaves no session behind.
    await (await dial(keptId, setting.owner)).client.endAsync();

    const isAdmitted = await getsIn(`stranger-${host.uid.slice(-8)}`, {});
    find(
      'stranger',
      !isAdmitted,
      'No client is let in without a certificate.',
      'The broker lets in a client without a certificate: require_certificate true, allow_anonymous false.',
    );
    return findings;
  } finally {
    for (const client of open) await client.endAsync(true).catch(() => undefined);
  }
}
