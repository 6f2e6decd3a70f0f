import type { Flow } from '../endpoint/index.ts';

/**
 * One contact of an address-of-record (RFC 3261 10.3), in the shape it is stored.
 * A row is named by `aor` and `key`; times are wall clock, so that they outlive the process.
 */
export interface Binding {
  readonly aor: string;
  /** The key that makes two contacts the same one: instance and reg-id (RFC 5626 6), else the URI (RFC 3261 19.1.4). */
  readonly key: string;
  /** Contact URI as the device wrote it: the Request-URI of what is sent there. */
  readonly contact: string;
  /** 0 to 1; the higher the sooner it is tried. */
  readonly q: number;
  /** The device keeps its flow open itself (RFC 5626). */
  readonly outbound: boolean;
  readonly registeredAtMs: number;
  readonly expiresAtMs: number;
  readonly callId: string;
  readonly cseq: number;
  /**
   * The way the REGISTER came. Requests go back over it, whatever the contact says: it is open through NAT and
   * firewalls. Null once the connection is closed; then only the contact is left.
   */
  readonly flow: Flow | null;
  /** Path values in order (RFC 3327): the Route of what is sent there. */
  readonly path: readonly string[];
  readonly userAgent: string;
  /** Its REGISTER was proven by a secret of the device. Absent: the row is of an older program. */
  readonly proven?: boolean;
  /** Address that holds it: the REGISTER came from there. Kept because the flow ends before the binding does. */
  readonly source?: string;
  /** Since when this address has held bindings of the address-of-record without a gap. */
  readonly heldSinceMs?: number;
}

/** The holder of a binding; empty: unknown, as for an old row whose connection is closed. */
export const holderOf = ({ source, flow }: Binding): string => source ?? flow?.remoteAddress ?? '';

/** Between a key and an address: no value of a header field holds a line end. */
const BESIDE = '\n';

/** The name of a row beside one of the same contact that another address holds. */
export const keyBeside = (key: string, address: string): string => `${key}${BESIDE}${address}`;

/** The contact a row is for, whoever holds it. */
export const contactKeyOf = (key: string): string => key.split(BESIDE, 1)[0] ?? key;

/** The device behind a binding, where it names itself (RFC 5626 4.1): its flows are ways to one and the same phone. */
export const instanceOf = ({ outbound, key }: Binding): string | undefined =>
  outbound ? contactKeyOf(key).slice(0, contactKeyOf(key).lastIndexOf(' ')) : undefined;

/**
 * Has the same telephone registered again since, from another port? It is known by its User-Agent and its address. Two of one
 * model behind one address look alike, so that such a binding is still called.
 */
export const isStale = (binding: Binding, all: readonly Binding[]): boolean =>
  binding.userAgent !== '' &&
  all.some(
    (other) =>
      other.registeredAtMs > binding.registeredAtMs &&
      other.userAgent === binding.userAgent &&
      holderOf(other) === holderOf(binding),
  );

/** No listener is behind a WebSocket: the contact of RFC 7118 5.2 is no address (`….invalid`). */
export const isBrowser = ({ flow }: Binding): boolean =>
  flow?.transport === 'WS' || flow?.transport === 'WSS';

/**
 * The binding behind a step of the wall clock: its age, and so the time that it has left, are those of before. A row that another clock
 * wrote may lie in the future; it is as old as if it had come now.
 *
 * @param stepMs by so much the clock was set, ms; negative: back
 * @param nowMs wall clock behind the step, epoch ms
 */
export function behindStep(binding: Binding, stepMs: number, nowMs: number): Binding {
  const { registeredAtMs, expiresAtMs, heldSinceMs } = binding;
  const shifted = (atMs: number): number => Math.min(nowMs, atMs + stepMs);
  const registered = shifted(registeredAtMs);
  return {
    ...binding,
    registeredAtMs: registered,
    expiresAtMs: registered + (expiresAtMs - registeredAtMs),
    ...(heldSinceMs !== undefined && { heldSinceMs: shifted(heldSinceMs) }),
  };
}

/** Changes of durable rows; apply in order. */
export type Change =
  | { readonly kind: 'stored'; readonly binding: Binding }
  | { readonly kind: 'removed'; readonly binding: Binding; readonly reason: RemovalReason };

export type RemovalReason =
  | 'unregistered'
  | 'expired'
  | 'replaced'
  /** Its connection is closed and nothing can connect to its contact: a browser. */
  | 'unreachable';

export interface RegistrarSettings {
  /** Seconds: shorter is 423, longer is shortened, none asked is `expires`. */
  readonly minExpires: number;
  readonly maxExpires: number;
  readonly expires: number;
  /** Contacts of one address-of-record; a further one takes the place of the oldest. */
  readonly maxContacts: number;
}

export const DEFAULT_REGISTRAR: RegistrarSettings = {
  minExpires: 60,
  maxExpires: 86_400,
  expires: 3_600,
  maxContacts: 10,
};
