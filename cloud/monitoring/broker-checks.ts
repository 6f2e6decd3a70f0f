import type { BrokerView } from '#shared/contract/site/index.ts';

type Findings = BrokerView['findings'];

export interface BrokerChecksPort {
  readonly mode: BrokerView['mode'];
  readonly url: string;
  readonly shards: number;
  readonly shardsDown: () => number;
  readonly hosts: () => number;
  /** Tries what the broker can; rejects when it cannot be reached. */
  readonly abilities: () => Promise<
    readonly { readonly name: keyof typeof WORDS; readonly able: boolean; readonly needed: boolean }[]
  >;
  /** Tries whom it lets in, and to what; absent where the broker is ours. */
  readonly rights?: () => Promise<
    readonly { readonly name: string; readonly ok: boolean; readonly sentence: string }[]
  >;
  readonly nowMs: () => number;
}

/** What people look at, and by what they have it tried again. */
export interface BrokerChecks {
  /** As it was tried last; the first who asks has it tried. */
  readonly view: () => Promise<BrokerView>;
  readonly check: () => Promise<BrokerView>;
}

/** Above it the embedded broker is not recommended, and above the second the program says so (control plane, 3.7). */
const RECOMMENDED_HOSTS = 2_000;
export const EMBEDDED_HOSTS = 5_000;

const WORDS = {
  clientId: ['Client ids of 64 signs are taken.', 'Long client ids are refused: hosts use 26 signs.'],
  retain: [
    'A retained message waits for whoever comes later.',
    'Retained messages are not kept: switch them on, twins are left there for hosts.',
  ],
  will: [
    'The will of a client that is cut off arrives.',
    'The will of a client that was cut off does not arrive: allow wills.',
  ],
  takeover: [
    'A second connection of the same client id ends the first one.',
    'Two connections of one client id live side by side: the broker must end the older one (MQTT 3.1.1, 3.1.4).',
  ],
  session: [
    'What is said while the control plane is away for a moment waits for it.',
    'The session of the control plane is not kept: allow kept sessions and queued messages of QoS 1.',
  ],
  mqtt5: ['MQTT 5 is spoken too; nothing relies on it.', 'MQTT 5 is refused; nothing relies on it.'],
  share: [
    'Shared subscriptions are served; nothing relies on them.',
    'Shared subscriptions are not served; nothing relies on them.',
  ],
} as const;

export const TOO_MANY_HOSTS = `More than ${EMBEDDED_HOSTS} hosts use the embedded broker: set CARILLON_MQTT to one of its own (carillon broker export mosquitto).`;

export function createBrokerChecks(port: BrokerChecksPort): BrokerChecks {
  let findings: Findings = [];
  let checkedAt: number | undefined;
  let fault: string | undefined;
  let checking: Promise<void> | undefined;

  async function tried(): Promise<void> {
    try {
      const abilities = await port.abilities();
      const rights = (await port.rights?.()) ?? [];
      // What was tried in the place of a host says more.
      const tried = new Set(rights.map(({ name }) => name));
      const others = abilities.filter(({ name }) => !tried.has(name));
      findings = [
        ...others.map(({ name, able, needed }) => ({
          name,
          ok: able || !needed,
          needed,
          sentence: WORDS[name][able ? 0 : 1],
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

  /** Whoever asks while it is tried gets the same answer. */
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
    return `The embedded broker is meant for up to ${RECOMMENDED_HOSTS} hosts; with more, or where supervision must survive the loss of one machine, set CARILLON_MQTT.`;
  return undefined;
}
