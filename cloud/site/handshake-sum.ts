import { type HandshakeEntry, handshakeAnswerSchema } from '#shared/contract/runtime/index.ts';

/** The entries of one host's answer; undefined: it answered something else. */
export function entriesOf(body: unknown): readonly HandshakeEntry[] | undefined {
  const read = handshakeAnswerSchema.safeParse(body);
  return read.success ? read.data.entries : undefined;
}

/**
 * What several hosts counted of the same device, number or trunk, as if one had: counts are added, levels weighed by the digits
 * they were measured on. The last heard first.
 */
export function summed(lists: readonly (readonly HandshakeEntry[])[], limit: number): HandshakeEntry[] {
  const sums = new Map<string, HandshakeEntry>();
  for (const entry of lists.flat()) {
    const name = `${entry.kind} ${entry.key}`;
    const before = sums.get(name);
    sums.set(name, before === undefined ? entry : sum(before, entry));
  }
  return [...sums.values()].sort((a, b) => b.lastMs - a.lastMs).slice(0, limit);
}

function sum(a: HandshakeEntry, b: HandshakeEntry): HandshakeEntry {
  const levels = (['levelDbm0', 'twistDb', 'noiseDbm0'] as const).flatMap((level) => {
    const value = mean(a, b, level);
    return value === undefined ? [] : [[level, value]];
  });
  const methods = [...new Set([a, b].flatMap(({ checkMethods = {} }) => Object.keys(checkMethods)))].map(
    (method) => [method, (a.checkMethods?.[method] ?? 0) + (b.checkMethods?.[method] ?? 0)] as const,
  );
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
    ...(methods.length > 0 && { checkMethods: Object.fromEntries(methods) }),
    lastMs: Math.max(a.lastMs, b.lastMs),
  };
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
