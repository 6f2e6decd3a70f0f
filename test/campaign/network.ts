import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { command, needRoot, ownNamespace } from './command.ts';
import { type End, impair, type Wear } from './impairment.ts';

export interface Network {
  /** Address of this side. */
  readonly siteAddress: string;
  /** Words in front of a program that shall live where the devices are. */
  readonly atDevices: readonly string[];
  /** Fate of the datagrams of each side so far. */
  readonly wear: () => { readonly site: Wear; readonly devices: Wear };
  readonly close: () => Promise<void>;
}

/**
 * Joins the network namespace of this process, which must be one of its own (`unshare --net`), with a new one:
 *
 *   cloud, application, appliance        devices
 *   site 10.99.0.1 --------- veth --------- 10.99.0.2
 *            loses, doubles and delays in both directions
 *
 * A namespace lives as long as a process that holds it, so nothing is left behind, whatever ends first.
 */
export async function impairedNetwork(slowLaneKbit: number): Promise<Network> {
  needRoot('a network of its own');
  const [unshare, network] = ownNamespace('network');
  const holder = spawn(unshare, [network, 'sh', '-c', 'echo; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await Promise.race([
    once(holder.stdout, 'data'),
    once(holder, 'exit').then(() => command(unshare, network, 'true')),
  ]);
  const enter = ['nsenter', `--net=/proc/${holder.pid}/ns/net`];
  const site: End = { address: '10.99.0.1', link: 'to-devices', enter: [] };
  const devices: End = { address: '10.99.0.2', link: 'to-site', enter };
  command(
    ...words(`ip link add ${site.link} type veth peer name ${devices.link} netns ${String(holder.pid)}`),
  );
  for (const end of [site, devices]) {
    command(...words('ip link set lo up', end));
    command(...words(`ip address add ${end.address}/30 dev ${end.link}`, end));
    command(...words(`ip link set ${end.link} up`, end));
  }
  const siteWear = impair(site, devices, slowLaneKbit);
  const deviceWear = impair(devices, site, slowLaneKbit);
  return {
    siteAddress: site.address,
    atDevices: enter,
    wear: () => ({ site: siteWear(), devices: deviceWear() }),
    close: async () => {
      const exited = once(holder, 'exit');
      holder.stdin.end();
      await exited;
    },
  };
}

const words = (text: string, end?: End): [string, ...string[]] => {
  const [program = '', ...rest] = [...(end?.enter ?? []), ...text.split(' ')];
  return [program, ...rest];
};
