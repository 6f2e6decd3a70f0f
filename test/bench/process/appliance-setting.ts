/** Settings of the appliance of a test: addresses and a fixed configuration instead of a control plane. */
export interface ApplianceSetting {
  /** Folder of the journal. */
  readonly folder: string;
  readonly domain: string;
  /** `answering`: SIP with all checks and device look-up; every allowed MESSAGE gets 200 and goes no further. */
  readonly part: 'whole' | 'answering';
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Alarm bridges and devices as a site receives them; what is missing is filled in. */
  readonly bridges: readonly Readonly<Record<string, unknown>>[];
  readonly devices: readonly Readonly<Record<string, unknown>>[];
  /** Trunks with their `id`; without OPTIONS and without SRTP unless they say otherwise. */
  readonly trunks?: readonly Readonly<Record<string, unknown>>[];
  /** Media services as a site receives them. */
  readonly mediaServices?: readonly Readonly<Record<string, unknown>>[];
  /** So many devices `<prefix><number>` with the same further fields. */
  readonly fleet?: {
    readonly prefix: string;
    readonly count: number;
    readonly fields: Readonly<Record<string, unknown>>;
  };
  /** Where platform alarms go. */
  readonly notifyUrl?: string;
  /** Where a MESSAGE that no alarm bridge takes goes. */
  readonly messageUrl?: string;
  /** SIP listens on `::1` too, as a site of both families does. */
  readonly alsoIPv6?: boolean;
  /** PEM trusted for callbacks. */
  readonly trust?: string;
  /** Appliance seconds per second; 1 unless a long time has to pass in a short one. */
  readonly clockRate?: number;
  /** Captures messages as the daemon does, until it is switched off. */
  readonly capture?: boolean;
  /** Notes when each alarm was on the disk. */
  readonly notesStored?: boolean;
}

interface SipPorts {
  readonly udp: number;
  readonly tcp: number;
  readonly tls: number | undefined;
}

/** Ports on 127.0.0.1. */
export interface ApplianceReady extends SipPorts {
  /** And on `::1`. */
  readonly ipv6?: SipPorts;
}

/** `capture on`, `capture off`: the switch of an appliance that has a capture. */
export type ApplianceAsk = 'report' | 'capture on' | 'capture off';

export interface ApplianceReport {
  readonly alarms: number;
  readonly registrations: number;
  readonly supervised: number;
  readonly transactions: number;
  readonly calls: number;
  /** Peers of all calls. */
  readonly legs: number;
  readonly counts: Readonly<Record<string, number>>;
  /** SCAIP reference and `CLOCK_MONOTONIC` of each alarm since the last report, once its commit was synced. */
  readonly stored: readonly (readonly [ref: string, atNs: bigint])[];
  /** Warnings and errors since the last report. */
  readonly logged: readonly string[];
  /** Callers in each group commit since the last report, summed, and the commits. */
  readonly commits: { readonly callers: number; readonly batches: number };
}

export const applianceProcess = new URL('./appliance.ts', import.meta.url);
