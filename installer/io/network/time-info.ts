import { networkInterfaces } from 'node:os';
import { fromOutside, TRACKING, type Tracking, trackingIn } from '#shared/time-source/index.ts';
import { isOurTime, layout, type TimeInfo } from '../../plan/index.ts';
import { textOf } from '../host/appliance-unit.ts';
import { onPath } from '../host/host-info.ts';
import { output, run } from '../host/host-program.ts';
import { type Family, routeFacts } from './route-info.ts';

/** The other services that may set the clock of a machine. */
const OTHERS = ['systemd-timesyncd', 'ntpsec', 'ntp', 'openntpd'];

/** The facts that a host must know before its clock is given to chrony. Changes nothing. */
export async function timeFacts(): Promise<TimeInfo> {
  if (!onPath('chronyd')) return WITHOUT_CHRONY;
  const [running, others, routes] = await Promise.all([
    isActive('chrony'),
    Promise.all(OTHERS.map(async (name) => ((await isActive(name)) ? name : undefined))),
    Promise.all(([4, 6] as const).map(gatewayOf)),
  ]);
  const text = textOf(layout.chrony);
  return {
    chrony: running ? 'running' : 'stopped',
    readsFolder: readsFolder(textOf(layout.chronyMain) ?? ''),
    configuration: text === undefined || text === '' ? 'none' : isOurTime(text) ? 'ours' : 'foreign',
    other: others.find((name) => name !== undefined),
    addresses: Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address)),
    gateways: routes.flatMap(({ gateway }) => (gateway === undefined ? [] : [gateway])),
    servers: [...new Set(routes.flatMap(({ servers }) => servers))],
  };
}

const WITHOUT_CHRONY: TimeInfo = {
  chrony: 'missing',
  readsFolder: false,
  configuration: 'none',
  other: undefined,
  addresses: [],
  gateways: [],
  servers: [],
};

const isActive = async (name: string): Promise<boolean> =>
  (await run(['systemctl', 'is-active', '--quiet', `${name}.service`])).code === 0;

/** chrony.conf(5): names are not case-sensitive; `include` takes a pattern of files. */
export const readsFolder = (main: string): boolean =>
  /^\s*(confdir\s+(\S+\s+)*\/etc\/chrony\/conf\.d\/?(\s|$)|include\s+\/etc\/chrony\/conf\.d\/\*)/im.test(
    main,
  );

/** An address of the link alone says nothing without its interface. */
async function gatewayOf(family: Family) {
  const { route, names } = await routeFacts(family);
  const { gateway, name } = route ?? {};
  const isOfLink = gateway !== undefined && /^fe[89ab][0-9a-f]:/i.test(gateway);
  return { gateway: isOfLink ? `${gateway}%${name}` : gateway, servers: names.ntp };
}

/** The present source of this host's time; undefined: neither chrony nor systemd-timesyncd says it. */
export async function timeSource(): Promise<
  { readonly server: string | undefined; readonly outside: boolean } | undefined
> {
  const tracking = await tracked();
  if (tracking !== undefined) return { server: tracking.server, outside: fromOutside(tracking) };
  const words = ['show-timesync', '-p', 'ServerName', '--value'];
  const server = await output('timedatectl', ...words);
  return server === undefined || server === '' ? undefined : { server, outside: true };
}

async function tracked(): Promise<Tracking | undefined> {
  const said = onPath('chronyc') ? await output(...TRACKING) : undefined;
  return said === undefined ? undefined : trackingIn(said);
}
