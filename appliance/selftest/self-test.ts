import { loadIdentity } from '../io/edge/index.ts';
import { brokerProbe } from './broker-probe.ts';
import { diskProbe, memoryProbe } from './disk-probe.ts';
import { keepRecord } from './kept-record.ts';
import { mediaLoop, speech } from './media-loop.ts';
import { dnsProbe, loopback, ntpProbe, portProbe, type TcpListener, tlsProbe } from './network-probe.ts';
import {
  bad,
  type Outcome,
  type SelfTestId,
  type SelfTestPoint,
  type SelfTestRecord,
  skipped,
} from './record.ts';
import { type RunningProbes, throughDoor } from './running.ts';
import { sipGateway, sipLoop } from './sip-probe.ts';
import { trunkProbe } from './trunk-probe.ts';

export interface SelfTestRun {
  /** Folder of all state. */
  readonly folder: string;
  readonly release: string;
  readonly hostId: string;
  readonly cloud: string | undefined;
  /** The SIP listener for UDP of this machine. */
  readonly sip: { readonly host: string; readonly port: number } | undefined;
  /** Where this machine shall answer over TCP. */
  readonly tcp: readonly TcpListener[];
  /** Where a few media ports may be taken for a moment. */
  readonly rtpPorts: { readonly from: number; readonly to: number };
  readonly timeServer?: string | undefined;
  /** A SIP server outside, for the guess about gateways that rewrite SIP. */
  readonly sipPeer?: { readonly host: string; readonly port: number } | undefined;
  /** Of the appliance that runs this test itself; else it is asked by `door`, its HTTPS listener. */
  readonly running?: RunningProbes | undefined;
  readonly door?: { readonly host: string; readonly port: number } | undefined;
  /** Leave out what needs the line to the outside: an upgrade does not fail because that is down. */
  readonly local?: boolean | undefined;
  readonly onPoint?: (point: SelfTestPoint) => void;
}

/** Some ports at the end of the range: calls take them from its beginning. */
const PORTS = 32;

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
    const tested = { id, ...outcome, ms: Math.round(performance.now() - begun) };
    points.push(tested);
    run.onPoint?.(tested);
  };
  const identity = loadIdentity(run.folder);
  const { sip, sipPeer, rtpPorts, door } = run;
  const running = run.running ?? (door && throughDoor(run.folder, { ...door, host: loopback(door.host) }));
  await point('sip', () => (sip === undefined ? skipped('sip.off') : sipLoop(loopback(sip.host), sip.port)));
  const media = mediaLoop({ from: Math.max(rtpPorts.from, rtpPorts.to - PORTS + 1), to: rtpPorts.to });
  media.catch(() => undefined);
  await point('rtp', async () => (await media).rtp);
  await point('dtmf', async () => (await media).dtmf);
  await point('codecs', async () => (await media).codecs);
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
  const begun = performance.now();
  const trunks =
    run.local === true ? [skipped('notAsked')] : await trunkProbe(identity !== undefined, running);
  for (const outcome of trunks) noted('trunk', outcome, begun);
  await point('ports', () => portProbe(run.tcp));
  await point('sip-alg', () =>
    sipPeer === undefined ? skipped('alg.noPeer') : sipGateway(sipPeer.host, sipPeer.port),
  );
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
