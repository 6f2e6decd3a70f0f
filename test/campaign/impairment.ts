import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command } from './command.ts';

/** One end of the link, and the words that enter the network namespace it is in (none = ours). */
export interface End {
  readonly address: string;
  readonly link: string;
  readonly enter: readonly string[];
}

/** Datagrams of one end since the link was made. */
export interface Wear {
  /** Came in, lost ones included. */
  readonly arrived: number;
  readonly lost: number;
  /** Sent a second time. */
  readonly doubled: number;
  /** Sent over the slow lane, where others overtake them. */
  readonly delayed: number;
}

/** Lost, doubled and delayed datagrams of a hundred. */
const PERCENT = 10;
const FAST_LANE = '1:10';
const SLOW_LANE = '1:20';

/**
 * Makes the end lose what comes in, and double and delay what goes out. Gives the counters that prove it.
 *
 * Chosen: nftables and htb, not netem: many kernels of virtual machines have no netem, and these count exactly what
 * they did. The slow lane is an htb class of its own, wide enough for its share of the load.
 */
export function impair(end: End, peer: End, slowLaneKbit: number): () => Wear {
  const { link, enter } = end;
  const run = (...words: readonly string[]): string => {
    const [program = '', ...rest] = [...enter, ...words];
    return command(program, ...rest);
  };
  const lanes = ['tc', 'class', 'add', 'dev', link, 'parent', '1:', 'classid'];
  run('tc', 'qdisc', 'add', 'dev', link, 'root', 'handle', '1:', 'htb', 'default', '0x10', 'r2q', '1000');
  run(...lanes, FAST_LANE, 'htb', 'rate', '100mbit', 'quantum', '1514');
  run(...lanes, SLOW_LANE, 'htb', 'rate', `${slowLaneKbit}kbit`, 'burst', '200', 'quantum', '1514');

  const folder = mkdtempSync(join(tmpdir(), 'carillon-nft-'));
  const file = join(folder, 'impairment.nft');
  writeFileSync(file, rules(link, peer.address));
  try {
    run('nft', '--file', file);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return () => counters(run('nft', '--json', 'list', 'counters'));
}

// One statement per line: nft takes a second one for a part of the first.
const rules = (link: string, peer: string): string => `
table ip impairment {
  counter arrived { }
  counter lost { }
  counter doubled { }
  counter delayed { }
  chain incoming {
    type filter hook prerouting priority -300;
    iifname "${link}" meta l4proto udp counter name arrived
    iifname "${link}" meta l4proto udp numgen random mod 100 < ${PERCENT} counter name lost drop
  }
  chain outgoing {
    type filter hook output priority 0;
    oifname "${link}" meta l4proto udp numgen random mod 100 < ${PERCENT} counter name doubled dup to ${peer} device "${link}"
  }
  chain leaving {
    type filter hook postrouting priority 0;
    oifname "${link}" meta l4proto udp numgen random mod 100 < ${PERCENT} counter name delayed meta priority set ${SLOW_LANE}
  }
}
`;

interface Listing {
  readonly nftables: readonly { readonly counter?: { readonly name: string; readonly packets: number } }[];
}

function counters(json: string): Wear {
  const { nftables } = JSON.parse(json) as Listing;
  const packets = (name: string): number =>
    nftables.find(({ counter }) => counter?.name === name)?.counter?.packets ?? 0;
  return {
    arrived: packets('arrived'),
    lost: packets('lost'),
    doubled: packets('doubled'),
    delayed: packets('delayed'),
  };
}
