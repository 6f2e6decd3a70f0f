import { BoundedMap } from '#shared/bounded-map.ts';
import { HANDSHAKE_KINDS, type HandshakeEntry, handshakeOffers } from '#shared/contract/runtime/index.ts';
import type { Handshake } from './handshake-meter.ts';

/** Whose handshake it was. */
export interface HandshakeOf {
  readonly deviceId: string | undefined;
  /** Kind of the provisioned device. */
  readonly deviceType?: string | undefined;
  readonly bridgeId?: string | undefined;
  /** Calling number. */
  readonly number: string;
  readonly trunkId: string | undefined;
}

type Kind = HandshakeEntry['kind'];

/** Sums behind one entry; plain JSON, as it is kept. */
interface Sums {
  kind: Kind;
  key: string;
  calls: number;
  firstTry: number;
  retried: number;
  failed: number;
  requests: number;
  badStrings: number;
  digits: number;
  level: number;
  twist: number;
  noise: number;
  noisy: number;
  /** Absent in what an earlier version kept. */
  fits?: Readonly<Record<string, number>>;
  events?: number;
  saidAsEvents?: number;
  /** Strings taken, by protocol. */
  protocols?: Readonly<Record<string, number>>;
  protocol: string;
  lastMs: number;
}

/** Entries kept at once; the one not heard of for longest is forgotten beyond. */
const MOST = 5_000;
const MOST_SHOWN = 100;

/**
 * How calls of tone devices begin, by device, calling number and trunk: what tells a bad line from a bad device. Bounded,
 * and written to the disk once in a while: a few calls lost with a crash do not matter here.
 */
export class HandshakeTable {
  /** By kind and key; the least recently heard first. */
  readonly #sums = new BoundedMap<string, Sums>(MOST);
  /** Since the start: by protocol and result, for `/metrics`. */
  readonly #totals = new Map<string, number>();
  /** Something is there that is not on the disk. */
  isDirty = false;

  add(of: HandshakeOf, handshake: Handshake, wallMs: number): void {
    this.isDirty = true;
    const total = `protocol="${handshake.protocol}",result="${handshake.result}"`;
    this.#totals.set(total, (this.#totals.get(total) ?? 0) + 1);
    const keys: Readonly<Record<Kind, string | undefined>> = {
      device: of.deviceId,
      deviceType: of.deviceType,
      number: of.number,
      trunk: of.trunkId,
      bridge: of.bridgeId,
    };
    for (const kind of HANDSHAKE_KINDS) {
      const key = keys[kind];
      if (key !== undefined && key !== '') this.#addTo(kind, key, handshake, wallMs);
    }
  }

