import { loadIdentity } from '../io/edge/index.ts';
import { diskProbe, memoryProbe } from './disk-probe.ts';
import { mediaLoop, speech } from './media-loop.ts';
import { brokerProbe, dnsProbe, ntpProbe, portProbe, tlsProbe } from './network-probe.ts';
import {
  bad,
  type Outcome,
  type SelfTestId,
  type SelfTestPoint,
  type SelfTestRecord,
  skipped,
} from './record.ts';
import { sipGateway, sipLoop } from './sip-probe.ts';

export interface SelfTestRun {
  /** Folder of all state. */
  readonly folder: string;
  readonly release: string;
  readonly hostId: string;
  readonly cloud: string | undefined;
  /** The SIP listener for UDP of this machine. */
  readonly sip: { readonly host: string; readonly port: number } | undefined;
  /** TCP ports on which this machine shall answer. */
  readonly tcpPorts: readonly number[];
  /** Where a few media ports may be taken for a moment. */
  readonly rtpPorts: { readonly from: number; readonly to: number };
  readonly timeServer?: string | undefined;
  /** A SIP server outside, for the guess about gateways that rewrite SIP. */
  readonly sipPeer?: { readonly host: string; readonly port: number } | undefined;
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
      .catch((cause: unknown) => bad(cause instanceof Error ? cause.message : String(cause)));
    const tested = { id, ...outcome, ms: Math.round(performance.now() - begun) };
    points.push(tested);
    run.onPoint?.(tested);
  };
  const identity = loadIdentity(run.folder);
  const { sip, sipPeer, rtpPorts } = run;
  await point('sip', () =>
    sip === undefined ? skipped('SIP over UDP is off') : sipLoop(loopback(sip.host), sip.port),
  );
  const media = mediaLoop({ from: Math.max(rtpPorts.from, rtpPorts.to - PORTS + 1), to: rtpPorts.to });
  media.catch(() => undefined);
  await point('rtp', async () => (await media).rtp);
  await point('dtmf', async () => (await media).dtmf);
  await point('codecs', async () => (await media).codecs);
  await point('tts', speech);
  const outside = (probe: () => Promise<Outcome>) => () =>
    run.local === true ? skipped('not asked for') : probe();
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
    outside(() => brokerProbe(identity)),
  );
  await point('ports', () => portProbe(run.tcpPorts));
  await point('sip-alg', () =>
    sipPeer === undefined
      ? skipped('no SIP server outside is known')
      : sipGateway(sipPeer.host, sipPeer.port),
  );
  await point('fsync', () => diskProbe(run.folder));
  await point('memory', memoryProbe);
  return {
    v: 1,
    at: new Date().toISOString(),
    release: run.release,
    hostId: identity?.hostId ?? run.hostId,
    siteId: identity?.siteId,
    passed: points.every(({ verdict }) => verdict !== 'failure'),
    points,
  };
}

/** A listener on every address is asked on the loopback one. */
const loopback = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host);
