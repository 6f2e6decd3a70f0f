import type { CommissionChecks } from '#shared/contract/feed/index.ts';

/** The readings before a host comes into service; undefined = it cannot be measured here. */
export interface CommissionReadings {
  readonly clockSynchronised: boolean | undefined;
  /** 99 of 100 synced writes were at least this fast, ms. */
  readonly fsyncP99Ms: number | undefined;
  /** Listeners that are not open, in words. */
  readonly portsMissing: readonly string[];
  readonly memoryFreeMb: number | undefined;
  /** Other hosts of the site, and whether they answer. */
  readonly peers: Readonly<Record<string, boolean>>;
}

const FSYNC_LIMIT_MS = 100;
const LEAST_MEMORY_MB = 256;

type Check = CommissionChecks['checks'][number];

/** The checks of a commissioning (control plane 6), each with what a technician can do. */
export function commissionChecks(read: CommissionReadings): readonly Check[] {
  const silent = Object.entries(read.peers).flatMap(([hostId, answers]) => (answers ? [] : [hostId]));
  return [
    check('clock', read.clockSynchronised !== false, 'the clock has no time source; set the time servers'),
    {
      ...check(
        'fsync',
        read.fsyncP99Ms !== undefined && read.fsyncP99Ms <= FSYNC_LIMIT_MS,
        'the disk is too slow for alarms, or cannot be written; use an SSD',
      ),
      ...(read.fsyncP99Ms !== undefined && { value: Math.round(read.fsyncP99Ms * 10) / 10 }),
      limit: FSYNC_LIMIT_MS,
    },
    {
      ...check('ports', read.portsMissing.length === 0, `not open: ${read.portsMissing.join(', ')}`),
      ...(read.portsMissing.length > 0 && { service: 'sip' }),
    },
    {
      ...check(
        'memory',
        read.memoryFreeMb === undefined || read.memoryFreeMb >= LEAST_MEMORY_MB,
        'too little memory is free; end other programs or add memory',
      ),
      ...(read.memoryFreeMb !== undefined && { value: read.memoryFreeMb }),
      limit: LEAST_MEMORY_MB,
    },
    check(
      'peers',
      silent.length === 0,
      `${silent.join(', ')} cannot be reached; check the network between the hosts`,
    ),
  ];
}

const check = (name: string, ok: boolean, message: string): Check => ({
  name,
  ok,
  message: ok ? '' : message,
});

/** The 99th of 100 of `samples`. */
export function p99(samples: readonly number[]): number | undefined {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))];
}
