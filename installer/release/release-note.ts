import { fail, ok, type Result } from '#shared/result.ts';

/** The trusted comment of a release. */
export interface ReleaseNote {
  readonly version: string;
  /** `x64` or `arm64`. */
  readonly cpu: string;
  readonly channel: string;
}

const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** `version=1.2.3 cpu=x64 channel=stable`, as `npm run build` signs; further words are for later programs. */
export function releaseNote(comment: string): Result<ReleaseNote> {
  const words = new Map(
    comment
      .split(/\s+/)
      .map((word) => word.split('=', 2) as [string, string | undefined])
      .map(([name, value]) => [name, value ?? '']),
  );
  const [version = '', cpu = '', channel = 'stable'] = ['version', 'cpu', 'channel'].map((name) =>
    words.get(name),
  );
  if (!VERSION.test(version) || cpu === '') {
    return fail('badSignature', 'the signature does not say which release it is.');
  }
  return ok({ version, cpu, channel });
}

/** Negative: `a` is older than `b` (order of Semantic Versioning 2.0.0, 11). */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parts(a), parts(b)];
  for (let place = 0; place < 3; place++) {
    const difference = (left.core[place] ?? 0) - (right.core[place] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.before.length === 0 || right.before.length === 0) return right.before.length - left.before.length;
  for (let place = 0; place < Math.max(left.before.length, right.before.length); place++) {
    const [x, y] = [left.before[place], right.before[place]];
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    const difference = compareWords(x, y);
    if (difference !== 0) return difference;
  }
  return 0;
}

function parts(version: string): { readonly core: readonly number[]; readonly before: readonly string[] } {
  const [core = '', before] = version.split('+')[0]?.split(/-(.*)/s) ?? [];
  return { core: core.split('.').map(Number), before: before?.split('.') ?? [] };
}

function compareWords(a: string, b: string): number {
  const [x, y] = [a, b].map((word) => (/^\d+$/.test(word) ? Number(word) : undefined));
  if (x !== undefined && y !== undefined) return x - y;
  if (x !== undefined || y !== undefined) return x === undefined ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}
