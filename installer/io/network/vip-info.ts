import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { familyOf } from '#shared/setting/index.ts';
import { isOurVip, layout, type VipInfo, type VipRequest } from '../../plan/index.ts';
import { textOf } from '../host/appliance-unit.ts';
import { onPath } from '../host/host-info.ts';
import { output, run } from '../host/host-program.ts';

/** The kernel asks three times, a second apart (mcast_solicit, arp(7)). */
const ASKED_WITHIN_MS = 3_500;
const LOOK_MS = 50;
/**
 * No program needs to listen there (discard, RFC 863): the machine that has the address must answer the neighbour request
 * before that shows.
 */
const ANY_PORT = 9;

/**
 * The facts that a host must know before it takes part in a shared address. Changes nothing but what the kernel has noted of
 * neighbours.
 */
export async function vipFacts({ vip, hosts = [] }: VipRequest): Promise<VipInfo> {
  const interfaces = Object.entries(networkInterfaces()).map(([name, addresses]) => ({
    name,
    addresses: (addresses ?? []).map(({ cidr, address }) => cidr ?? address),
  }));
  const ours = interfaces.flatMap(({ addresses }) => addresses.map((cidr) => cidr.split('/')[0] ?? ''));
  const asked = [vip.address, ...hosts.map(({ address }) => address)].filter((each) => !ours.includes(each));
  const found = await Promise.all(asked.map(async (each) => [each, await hardwareOf(each)] as const));
  const text = textOf(layout.keepalived);
  return {
    missing: ['keepalived', 'curl'].filter((program) => !onPath(program)),
    configuration: text === undefined || text === '' ? 'none' : isOurVip(text) ? 'ours' : 'foreign',
    interfaces,
    answering: new Map(
      found.flatMap(([each, hardware]) => (hardware === undefined ? [] : [[each, hardware]])),
    ),
  };
}

interface Neighbour {
  readonly lladdr?: string;
  readonly state?: readonly string[];
}

/**
 * The hardware address of the machine that answers when the network is asked for an address (ARP, RFC 826; for IPv6 NDP, RFC
 * 4861). The kernel asks by itself before it sends a datagram there; what it noted before is forgotten first, which takes root.
 * Undefined: none did.
 */
async function hardwareOf(address: string): Promise<string | undefined> {
  const noted = async (): Promise<Neighbour | undefined> => {
    const said = await output('ip', '-j', 'neighbour', 'show', 'to', address);
    return said === undefined || said === '' ? undefined : (JSON.parse(said) as Neighbour[])[0];
  };
  await run(['ip', 'neighbour', 'flush', 'to', address]);
  const socket = createSocket(familyOf(address) === 'ipv6' ? 'udp6' : 'udp4');
  // Without a route there is no machine, either.
  socket.on('error', () => undefined);
  try {
    for (const until = Date.now() + ASKED_WITHIN_MS; Date.now() < until; await pause(LOOK_MS)) {
      const found = await noted();
      const state = found?.state ?? [];
      if (found?.lladdr !== undefined && (state.includes('REACHABLE') || state.includes('PERMANENT')))
        return found.lladdr;
      if (state.includes('FAILED')) return undefined;
      if (found === undefined) await sent(socket, address);
    }
    return undefined;
  } finally {
    socket.close();
  }
}

const sent = (socket: ReturnType<typeof createSocket>, address: string): Promise<void> =>
  new Promise((resolve) => socket.send('', ANY_PORT, address, () => resolve()));
