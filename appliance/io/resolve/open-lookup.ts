import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { fail, ok } from '#shared/result.ts';
import type { Looked, Lookup } from '../../sip/location/index.ts';
import { type Answer, LookupCache } from './lookup-cache.ts';

export interface LookupSetting {
  /** Monotonic ms. */
  readonly monoMs: () => number;
  /** Name servers `address` or `address:port`; default: those of the system. */
  readonly servers?: readonly string[];
  /** ms that one name server has for an answer, and how often it is asked. */
  readonly timeoutMs?: number;
  readonly tries?: number;
  /** Also ask the system (hosts file) for addresses that DNS does not know. Default true. */
  readonly system?: boolean;
}

/** Chosen: Node tells the time to live of addresses only; services move rarely, and a minute is soon over. */
const SERVICE_MS = 60_000;
/** Chosen: how long "there is none" holds (RFC 2308 takes it from the SOA, which Node does not show). */
const NEGATIVE_MS = 30_000;
/** A name server that failed is asked again soon, but not for every call in between. */
const FAILED_MS = 2_000;
/** Records with a time to live of zero or of a week are kept at least and at most so long. */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 3_600_000;

/** The name service by DNS, with a cache. Never rejects. */
export function openLookup(setting: LookupSetting): Lookup {
  const resolver = new Resolver({ timeout: setting.timeoutMs ?? 2_000, tries: setting.tries ?? 2 });
  if (setting.servers !== undefined) resolver.setServers(setting.servers);
  const cache = new LookupCache(setting.monoMs);
  return {
    naptr: (name) => cache.of('NAPTR', name, () => services(resolver.resolveNaptr(name))),
    srv: (name) =>
      cache.of('SRV', name, () =>
        services(
          resolver
            .resolveSrv(name)
            .then((records) => records.map(({ name: target, ...record }) => ({ ...record, target }))),
        ),
      ),
    addresses: (name) => cache.of('address', name, () => addresses(resolver, name, setting.system ?? true)),
  };
}

async function services<T>(query: Promise<T[]>): Promise<Answer<T>> {
  const looked = await asked(query);
  return { looked, keepMs: !looked.ok ? FAILED_MS : looked.value.length === 0 ? NEGATIVE_MS : SERVICE_MS };
}

/** A and AAAA at once, IPv4 first; one family that fails does not spoil the other. */
async function addresses(resolver: Resolver, name: string, system: boolean): Promise<Answer<string>> {
  const [four, six] = await Promise.all([
    asked(resolver.resolve4(name, { ttl: true })),
    asked(resolver.resolve6(name, { ttl: true })),
  ]);
  const records = [...(four.ok ? four.value : []), ...(six.ok ? six.value : [])];
  if (records.length > 0) {
    const ttlMs = Math.min(...records.map(({ ttl }) => ttl)) * 1_000;
    const keepMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, ttlMs));
    return { looked: ok([...new Set(records.map(({ address }) => address))]), keepMs };
  }
  // Interop: names of a site often stand in the hosts file only, which DNS does not read.
  const local = system ? await fromSystem(name) : [];
  if (local.length > 0) return { looked: ok(local), keepMs: NEGATIVE_MS };
  if (!four.ok) return { looked: four, keepMs: FAILED_MS };
  return six.ok ? { looked: ok([]), keepMs: NEGATIVE_MS } : { looked: six, keepMs: FAILED_MS };
}

async function fromSystem(name: string): Promise<string[]> {
  try {
    return (await systemLookup(name, { all: true, order: 'ipv4first' })).map(({ address }) => address);
  } catch {
    return [];
  }
}

/** c-ares: the name server answered that there is no such name, or nothing of this kind. */
const NOTHING: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

async function asked<T>(query: Promise<T[]>): Promise<Looked<T>> {
  try {
    return ok(await query);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return NOTHING.has(code) ? ok([]) : fail('LookupFailed', `the name service does not answer: ${message}`);
  }
}
