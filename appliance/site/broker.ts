import type { Twin } from '#shared/contract/feed/index.ts';
import type { HostIdentity } from './identity.ts';

/** Where and as whom to connect. */
export interface BrokerAddress {
  /** `mqtt://` on loopback, else `mqtts://`. */
  readonly url: string;
  /** Client id and user name: the uid of the host. */
  readonly uid: string;
  /** Password where the broker takes no client certificate. */
  readonly password: string | undefined;
  /** PEM texts for `mqtts://`; the leaf comes with its intermediate. */
  readonly tls: { readonly cert: string; readonly key: string; readonly ca: string } | undefined;
  readonly will: { readonly topic: string; readonly payload: string };
}

/** The events of a connection. Each of `opened` and `lost` comes at most once, and nothing after `lost`. */
export interface BrokerListener {
  readonly opened: () => void;
  readonly message: (topic: string, payload: Buffer) => void;
  /** Also when it was never open; `reason` is a sentence for the log. */
  readonly lost: (reason: string) => void;
}

export interface BrokerConnection {
  /** Resolves at PUBACK (QoS 1) or when written (QoS 0); rejects when the connection is lost. */
  readonly publish: (
    topic: string,
    payload: string,
    options: { readonly qos: 0 | 1; readonly retain?: boolean },
  ) => Promise<void>;
  readonly subscribe: (topic: string) => Promise<void>;
  /** DISCONNECT, so that the broker forgets the will. No event follows it. */
  readonly end: () => Promise<void>;
}

export type OpenBroker = (address: BrokerAddress, listener: BrokerListener) => BrokerConnection;

const isBroker = (url: string): boolean =>
  URL.canParse(url) && /^mqtts?:$/.test(new URL(url).protocol) && new URL(url).host !== '';

/**
 * The brokers of a host in the order in which it tries them, each once. Its shard says with which it begins, so that hosts are
 * spread evenly without a load balancer. Those of the enrolment stand behind those of the twin: a wrong address in a twin
 * costs tries and no contact.
 */
export function brokerOrder(
  { shard, brokerUrl, brokerUrls }: Pick<HostIdentity, 'shard' | 'brokerUrl' | 'brokerUrls'>,
  twin: Pick<Twin, 'brokers'> | undefined,
): readonly string[] {
  const named = (twin?.brokers ?? []).filter(isBroker);
  const first = named.length > 0 ? named : (brokerUrls ?? []).filter(isBroker);
  const at = Number.parseInt(shard, 16) % Math.max(1, first.length);
  return [...new Set([...first.slice(at), ...first.slice(0, at), ...(brokerUrls ?? []), brokerUrl])];
}
