import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { PlatformNetworkFacts } from '../plan/index.ts';
import { output } from './host-program.ts';

interface Route {
  readonly dev?: string;
  readonly gateway?: string;
  readonly metric?: number;
}

/** The default route of a family, the one that the kernel takes, and the name servers of its interface. */
export async function routeFacts(family: 4 | 6): Promise<Omit<PlatformNetworkFacts, 'interfaces'>> {
  const said = await output('ip', `-${family}`, '-j', 'route', 'show', 'default');
  const routes = (said === undefined || said === '' ? [] : JSON.parse(said)) as readonly Route[];
  const [best] = routes
    .filter(({ dev }) => dev !== undefined)
    .toSorted((one, other) => (one.metric ?? 0) - (other.metric ?? 0));
  if (best?.dev === undefined) return { route: undefined, dns: [] };
  return { route: { name: best.dev, gateway: best.gateway }, dns: await nameServers(best.dev) };
}

/** Of the interface, where systemd-resolved knows them; else those of the host. A server on the host itself is nobody's address. */
async function nameServers(name: string): Promise<readonly string[]> {
  const resolved = (await output('resolvectl', 'dns', name))?.split(/\s+/) ?? [];
  const own = resolved.filter((word) => isIP(word) !== 0);
  return own.length > 0 ? own : resolvConf();
}

function resolvConf(): readonly string[] {
  try {
    const lines = readFileSync('/etc/resolv.conf', 'utf8').split('\n');
    const servers = lines.map((line) => /^nameserver\s+(\S+)/.exec(line)?.[1] ?? '');
    return servers.filter((each) => isIP(each) !== 0 && !each.startsWith('127.') && each !== '::1');
  } catch {
    return [];
  }
}
