import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { redact, redactValue } from '#shared/redact/index.ts';
import type { Listen } from '#shared/setting/index.ts';
import type { ApplianceConfig } from '../config.ts';
import type { ApplianceEngine } from '../engine/engine.ts';
import type { CaptureRequest, CaptureStore } from '../io/capture/index.ts';
import {
  type HealthInfo,
  TechnicianAccess,
  type TechnicianClaim,
  type TechnicianOutcome,
  technicianPages,
} from '../io/door/index.ts';
import { ownCertificate, sendNote } from '../io/edge/index.ts';
import type { OpenJournal } from '../io/sqlite/index.ts';
import type { RecordStore } from '../io/sqlite/record-store/index.ts';
import { type RecentLog, readTimeServer } from '../io/system/index.ts';
import {
  keptRecord,
  LOCAL_KEY_FILE,
  type RunningProbes,
  type SelfTestPoint,
  type SelfTestRecord,
  selfTest,
} from '../selftest/index.ts';
import type { SiteAgent } from '../site/host/uplink/site-agent.ts';
import { bracketed, clock, random, VERSION } from './adapters.ts';
import { namesOf } from './certificate-name.ts';
import { attemptBy, claimFromFile, claimTyped } from './claim.ts';
import { mayMonitor } from './monitor.ts';
import { newestRecords } from './record/index.ts';

interface TechnicianParts {
  readonly site: SiteAgent;
  readonly health: HealthInfo;
  readonly kept: RecentLog;
  readonly runtime: Pick<ApplianceEngine, 'trunks' | 'selfCalls' | 'testAlarms' | 'testSendings'>;
  readonly journal: Pick<OpenJournal, 'waiting'>;
  /** Undefined: no messages are captured. */
  readonly capture: Pick<CaptureStore, 'captureFor'> | undefined;
  readonly records: RecordStore;
  readonly run: (work: Promise<unknown>) => void;
}

/** Read by `carillon status`. */
const CODE_FILE = 'technician-code';
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'claim',
  'claimCode',
  'password',
  'secret',
  'token',
  'code',
]);

/** The technician's page of this machine: what it shows, what it does, and the certificate it is shown with. */
export function openTechnician(config: ApplianceConfig, parts: TechnicianParts) {
  const { site, health, kept, run, journal } = parts;
  const began = clock.wallMs();
  const access = new TechnicianAccess({
    random,
    keepCode: (code) => keepSecret(join(config.data, CODE_FILE), code),
    keepLocalKey: (key) => keepSecret(join(config.data, LOCAL_KEY_FILE), key),
  });
  access.open();
  const { runtime } = parts;
  const running: RunningProbes = {
    echo: () => site.echo(),
    trunks: () => runtime.trunks.look(),
    expectCall: async () => runtime.selfCalls.expect(),
    farEnd: (user) => runtime.selfCalls.farEnd(user),
    alarms: async () => (await Promise.all([runtime.testAlarms.send(), runtime.testSendings.send()])).flat(),
  };
  const tests = new SelfTests(config, running, () => site.identity !== undefined);
  const state = () => {
    const { identity } = site;
    return {
      release: VERSION,
      hostId: identity?.hostId ?? config.hostId,
      siteId: identity?.siteId ?? null,
      domain: identity?.domain ?? null,
      enrolled: identity !== undefined,
      certificateEnds: identity === undefined ? null : new Date(identity.expiresAtMs).toISOString(),
      cloud: config.cloud ?? identity?.edgeUrl ?? null,
      connected: site.connected,
      configured: site.configured,
      faults: health.reasons(),
      figures: health.figures(),
      waiting: journal.waiting(),
      upS: Math.round((clock.wallMs() - began) / 1_000),
      time: new Date(clock.wallMs()).toISOString(),
    };
  };
  const desk = {
    state,
    startSelfTest: () => run(tests.run()),
    selfTest: () => tests.state(),
    enrol: (claim: TechnicianClaim) => enrolled(claim, config, site),
    ...running,
    network: () => networkState(config),
    capture: (request: CaptureRequest) => parts.capture?.captureFor(request),
    records: () => newestRecords(parts.records, clock.wallMs()),
    log: () => kept.lines().map((line) => redact(line)),
    bundle: () =>
      redactValue(
        {
          kind: 'carillon-support',
          v: 1,
          at: new Date(clock.wallMs()).toISOString(),
          state: state(),
          selfTest: tests.state(),
          network: networkState(config),
          configuration: { ...config },
          log: kept.lines(),
        },
        SECRET_FIELDS,
        config.claim === undefined ? [] : [config.claim],
      ),
  };
  return {
    /** Everything about this machine, without secrets. */
    bundle: desk.bundle,
    /** Tests this machine now, or waits for the test that runs; `sent`: the control plane has the record. */
    selfTest: () => tests.run(),
    pages: technicianPages(access, desk, clock.wallMs),
    mayMonitor: mayMonitor(access, config, () => site.tenant),
    certificate: () => ownCertificate(config.data, namesOf(config), clock.wallMs()),
  };
}

