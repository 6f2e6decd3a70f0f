import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { RetainedNames } from '../../plan/index.ts';
import { output } from '../host/host-program.ts';

/** Part of a name by which others are looked up; `~…` only says where a domain is asked for. */
const isDomain = (word: string): boolean => /^[\w-]+(\.[\w-]+)*\.?$/.test(word);

/** A server on the host itself has no network address, and the router of the link announces one of the link alone again. */
const isServer = (word: string): boolean =>
  isIP(word) !== 0 && !/^127\.|^::1$|^fe[89ab][0-9a-f]:/i.test(word);

const names = (
  dns: readonly string[],
  search: readonly string[],
  ntp: readonly string[] = [],
): RetainedNames => ({
  dns: [...new Set(dns.filter(isServer))],
  search: [...new Set(search.filter(isDomain))],
  ntp: [...new Set(ntp.filter((each) => /^[\w.:-]+$/.test(each)))],
});

/**
 * The name servers, search domains and time servers by which an interface is used now, wherever they come from. Asked are
 * systemd-resolved, whoever configures the interface, and at last the file that programs read.
 */
export async function resolverFacts(name: string): Promise<RetainedNames> {
  const [servers, domains, networkd, manager] = await Promise.all([
    output('resolvectl', 'dns', name),
    output('resolvectl', 'domain', name),
    output('networkctl', '--json=short', 'status', name),
    output('nmcli', '--escape', 'no', '-t', 'device', 'show', name),
  ]);
  const found = [
    names(words(servers), words(domains)),
    namesOfNetworkd(networkd ?? ''),
    namesOfManager(manager ?? ''),
    namesOfFile(resolvConf()),
  ];
  const first = (key: keyof RetainedNames): readonly string[] =>
    found.find((each) => each[key].length > 0)?.[key] ?? [];
  return { dns: first('dns'), search: first('search'), ntp: first('ntp') };
}

/** `Link 2 (eth0): 10.0.0.1 fd00::1` */
const words = (said: string | undefined): readonly string[] => (said?.split('): ')[1] ?? '').split(/\s+/);

interface Described {
  readonly DNS?: readonly { readonly Address: readonly number[] }[];
  readonly NTP?: readonly { readonly Address?: readonly number[]; readonly Server?: string }[];
  readonly SearchDomains?: readonly { readonly Domain: string }[];
}

/** `networkctl --json=short status NAME`, from systemd 252 on. */
export function namesOfNetworkd(said: string): RetainedNames {
  let described: Described;
  try {
    described = JSON.parse(said) as Described;
  } catch {
    return names([], []);
  }
  const { DNS = [], NTP = [], SearchDomains = [] } = described;
  return names(
    DNS.map(({ Address }) => addressOf(Address)),
    SearchDomains.map(({ Domain }) => Domain),
    NTP.map(({ Address, Server }) => Server ?? addressOf(Address ?? [])),
  );
}

const addressOf = (bytes: readonly number[]): string =>
  bytes.length === 4 ? bytes.join('.') : bytes.length === 16 ? addressOfSix(bytes) : '';

/** As URLs write it (RFC 5952). */
function addressOfSix(bytes: readonly number[]): string {
  const parts = Array.from({ length: 8 }, (_, at) =>
    (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16),
  );
  return new URL(`http://[${parts.join(':')}]`).hostname.slice(1, -1);
}

/** `nmcli -t device show NAME`: `IP4.DNS[1]:10.0.0.1`. */
export function namesOfManager(said: string): RetainedNames {
  const values = (field: string): readonly string[] =>
    [...said.matchAll(new RegExp(`^IP[46]\\.${field}\\[\\d+\\]:(.+)$`, 'gm'))].map(
      ([, value]) => value ?? '',
    );
  return names(values('DNS'), [...values('SEARCHES'), ...values('DOMAIN')]);
}

/** resolv.conf(5): the last of `search` and `domain` counts. */
export function namesOfFile(text: string): RetainedNames {
  const all = text.split('\n').map((line) => line.trim().split(/\s+/));
  const domains = all.findLast(([word]) => word === 'search' || word === 'domain') ?? [];
  return names(
    all.flatMap(([word, server = '']) => (word === 'nameserver' ? [server] : [])),
    domains.slice(1),
  );
}

function resolvConf(): string {
  try {
    return readFileSync('/etc/resolv.conf', 'utf8');
  } catch {
    return '';
  }
}
