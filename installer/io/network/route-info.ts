import type { OtherFamily, PlatformNetworkInfo } from '../../plan/index.ts';
import { output } from '../host/host-program.ts';
import { resolverFacts } from './resolver-info.ts';

export type Family = 4 | 6;

interface Route {
  readonly dev?: string;
  readonly gateway?: string;
  readonly metric?: number;
  readonly protocol?: string;
}

interface Link {
  readonly addr_info?: readonly {
    readonly local?: string;
    readonly prefixlen?: number;
    readonly scope?: string;
    readonly dynamic?: boolean;
  }[];
}

/** The default route of a family, the one that the kernel takes, and what of its interface stays in a change. */
export async function routeFacts(family: Family): Promise<Omit<PlatformNetworkInfo, 'interfaces'>> {
  const [best] = (await defaultRoutes(family))
    .filter(({ dev }) => dev !== undefined)
    .toSorted((one, other) => (one.metric ?? 0) - (other.metric ?? 0));
  if (best?.dev === undefined) return { route: undefined, names: { dns: [], search: [], ntp: [] } };
  return {
    route: { name: best.dev, gateway: best.gateway },
    names: await resolverFacts(best.dev),
    other: await familyFacts(best.dev, family === 4 ? 6 : 4),
  };
}

/** The addresses of an interface in one family. */
export async function familyFacts(name: string, family: Family): Promise<OtherFamily> {
  const said = (await listed(`-${family}`, 'address', 'show', 'dev', name)) as readonly Link[];
  const held = said.flatMap(({ addr_info = [] }) => addr_info).filter(({ scope }) => scope === 'global');
  const byHand = (await defaultRoutes(family)).find(
    ({ dev, protocol }) => dev === name && protocol === 'static',
  );
  return {
    dynamic: held.some(({ dynamic }) => dynamic === true),
    addresses: held.flatMap(({ local, prefixlen, dynamic }) =>
      local === undefined || dynamic === true ? [] : [`${local}/${prefixlen}`],
    ),
    ...(byHand?.gateway !== undefined && { gateway: byHand.gateway }),
  };
}

const defaultRoutes = async (family: Family) =>
  (await listed(`-${family}`, 'route', 'show', 'default')) as readonly Route[];

async function listed(...argv: readonly string[]): Promise<readonly unknown[]> {
  const said = await output('ip', '-j', ...argv);
  return said === undefined || said === '' ? [] : (JSON.parse(said) as readonly unknown[]);
}
