import type { Birth, FeedScope, Heartbeat, Life, Sha256 } from '#shared/contract/feed/index.ts';

/** The present state of a host; the adapters and the engines measure it. */
export interface HostFacts {
  /** Seconds since the machine booted. */
  readonly upS: number;
  readonly clk?: Birth['clk'];
  /** Versions: `agent`, `sip`, `media`, `alarm`, `os`. */
  readonly sw: Readonly<Record<string, string>>;
  readonly hw?: Birth['hw'];
  readonly net?: Birth['net'];
  /** Made when the process starts: two with one identity show a cloned disk. */
  readonly inst?: string;
  readonly siteBaseUrl: string;
  /** Term of the site. */
  readonly epoch: number;
  readonly m?: Heartbeat['m'];
  /** Engine and `ok`, or a word for what is wrong. */
  readonly svc: Readonly<Record<string, string>>;
  readonly calls: number;
  readonly alarms1h: number;
  readonly peers?: Readonly<Record<string, string>>;
  readonly roles?: readonly string[];
  /** Local overrides in force. */
  readonly overrides?: number;
}

/** Where the configuration of this host stands. */
export interface ConfigurationInfo {
  readonly twinRev: number;
  readonly life: Life;
  readonly rev: Readonly<Record<FeedScope, number>>;
  /** Everything applied has passed its health gate. */
  readonly good: boolean;
}

/** The abilities of this program beyond the floor of version 1. */
const ABILITIES = ['cfg.delta', 'rpc.1', 'drain.1', 'check.1', 'wipe.1', 'list.1'] as const;

export function birthOf(
  said: { readonly sid: string; readonly birthNo: number; readonly boot: number; readonly ts: number },
  facts: HostFacts,
  configuration: ConfigurationInfo,
  lanes: Birth['ev'],
): Birth {
  const { tenant, site, host, platform } = configuration.rev;
  return {
    v: 1,
    st: 'on',
    ...said,
    ...(facts.inst !== undefined && { inst: facts.inst }),
    ...(facts.clk && { clk: facts.clk }),
    twinRev: configuration.twinRev,
    sw: { ...facts.sw },
    hw: { ...facts.hw },
    ...(facts.net && { net: facts.net }),
    cap: [...ABILITIES],
    cfg: { tenant, site, host, platform, lkg: configuration.good },
    ev: lanes,
    life: configuration.life,
    epoch: facts.epoch,
    roles: [...(facts.roles ?? [])],
    siteBaseUrl: facts.siteBaseUrl,
  };
}

export function heartbeatOf(
  said: { readonly sid: string; readonly n: number; readonly ts: number; readonly certDays: number },
  facts: HostFacts,
  configuration: ConfigurationInfo,
  out: Heartbeat['out'],
): Heartbeat {
  const { tenant, site, host, platform } = configuration.rev;
  return {
    v: 1,
    ...said,
    up: Math.max(0, Math.floor(facts.upS)),
    twinRev: configuration.twinRev,
    cfg: [tenant, site, host, platform],
    lkg: configuration.good ? 1 : 0,
    life: configuration.life,
    epoch: facts.epoch,
    m: { ...facts.m },
    svc: { ...facts.svc },
    calls: facts.calls,
    alarms1h: facts.alarms1h,
    out,
    peers: { ...facts.peers },
    roles: [...(facts.roles ?? [])],
    ovr: facts.overrides ?? 0,
  };
}

/** A timer may fire a moment before it is due by the wall clock. */
const EARLY_MS = 500;

/**
 * Milliseconds until the next heartbeat: every T s, at the phase SHA-256(uid) mod T of the wall clock, so that the hosts
 * of a fleet speak evenly through T and each always at its own place in it. A moment that is less than half a second ahead counts as now: the
 * heartbeat would be said twice.
 */
export function untilHeartbeatMs(uid: string, intervalS: number, wallMs: number, sha256: Sha256): number {
  const intervalMs = intervalS * 1_000;
  const phaseMs = Number.parseInt(sha256(uid).slice(0, 12), 16) % intervalMs;
  const intoMs = (((wallMs - phaseMs) % intervalMs) + intervalMs) % intervalMs;
  const leftMs = intervalMs - intoMs;
  return leftMs < EARLY_MS ? leftMs + intervalMs : leftMs;
}