  /** The last heard first. */
  entries(wanted: {
    readonly kind?: Kind | undefined;
    readonly key?: string | undefined;
    readonly limit: number;
  }) {
    const found: HandshakeEntry[] = [];
    for (const sums of [...this.#sums.values()].reverse()) {
      if (wanted.kind !== undefined && sums.kind !== wanted.kind) continue;
      if (wanted.key !== undefined && sums.key !== wanted.key) continue;
      found.push(entryOf(sums));
      if (found.length >= wanted.limit) break;
    }
    return found;
  }

  /**
   * Figures by name with labels: all calls by protocol since the start, and those of each kind of device, trunk and receiver.
   * `Chosen:` no device and no number: they are personal, and a collector would drown in those of a large site. The API has the
   * figures of each line. The 100 heard last of each kind are shown.
   */
  get figures(): Readonly<Record<string, number>> {
    return Object.fromEntries([
      ...[...this.#totals].map(([labels, count]) => [`tone_handshakes{${labels}}`, count] as const),
      ...SHOWN_KINDS.flatMap((kind) => this.entries({ kind, limit: MOST_SHOWN }).flatMap(figuresOf)),
    ]);
  }

  get kept(): string {
    return JSON.stringify({ version: 1, sums: [...this.#sums.values()] });
  }

  /** Takes back what was kept; a text of another version or form is left alone. */
  restore(text: string): void {
    let read: unknown;
    try {
      read = JSON.parse(text);
    } catch {
      return;
    }
    const { version, sums } = (read ?? {}) as { version?: unknown; sums?: unknown };
    if (version !== 1 || !Array.isArray(sums)) return;
    for (const one of sums.slice(-MOST) as Sums[]) this.#sums.set(`${one.kind} ${one.key}`, one);
  }

  #addTo(kind: Kind, key: string, handshake: Handshake, wallMs: number): void {
    const name = `${kind} ${key}`;
    const before = this.#sums.get(name) ?? { ...NOTHING, kind, key };
    const { digits, levelDbm0 = 0, twistDb = 0, noiseDbm0, checkMethods = [], events = 0 } = handshake;
    const { protocol, result, saidAs } = handshake;
    const { [protocol]: spoken = 0, ...others } = before.protocols ?? {};
    const fits = { ...before.fits };
    for (const method of checkMethods) fits[method] = (fits[method] ?? 0) + 1;
    this.#sums.set(name, {
      ...before,
      calls: before.calls + 1,
      firstTry: before.firstTry + Number(handshake.result === 'first'),
      retried: before.retried + Number(handshake.result === 'retried'),
      failed: before.failed + Number(handshake.result === 'failed'),
      requests: before.requests + handshake.requests,
      badStrings: before.badStrings + handshake.badStrings,
      digits: before.digits + digits,
      level: before.level + levelDbm0 * digits,
      twist: before.twist + twistDb * digits,
      noise: before.noise + (noiseDbm0 ?? 0) * digits,
      noisy: before.noisy + (noiseDbm0 === undefined ? 0 : digits),
      fits,
      events: (before.events ?? 0) + events,
      saidAsEvents: (before.saidAsEvents ?? 0) + Number(saidAs === '2833'),
      protocols: result === 'failed' ? { ...before.protocols } : { ...others, [protocol]: spoken + 1 },
      protocol,
      lastMs: wallMs,
    });
  }
}

const SHOWN_KINDS: readonly Kind[] = HANDSHAKE_KINDS.filter((kind) => kind !== 'device' && kind !== 'number');

const NOTHING: Omit<Sums, 'kind' | 'key'> = {
  calls: 0,
  firstTry: 0,
  retried: 0,
  failed: 0,
  requests: 0,
  badStrings: 0,
  digits: 0,
  level: 0,
  twist: 0,
  noise: 0,
  noisy: 0,
  protocol: '',
  lastMs: 0,
};

function entryOf({
  level,
  twist,
  noise,
  noisy,
  digits,
  fits = {},
  protocols = {},
  ...counts
}: Sums): HandshakeEntry {
  const entry: HandshakeEntry = {
    ...counts,
    digits,
    ...(digits > 0 && { levelDbm0: tenth(level / digits), twistDb: tenth(twist / digits) }),
    ...(noisy > 0 && { noiseDbm0: tenth(noise / noisy) }),
    ...(Object.keys(fits).length > 0 && { checkMethods: { ...fits } }),
    ...(Object.keys(protocols).length > 0 && { protocols: { ...protocols } }),
  };
  const offers = handshakeOffers(entry);
  return offers.length === 0 ? entry : { ...entry, offers };
}

function figuresOf(entry: HandshakeEntry): (readonly [string, number])[] {
  const { kind, key, firstTry, retried, failed, requests, badStrings } = entry;
  const label = kind === 'deviceType' ? 'device_type' : kind;
  const whose = `${label}="${key.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
  const measured = {
    level_dbm0: entry.levelDbm0,
    twist_db: entry.twistDb,
    noise_dbm0: entry.noiseDbm0,
  };
  return [
    ...Object.entries({ first: firstTry, retried, failed }).map(
      ([result, count]) => [`tone_line_handshakes{${whose},result="${result}"}`, count] as const,
    ),
    [`tone_line_requests{${whose}}`, requests],
    [`tone_line_bad_strings{${whose}}`, badStrings],
    ...(entry.offers ?? []).map(
      ({ setting, value = '' }) =>
        [`tone_line_offers{${whose},setting="${setting}",value="${value}"}`, 1] as const,
    ),
    ...Object.entries(measured).flatMap(([name, value]) =>
      value === undefined ? [] : [[`tone_line_${name}{${whose}}`, value] as const],
    ),
  ];
}

const tenth = (value: number): number => Math.round(value * 10) / 10;
