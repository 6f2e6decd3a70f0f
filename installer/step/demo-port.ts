import { exitCode, Stop } from '../exit-code.ts';

/** Ports of `npm start`; `--port-offset` moves them all, so that two of them live side by side. */
export interface DemoPorts {
  readonly http: number;
  readonly edge: number;
  readonly mqtt: number;
  readonly commandQueue: number;
  readonly sip: number;
  readonly sips: number;
  readonly dc09: number;
  readonly applianceHttp: number;
  readonly arc: number;
  readonly rtp: string;
}

/** A port at which a demo listens. */
export interface DemoListener {
  readonly name: string;
  readonly port: number;
  readonly transports: readonly ('TCP' | 'UDP')[];
}

const LISTENERS = {
  http: ['the control plane', ['TCP']],
  edge: ['the edge listener', ['TCP']],
  mqtt: ['MQTT', ['TCP']],
  commandQueue: ['the command queue', ['TCP']],
  sip: ['SIP', ['UDP', 'TCP']],
  sips: ['SIP over TLS', ['TCP']],
  dc09: ['DC-09', ['UDP', 'TCP']],
  applianceHttp: ['HTTPS of the appliance', ['TCP']],
  arc: ['the demo application', ['TCP']],
} as const satisfies Record<Exclude<keyof DemoPorts, 'rtp'>, readonly [string, DemoListener['transports']]>;

/**
 * Chosen: offsets under which whole demos, audio too, live side by side. Two other offsets can meet: at 0 and 1000 the SIP port
 * of one demo is the DC-09 port of the other, and the second one refuses to start.
 */
export const OFFSETS_APART = [0, 4_000, 8_000, 12_000];

const RTP_FIRST = 20_000;
const RTP_LAST = 23_999;
const HIGHEST_PORT = 65_535;

/** Browsers and `fetch` refuse to speak HTTP to these (WHATWG Fetch 2.9, those above 2,000). */
const REFUSED_PORTS = [
  2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

export function demoPorts(offset: number): DemoPorts {
  if (!Number.isInteger(offset) || offset < 0 || RTP_LAST + offset > HIGHEST_PORT || offset % 2 !== 0) {
    const most = HIGHEST_PORT - RTP_LAST - 1;
    throw new Stop(exitCode.wrongUse, `--port-offset ${offset}: write an even number from 0 to ${most}`);
  }
  const spokenTo = { http: 8080 + offset, applianceHttp: 8443 + offset, arc: 8445 + offset };
  const refused = Object.values(spokenTo).find((port) => REFUSED_PORTS.includes(port));
  if (refused !== undefined) {
    const why = `no browser speaks to port ${refused}; take another number`;
    throw new Stop(exitCode.wrongUse, `--port-offset ${offset}: ${why}`);
  }
  return {
    ...spokenTo,
    edge: 8444 + offset,
    mqtt: 1883 + offset,
    commandQueue: 8883 + offset,
    sip: 5060 + offset,
    sips: 5061 + offset,
    dc09: 6060 + offset,
    rtp: `${RTP_FIRST + offset}-${RTP_LAST + offset}`,
  };
}

/** Every port at which a demo listens, but those of RTP, of which it skips what others have. */
export const demoListeners = (ports: DemoPorts): readonly DemoListener[] =>
  Object.entries(LISTENERS).map(([key, [name, transports]]) => ({
    ...{ name, transports },
    port: ports[key as keyof typeof LISTENERS],
  }));

/** A demo at an offset of whole hundreds that would listen at this port for something else. */
function otherDemo(port: number, offset: number): string {
  for (const { name, port: base } of demoListeners(demoPorts(0))) {
    const other = port - base;
    if (other !== offset && other >= 0 && other % 100 === 0)
      return ` (a demo with --port-offset ${other} has ${name} there)`;
  }
  return '';
}

/**
 * A demo refuses to start where one of its ports has another program, before anything of it runs.
 *
 * @param isTaken whether another program listens there
 */
export async function checkDemoPorts(
  offset: number,
  isTaken: (port: number, transport: 'TCP' | 'UDP') => Promise<boolean>,
): Promise<void> {
  const firstTaken = async (of: number) => {
    for (const { name, port, transports } of demoListeners(demoPorts(of)))
      for (const transport of transports)
        if (await isTaken(port, transport)) return { name, port, transport };
    return undefined;
  };
  const taken = await firstTaken(offset);
  if (taken === undefined) return;
  const { name, port, transport } = taken;
  const free = await firstOf(OFFSETS_APART, async (other) => (await firstTaken(other)) === undefined);
  const advice = free === undefined ? 'another --port-offset' : `--port-offset ${free}`;
  throw new Stop(
    exitCode.missing,
    `${transport} port ${port} for ${name} is in use; another program has it${otherDemo(port, offset)}: end that one, or use ${advice}`,
  );
}

async function firstOf<T>(list: readonly T[], fits: (each: T) => Promise<boolean>): Promise<T | undefined> {
  for (const each of list) if (await fits(each)) return each;
  return undefined;
}
