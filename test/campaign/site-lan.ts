import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, needRoot, ownNamespace } from './command.ts';

/** One host's place in the network of the site. */
export interface LanHost {
  readonly address: string;
  readonly peer: string;
  /** Words in front of a program that shall live there. */
  readonly enter: readonly string[];
}

/**
 * The network of a site, made inside the network namespace of this process, which must be one of its own:
 *
 *     cloud, application, devices            host one             host two
 *     lan 10.98.0.1 ───────────────── 10.98.0.11 ────────── 10.98.0.12
 *      127.0.0.1:PORTS ◀── as 127.0.0.1:PORTS ──┘   and 10.98.0.100, wherever keepalived has put it
 *
 * Programs on the hosts reach cloud and application under the loopback address that these listen on, over the wire: cutting
 * the wire cuts them. A namespace lives as long as a process that holds it, so nothing is left behind.
 */
export interface SiteLan {
  readonly vip: string;
  readonly hosts: Readonly<Record<'one' | 'two', LanHost>>;
  /** The two hosts do not hear each other any more; both still hear devices, cloud and application. */
  readonly part: () => void;
  readonly join: () => void;
  /** The site has no WAN: cloud and application are not reached, and nothing says so. Devices are. */
  readonly cutWan: () => void;
  readonly restoreWan: () => void;
  readonly close: () => Promise<void>;
}

const HERE = '10.98.0.1';
const VIP = '10.98.0.100';
const ADDRESSES = { one: '10.98.0.11', two: '10.98.0.12' } as const;
const NAMES = ['one', 'two'] as const;

export async function siteLan(folder: string, ports: readonly number[]): Promise<SiteLan> {
  needRoot('a network of its own');
  const holders: ChildProcess[] = [];
  const run = (enter: readonly string[], text: string): void => {
    const [program = '', ...words] = [...enter, ...text.split(' ')];
    command(program, ...words);
  };
  const nft = (enter: readonly string[], rules: string): void => {
    const file = join(folder, 'rules.nft');
    writeFileSync(file, rules);
    run(enter, `nft --file ${file}`);
  };
  const reached = `{ ${ports.join(', ')} }`;
  run([], 'ip link set lo up');
  // Leftovers of a site before this one.
  run([], 'nft flush ruleset');
  run([], 'ip link add lan type bridge');
  run([], `ip address add ${HERE}/24 dev lan`);
  run([], 'ip link set lan up');
  // Packets from the wire may go to the loopback address, and the other way round.
  writeFileSync('/proc/sys/net/ipv4/conf/all/route_localnet', '1');
  nft([], rulesHere(reached));

  const hostOf = async (name: 'one' | 'two'): Promise<LanHost> => {
    const [unshare, network] = ownNamespace('network');
    const holder = spawn(unshare, [network, 'sh', '-c', 'echo; exec cat'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    holders.push(holder);
    await Promise.race([
      once(holder.stdout, 'data'),
      once(holder, 'exit').then(() => command(unshare, network, 'true')),
    ]);
    const enter = ['nsenter', `--net=/proc/${holder.pid}/ns/net`];
    run([], `ip link add to-${name} type veth peer name eth0 netns ${holder.pid}`);
    run([], `ip link set to-${name} master lan up`);
    run(enter, 'ip link set lo up');
    run(enter, `ip address add ${ADDRESSES[name]}/24 dev eth0`);
    run(enter, 'ip link set eth0 up');
    command('nsenter', ...enter.slice(1), 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet');
    nft(enter, rulesThere(reached));
    return { address: ADDRESSES[name], peer: ADDRESSES[name === 'one' ? 'two' : 'one'], enter };
  };
  const hosts = { one: await hostOf('one'), two: await hostOf('two') };
  const everywhere = (rules: (host: LanHost) => string) => (): void => {
    for (const name of NAMES) nft(hosts[name].enter, rules(hosts[name]));
  };
  return {
    vip: VIP,
    hosts,
    part: everywhere(({ peer }) => table('parted', 'input', `ip saddr ${peer} drop`)),
    join: everywhere(() => 'delete table ip parted\n'),
    cutWan: everywhere(() => table('cut', 'output', `ip daddr ${HERE} meta l4proto tcp drop`)),
    restoreWan: everywhere(() => 'delete table ip cut\n'),
    close: async () => {
      for (const holder of holders.splice(0)) {
        const exited = once(holder, 'exit');
        holder.stdin?.end();
        await exited;
      }
      run([], 'ip link delete lan');
    },
  };
}

// One statement per line: nft takes a second one for a part of the first.
const table = (name: string, hook: 'input' | 'output', rule: string): string => `
table ip ${name} {
  chain wire {
    type filter hook ${hook} priority 0;
    ${rule}
  }
}
`;

const rulesHere = (ports: string): string => `
table ip loopback {
  chain incoming {
    type nat hook prerouting priority -100;
    iifname "lan" ip daddr ${HERE} tcp dport ${ports} dnat to 127.0.0.1
  }
}
`;

const rulesThere = (ports: string): string => `
table ip loopback {
  chain outgoing {
    type nat hook output priority -100;
    ip daddr 127.0.0.1 tcp dport ${ports} dnat to ${HERE}
  }
  chain leaving {
    type nat hook postrouting priority 100;
    oifname "eth0" ip daddr ${HERE} masquerade
  }
}
`;
