/** Where the relay is; every other program of the network is at 127.0.0.1. */
export const RELAY = '127.0.9.1';
/** Its ports are those of the others with this bit turned over: they listen on every address. */
export const PORT_BIT = 0x8000;

export interface JitterSetting {
  /** Ports at 127.0.0.1 whose datagrams come late. */
  readonly ports: { readonly from: number; readonly to: number };
}

/** From now on each datagram is kept for a time between 0 and this, so that some overtake others. ms */
export type JitterMs = number;

/** Datagrams since the relay was last asked for another jitter, and how many of them were overtaken. */
export interface Jittered {
  readonly passed: number;
  readonly overtaken: number;
}

/**
 * Rules for nftables, a line each: what is sent to `ports` goes to the relay instead, and what the relay sends on seems to
 * come from who had sent it. Stateless, since the other side may have been the first to send.
 */
export const jitterRules = ({ from, to }: JitterSetting['ports']): readonly string[] => [
  'add table ip jitter',
  'add chain ip jitter unseen { type filter hook output priority -300; }',
  `add rule ip jitter unseen udp dport ${from}-${to} notrack`,
  'add chain ip jitter way { type route hook output priority -150; }',
  `add rule ip jitter way ip saddr ${RELAY} udp dport ${from}-${to} ip saddr set 127.0.0.1 udp sport set udp sport ^ ${PORT_BIT} accept`,
  `add rule ip jitter way ip saddr 127.0.0.1 ip daddr 127.0.0.1 udp dport ${from}-${to} udp sport != ${from}-${to} ip daddr set ${RELAY} udp dport set udp dport ^ ${PORT_BIT}`,
];
