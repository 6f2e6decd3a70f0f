import { loopbackOf } from '#shared/host-port.ts';
import type { HopEcho, TrunkHostProbe } from '#shared/self-test/index.ts';
import { loadIdentity } from '../io/edge/index.ts';
import { alarmProbe } from './alarm-probe.ts';
import { brokerProbe } from './broker-probe.ts';
import { callLoop, uncalled } from './call-loop.ts';
import { diskProbe, memoryProbe } from './disk-probe.ts';
import { keepRecord } from './kept-record.ts';
import { addressesOf, dnsProbe, type Listening, ntpProbe, portProbe, tlsProbe } from './network-probe.ts';
import {
  bad,
  type Outcome,
  type SelfTestId,
  type SelfTestPoint,
  type SelfTestRecord,
  skipped,
} from './record.ts';
import { type RunningProbes, throughListener } from './running.ts';
import { sipGateway, sipLoops, worstGateway } from './sip-probe.ts';
import { speech } from './speech.ts';
import { trunkProbe } from './trunk-probe.ts';

export interface SelfTestRun {
  /** Folder of all state. */
  readonly folder: string;
  readonly release: string;
  readonly hostId: string;
  readonly cloud: string | undefined;
  /** The SIP listener for UDP of this machine; calls are tried at its first address. */
  readonly sip: Listening | undefined;
  /** Where this machine shall answer over TCP. */
  readonly tcp: readonly Listening[];
  readonly timeServer?: string | undefined;
  /** A SIP server outside, for the guess about gateways that rewrite SIP; without it the hosts of the trunks. */
  readonly sipPeer?: { readonly host: string; readonly port: number } | undefined;
  /** The probes of the appliance that runs this test itself; else the test asks it by `listener`, its HTTPS listener. */
  readonly running?: RunningProbes | undefined;
  readonly listener?: { readonly host: string; readonly port: number } | undefined;
  /** Leave out what needs the line to the outside: an upgrade does not fail because that is down. */
  readonly local?: boolean | undefined;
  readonly onPoint?: (point: SelfTestPoint) => void;
}

/** The length of a finding that the control plane takes. */
const MOST_FOUND = 300;

/** Tests what this machine needs for alarms and calls. Never rejects: what breaks is a point that failed. */
export async function selfTest(run: SelfTestRun): Promise<SelfTestRecord> {
  const points: SelfTestPoint[] = [];
  const point = async (id: SelfTestId, probe: () => Outcome | Promise<Outcome>): Promise<void> => {
    const begun = performance.now();
    const outcome = await Promise.resolve()
      .then(probe)
      .catch((cause: unknown) => bad('unexpected', cause instanceof Error ? cause.message : String(cause)));
    noted(id, outcome, begun);
  };
  const noted = (id: SelfTestId, outcome: Outcome, begun: number): void => {
    const found = outcome.found.slice(0, MOST_FOUND);
    const tested = { id, ...outcome, found, ms: Math.round(performance.now() - begun) };
    points.push(tested);
    run.onPoint?.(tested);
  };
  const identity = loadIdentity(run.folder);
  const { sip, sipPeer, listener } = run;
  const running =
    run.running ??
    (listener && throughListener(run.folder, { ...listener, host: loopbackOf(listener.host) }));
  await point('sip', () => (sip === undefined ? skipped('sip.off') : sipLoops(addressesOf(sip))));
  const calls =
    sip === undefined
      ? Promise.resolve(uncalled(skipped('sip.off')))
      : callLoop({ host: loopbackOf(sip.host), port: sip.port }, running);
  calls.catch(() => undefined);
  for (const id of ['call', 'rtp', 'dtmf', 'codecs'] as const) await point(id, async () => (await calls)[id]);
  await point('tts', speech);
  const outside = (probe: () => Promise<Outcome>) => () =>
    run.local === true ? skipped('notAsked') : probe();
  await point(
    'dns',
    outside(() => dnsProbe(run.cloud, identity?.domain)),
  );
  await point(
    'ntp',
    outside(() => ntpProbe(run.timeServer)),
  );
  await point(
    'tls',
    outside(() => tlsProbe(identity, Date.now())),
  );
  await point(
    'mqtt',
    outside(() => brokerProbe(identity, running)),
  );
  const isEnrolled = identity !== undefined;
  const each = async (id: SelfTestId, probe: () => Promise<readonly Outcome[]>): Promise<void> => {
    const begun = performance.now();
    const outcomes = run.local === true ? [skipped('notAsked')] : await probe();
    for (const outcome of outcomes) noted(id, outcome, begun);
  };
  const looks = isEnrolled && run.local !== true ? running?.trunks() : undefined;
  looks?.catch(() => undefined);
  await each('trunk', () => trunkProbe(isEnrolled, looks && { trunks: () => looks }));
  await each('alarm', () => alarmProbe(isEnrolled, running));
  await point('ports', () => portProbe(run.tcp.flatMap(addressesOf)));
  await point('sip-alg', async () => {
    if (sipPeer !== undefined) return await sipGateway(sipPeer.host, sipPeer.port);
    if (run.local === true) return skipped('notAsked');
    return worstGateway(hopsOf((await looks?.catch(() => undefined)) ?? []));
  });
  await point('fsync', () => diskProbe(run.folder));
  await point('memory', memoryProbe);
  const record: SelfTestRecord = {
    v: 1,
    at: new Date().toISOString(),
    release: run.release,
    hostId: identity?.hostId ?? run.hostId,
    siteId: identity?.siteId,
    passed: points.every(({ verdict }) => verdict !== 'failure'),
    points,
  };
  keepRecord(run.folder, record);
  return record;
}

const hopsOf = (looks: readonly TrunkHostProbe[]): readonly HopEcho[] =>
  looks.flatMap(({ outcome }) =>
    outcome.kind === 'answered' && outcome.hop !== undefined ? [outcome.hop] : [],
  );
