import type { BrokerView } from '#shared/contract/site/index.ts';

type Findings = BrokerView['findings'];

export interface BrokerChecksPort {
  readonly mode: BrokerView['mode'];
  readonly url: string;
  /** Every external broker with the shards that it serves; absent = there is one. */
  readonly brokers?: () => NonNullable<BrokerView['brokers']>;
  readonly shards: number;
  readonly shardsDown: () => number;
  readonly hosts: () => number;
  /** Tries what the broker can; rejects when it cannot be reached. */
  readonly abilities: () => Promise<
    readonly { readonly name: AbilityName; readonly able: boolean; readonly needed: boolean }[]
  >;
  /** Tries whom it lets in, and to what; absent where the broker is ours. */
  readonly rights?: () => Promise<
    readonly { readonly name: string; readonly ok: boolean; readonly sentence: string }[]
  >;
  readonly nowMs: () => number;
}

/** The results that people read, and the call that repeats the check. */
export interface BrokerChecks {
  /** As it was tried last; the first who asks has it tried. */
  readonly view: () => Promise<BrokerView>;
  readonly check: () => Promise<BrokerView>;
}

/** Above it the embedded broker is not recommended, and above the second the program says so (control plane, 3.7). */
const RECOMMENDED_HOSTS = 2_000;
export const EMBEDDED_HOSTS = 5_000;

const ABLE = {
  clientId: 'The broker accepts client ids of 64 characters.',
  retain: 'The broker keeps a retained message for later subscribers.',
  will: 'The broker publishes the will of a client that is cut off.',
  takeover: 'The broker ends the first connection of a client id when a second one opens.',
  session: 'The broker keeps messages while the control plane is disconnected for a moment.',
  mqtt5: 'The broker supports MQTT 5, and Carillon does not need it.',
  share: 'The broker supports shared subscriptions, and Carillon does not need them.',
};
type AbilityName = keyof typeof ABLE;

const UNABLE: Readonly<Record<AbilityName, string>> = {
  clientId: 'The broker refuses long client ids, and hosts use 26 characters. Allow longer client ids.',
  retain:
    'The broker does not keep retained messages, and hosts read their twins from them. Switch retained messages on.',
  will: 'The broker does not publish the will of a client that is cut off. Allow wills.',
  takeover:
    'The broker keeps two connections of one client id, and must end the older one (MQTT 3.1.1, 3.1.4). Correct its configuration.',
  session:
    'The broker does not keep the session of the control plane. Allow persistent sessions and queued messages of QoS 1.',
  mqtt5: 'The broker refuses MQTT 5, and Carillon does not need it.',
  share: 'The broker does not support shared subscriptions, and Carillon does not need them.',
};

export const TOO_MANY_HOSTS = `The embedded broker is overloaded: more than ${EMBEDDED_HOSTS} hosts use it. Set CARILLON_MQTT to a separate broker (carillon broker export mosquitto).`;

export function createBrokerChecks(port: BrokerChecksPort): BrokerChecks {
  let findings: Findings = [];
  let checkedAt: number | undefined;
  let fault: string | undefined;
  let checking: Promise<void> | undefined;

  async function tried(): Promise<void> {
    try {
      const abilities = await port.abilities();
      const rights = (await port.rights?.()) ?? [];
      // A test in the place of a host says more.
      const tried = new Set(rights.map(({ name }) => name));
      const others = abilities.filter(({ name }) => !tried.has(name));
      findings = [
        ...others.map(({ name, able, needed }) => ({
          name,
          ok: able || !needed,
          needed,
          sentence: able ? ABLE[name] : UNABLE[name],
        })),
        ...rights.map((finding) => ({ ...finding, needed: true })),
      ];
      fault = undefined;
    } catch (cause) {
      findings = [];
      fault = cause instanceof Error ? cause.message : String(cause);
    }
    checkedAt = port.nowMs();
  }

  /** Callers during a check share its answer. */
  async function check(): Promise<BrokerView> {
    checking ??= tried().finally(() => {
      checking = undefined;
    });
    await checking;
    return shown();
  }

  function shown(): BrokerView {
    const hosts = port.hosts();
    const advice = port.mode === 'embedded' ? adviceFor(hosts) : undefined;
    const down = port.shardsDown();
    return {
      mode: port.mode,
      url: port.url,
      ...(port.brokers !== undefined && { brokers: port.brokers() }),
      shards: { owned: port.shards, down },
      hosts,
      ...(advice === undefined ? {} : { advice }),
      ...(checkedAt === undefined ? {} : { checkedAt }),
      ...(fault === undefined ? {} : { fault }),
      findings,
    };
  }

  return { check, view: () => (checkedAt === undefined ? check() : Promise.resolve(shown())) };
}

function adviceFor(hosts: number): string | undefined {
  if (hosts > EMBEDDED_HOSTS) return TOO_MANY_HOSTS;
  if (hosts > RECOMMENDED_HOSTS)
    return `The embedded broker is meant for up to ${RECOMMENDED_HOSTS} hosts. Set CARILLON_MQTT for more hosts, or where supervision must survive the loss of one machine.`;
  return undefined;
}
