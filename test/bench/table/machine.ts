import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, release, totalmem } from 'node:os';

/** The machine and the programs of a run, for those who compare it with another. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly kernel: string;
  readonly versions: Readonly<Record<string, string>>;
}

/** Debian's packages of the peers. */
const PEERS = ['kamailio', 'postgresql-15', 'rtpengine-daemon', 'libspandsp2', 'mosquitto', 'libsrtp2-1'];

export function thisMachine(): Machine {
  // A line for each: name, tabulator, version.
  const asked = spawnSync('dpkg-query', ['--show', ...PEERS], { encoding: 'utf8' });
  const peers = (asked.stdout ?? '')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([name = '', version = '']) => name !== '' && version !== '');
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    kernel: release(),
    versions: { Node: process.versions.node, ...Object.fromEntries(peers) },
  };
}