function keepSecret(file: string, secret: string): void {
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}

interface TestedSelf {
  readonly record: SelfTestRecord;
  /** The control plane has it. */
  readonly sent: boolean;
}

/** One self-test at a time, and what the last one found. */
class SelfTests {
  readonly #config: ApplianceConfig;
  readonly #probes: RunningProbes;
  /** TLS for devices and the command queue wait for a certificate that they can trust. */
  readonly #isEnrolled: () => boolean;
  #points: SelfTestPoint[] = [];
  #running: Promise<TestedSelf> | undefined;

  constructor(config: ApplianceConfig, probes: RunningProbes, isEnrolled: () => boolean) {
    this.#config = config;
    this.#isEnrolled = isEnrolled;
    this.#probes = probes;
  }

  /** The record on the disk is the last one, whoever started it: a person here, or `carillon selftest`. */
  state() {
    const record: SelfTestRecord | null = keptRecord(this.#config.data) ?? null;
    const running = this.#running !== undefined;
    return { running, points: running ? this.#points : [], record };
  }

  run(): Promise<TestedSelf> {
    this.#running ??= this.#tested().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #tested(): Promise<TestedSelf> {
    this.#points = [];
    const { data, hostId, cloud, sip, http, dc09, commandQueue } = this.#config;
    const record = await selfTest({
      folder: data,
      release: VERSION,
      hostId,
      cloud,
      sip: sip.udp[0] && { ...sip.udp[0], all: sip.udp },
      tcp: [
        ...[...http.all, ...sip.tcp, ...dc09],
        ...(this.#isEnrolled() ? [...sip.tls, ...commandQueue] : []),
      ],
      timeServer: await readTimeServer(),
      running: this.#probes,
      onPoint: (point) => this.#points.push(point),
    });
    // The acceptance record; a line that is down has its own point in it.
    const sent = await sendNote(data, { kind: 'selfTest', record }).catch(() => undefined);
    return { record, sent: sent?.ok === true };
  }
}

async function enrolled(
  claim: TechnicianClaim,
  config: ApplianceConfig,
  site: SiteAgent,
): Promise<TechnicianOutcome> {
  if (site.identity !== undefined) return { kind: 'enrolled', reason: site.identity.hostId };
  const meant =
    claim.file === undefined
      ? claimTyped(claim, config)
      : await claimFromFile(claim.file, config, clock.wallMs());
  if (typeof meant === 'string') return { kind: 'wrong', reason: meant };
  const trustPem = config.trustFile === undefined ? undefined : readFileSync(config.trustFile, 'utf8');
  const outcome = await attemptBy(meant, config, trustPem);
  if (outcome.kind === 'enrolled') {
    site.adopt(outcome.identity);
    return { kind: 'enrolled', reason: outcome.identity.hostId };
  }
  return { kind: outcome.kind, reason: outcome.kind === 'waiting' ? outcome.hostId : outcome.reason };
}

function networkState(config: ApplianceConfig) {
  const interfaces = Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
    addresses === undefined || addresses.some(({ internal }) => internal)
      ? []
      : [{ name, addresses: addresses.map(({ cidr, address }) => cidr ?? address) }],
  );
  const { sip, http, dc09, commandQueue, rtpPorts, address } = config;
  const at = (listens: readonly Listen[]): string | null =>
    listens.map(({ host, port }) => `${bracketed(host)}:${port}`).join(', ') || null;
  return {
    interfaces,
    address,
    listeners: {
      'SIP UDP': at(sip.udp),
      'SIP TCP': at(sip.tcp),
      'SIP TLS': at(sip.tls),
      HTTPS: at(http.all),
      'DC-09': at(dc09),
      MQTT: at(commandQueue),
      RTP: `${rtpPorts.from}-${rtpPorts.to}`,
    },
    dns: nameServers(),
  };
}

function nameServers(): readonly string[] {
  try {
    return readFileSync('/etc/resolv.conf', 'utf8')
      .split('\n')
      .flatMap((line) => /^nameserver\s+(\S+)/.exec(line)?.[1] ?? []);
  } catch {
    return [];
  }
}
