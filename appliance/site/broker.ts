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
