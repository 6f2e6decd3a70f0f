import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { ApplianceConfig } from '../config.ts';
import type { ApplianceEngine } from '../engine/engine.ts';
import type { CaptureRequest, CaptureStore } from '../io/capture/index.ts';
import { ownCertificate, sendNote } from '../io/edge/index.ts';
import { readHardware } from '../io/hardware/index.ts';
import {
  type HealthInfo,
  TechnicianAccess,
  type TechnicianClaim,
  technicianPages,
} from '../io/site-listener/index.ts';
import type { OpenJournal } from '../io/sqlite/index.ts';
import type { RecordStore } from '../io/sqlite/record-store/index.ts';
import { type RecentLog, readTimeServer } from '../io/system/index.ts';
import { keptRecord, LOCAL_KEY_FILE, type RunningProbes, SelfTestRuns, selfTest } from '../selftest/index.ts';
import type { SiteAgent } from '../site/host/uplink/site-agent.ts';
import { claimTyped, enrolByClaim, type HostIdentity } from '../site/index.ts';
import { logShown, machineState, networkState, supportBundle } from '../site/supervision/index.ts';
import { clock, random, VERSION } from './adapters.ts';
import { namesOf } from './certificate-name.ts';
import { attemptBy, claimFromFile } from './claim.ts';
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

/** The technician's page of this machine: its contents, its actions, and the certificate it is shown with. */
export function openTechnician(config: ApplianceConfig, parts: TechnicianParts) {
  const { site, health, kept, run, journal, runtime } = parts;
  const beganMs = clock.wallMs();
  const access = new TechnicianAccess({
    random,
    keepCode: (code) => keepSecret(join(config.data, CODE_FILE), code),
    keepLocalKey: (key) => keepSecret(join(config.data, LOCAL_KEY_FILE), key),
  });
  access.open();
  const running: RunningProbes = {
    echo: () => site.echo(),
    trunks: () => runtime.trunks.look(),
    expectCall: async () => runtime.selfCalls.expect(),
    farEnd: (user) => runtime.selfCalls.farEnd(user),
    alarms: async () => (await Promise.all([runtime.testAlarms.send(), runtime.testSendings.send()])).flat(),
  };
  const tests = selfTestsOf(config, running, () => site.identity);
  const state = () =>
    machineState({
      release: VERSION,
      identity: site.identity,
      setting: config,
      connected: site.connected,
      configured: site.configured,
      faults: health.reasons(),
      figures: health.figures(),
      waiting: journal.waiting(),
      beganMs,
      nowMs: clock.wallMs(),
    });
  const bundle = async () =>
    supportBundle({
      atMs: clock.wallMs(),
      state: state(),
      hardware: await readHardware(),
      selfTest: tests.state(),
      network: networkOf(config),
      configuration: config,
      log: kept.lines(),
    });
  const operations = {
    state,
    startSelfTest: () => run(tests.run()),
    selfTest: () => tests.state(),
    enrol: (claim: TechnicianClaim) =>
      enrolByClaim(() => claimGiven(claim, config), {
        hostId: () => site.identity?.hostId,
        attempt: (meant) => attemptBy(meant, config, trustIn(config)),
        adopt: (identity) => site.adopt(identity),
      }),
    ...running,
    network: () => networkOf(config),
    capture: (request: CaptureRequest) => parts.capture?.captureFor(request),
    records: () => newestRecords(parts.records, clock.wallMs()),
    log: () => logShown(kept.lines()),
    bundle,
  };
  return {
    /** Everything about this machine, without secrets. */
    bundle,
    /** Tests this machine now, or waits for the test that runs; `sent`: the control plane has the record. */
    selfTest: () => tests.run(),
    pages: technicianPages(access, operations, clock.wallMs),
    mayMonitor: mayMonitor(access, config, () => site.tenant),
    certificate: () => ownCertificate(config.data, namesOf(config), clock.wallMs()),
  };
}

function keepSecret(file: string, secret: string): void {
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}

const selfTestsOf = (
  config: ApplianceConfig,
  running: RunningProbes,
  identity: () => HostIdentity | undefined,
): SelfTestRuns =>
  new SelfTestRuns({
    kept: () => keptRecord(config.data),
    test: async (onPoint) => {
      const { data, hostId, cloud, sip, http, dc09, commandQueue } = config;
      // TLS for devices and the command queue wait for a certificate that they can trust.
      const secured = identity() === undefined ? [] : [...sip.tls, ...commandQueue];
      return await selfTest({
        folder: data,
        release: VERSION,
        hostId,
        cloud,
        sip: sip.udp[0] && { ...sip.udp[0], all: sip.udp },
        tcp: [...http.all, ...sip.tcp, ...dc09, ...secured],
        timeServer: await readTimeServer(),
        running,
        onPoint,
      });
    },
    send: async (record) => (await sendNote(config.data, { kind: 'selfTest', record })).ok,
  });

const claimGiven = async ({ claim, cloud, file }: TechnicianClaim, config: ApplianceConfig) =>
  file === undefined
    ? claimTyped({ claim, cloud }, config.cloud)
    : await claimFromFile(file, config, clock.wallMs());

const trustIn = ({ trustFile }: ApplianceConfig): string | undefined =>
  trustFile === undefined ? undefined : readFileSync(trustFile, 'utf8');

const networkOf = ({ sip, http, dc09, commandQueue, rtpPorts, address }: ApplianceConfig) =>
  networkState({
    interfaces: networkInterfaces(),
    address,
    listeners: {
      'SIP UDP': sip.udp,
      'SIP TCP': sip.tcp,
      'SIP TLS': sip.tls,
      HTTPS: http.all,
      'DC-09': dc09,
      MQTT: commandQueue,
    },
    rtpPorts,
    resolver: resolverText(),
  });

/** Empty where the machine has no such file. */
function resolverText(): string {
  try {
    return readFileSync('/etc/resolv.conf', 'utf8');
  } catch {
    return '';
  }
}
