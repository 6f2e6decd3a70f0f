import {
  type HandshakeEntry,
  handshakeAnswerSchema,
  handshakeOffers,
} from '#shared/contract/runtime/index.ts';

/** The entries of one host's answer; undefined: it answered something else. */
export function entriesOf(body: unknown): readonly HandshakeEntry[] | undefined {
  const read = handshakeAnswerSchema.safeParse(body);
  return read.success ? read.data.entries : undefined;
}

/**
 * The counts of several hosts for the same device, number or trunk, as if one had made them: counts are added, levels weighed
 * by the digits they were measured on. The last heard first.
 */
export function summed(lists: readonly (readonly HandshakeEntry[])[], limit: number): HandshakeEntry[] {
  const sums = new Map<string, HandshakeEntry>();
  for (const entry of lists.flat()) {
    const name = `${entry.kind} ${entry.key}`;
    const before = sums.get(name);
    sums.set(name, before === undefined ? entry : sum(before, entry));
  }
  const last = [...sums.values()].sort((a, b) => b.lastMs - a.lastMs).slice(0, limit);
  return last.map(({ offers: _ofOne, ...entry }) => {
    const offers = handshakeOffers(entry);
    return offers.length === 0 ? entry : { ...entry, offers };
  });
}

function sum(a: HandshakeEntry, b: HandshakeEntry): HandshakeEntry {
  const levels = (['levelDbm0', 'twistDb', 'noiseDbm0'] as const).flatMap((level) => {
    const value = mean(a, b, level);
    return value === undefined ? [] : [[level, value]];
  });
  const checkMethods = added(a.checkMethods, b.checkMethods);
  const protocols = added(a.protocols, b.protocols);
  return {
    kind: a.kind,
    key: a.key,
    protocol: a.lastMs >= b.lastMs ? a.protocol : b.protocol,
    calls: a.calls + b.calls,
    firstTry: a.firstTry + b.firstTry,
    retried: a.retried + b.retried,
    failed: a.failed + b.failed,
    requests: a.requests + b.requests,
    badStrings: a.badStrings + b.badStrings,
    digits: a.digits + b.digits,
    ...Object.fromEntries(levels),
    ...(either(a.events, b.events) && { events: (a.events ?? 0) + (b.events ?? 0) }),
    ...(either(a.saidAsEvents, b.saidAsEvents) && {
      saidAsEvents: (a.saidAsEvents ?? 0) + (b.saidAsEvents ?? 0),
    }),
    ...(checkMethods && { checkMethods }),
    ...(protocols && { protocols }),
    lastMs: Math.max(a.lastMs, b.lastMs),
  };
}

/** A host of an earlier version does not count it. */
const either = (a: number | undefined, b: number | undefined): boolean => a !== undefined || b !== undefined;

function added(
  a: Readonly<Record<string, number>> = {},
  b: Readonly<Record<string, number>> = {},
): Record<string, number> | undefined {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}

function mean(
  a: HandshakeEntry,
  b: HandshakeEntry,
  level: 'levelDbm0' | 'twistDb' | 'noiseDbm0',
): number | undefined {
  const [one, other] = [a[level], b[level]];
  if (one === undefined || other === undefined) return one ?? other;
  const digits = a.digits + b.digits;
  return digits === 0 ? one : Math.round(((one * a.digits + other * b.digits) / digits) * 10) / 10;
}
