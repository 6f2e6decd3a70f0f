import type { DatagramTimes } from './datagram-clock.ts';

/** An appliance that carries calls and nothing else. */
export interface CallsSetting {
  /** Folder of the journal. */
  readonly folder: string;
  readonly domain: string;
  /** Calls to `answered` are answered by us, those to a device go to where it registered. */
  readonly answered: string;
  /** Calls come by a trunk from this address. */
  readonly trunkAddress: string;
  /** Devices that are called. */
  readonly called: readonly string[];
  /** `none`: legs have a port by name only; what is measured is signalling, descriptions included. */
  readonly media: 'none' | 'whole';
  /** Its seconds per second; 1 unless a long time has to pass in a short one. */
  readonly clockRate?: number;
  /** Captures messages as the daemon does, until it is switched off. */
  readonly capture?: boolean;
}

export interface CallsReady {
  readonly port: number;
}

/**
 * `weigh`: collects garbage first; needs `--expose-gc`. `time`: times datagrams until the next report. `capture on`, `capture off`:
 * the switch of an appliance that has a capture.
 */
export type CallsAsk = 'report' | 'weigh' | 'time' | 'capture on' | 'capture off';

export interface CallsReport {
  readonly calls: number;
  readonly legs: number;
  /** Legs in memory, also those that only repeat themselves. */
  readonly keptLegs: number;
  readonly transactions: number;
  readonly heapBytes: number;
  readonly residentBytes: number;
  readonly defects: number;
  /** Since it was asked to time datagrams. */
  readonly times: DatagramTimes | undefined;
  /** Warnings and errors since the last report. */
  readonly logged: readonly string[];
}

export const callsProcess = new URL('./calls.ts', import.meta.url);
