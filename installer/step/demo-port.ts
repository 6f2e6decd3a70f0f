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
