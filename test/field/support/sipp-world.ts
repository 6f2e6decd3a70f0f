import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ALARM_POLICY } from '#appliance/call/control/index.ts';
import { type OpenTelephone, openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { DOMAIN, type PeerSite, phone, startPeerSite } from '#test/peers/support/peer-site.ts';
import { runProgram } from '#test/peers/support/program.ts';
import { received } from '#test/peers/support/sipp.ts';
import { untilListening } from '#test/peers/support/sipp-pair.ts';

export const PASSWORD = 'swordfish';
/** Trunks that call, by what they say of SRTP. */
export const CALLERS = { negotiated: '127.0.50.1', never: '127.0.50.3', always: '127.0.50.4' } as const;
/** Trunks that numbers of Sweden go out by: SIPp as the one who is called, each time at an address of its own. */
const CALLED = { network: '127.0.52', port: 5070, most: 60 } as const;
const prefixOf = (number: number): string => `+46${String(10 + number)}`;

export interface ScenarioRun {
  /** Whole path of the XML. */
  readonly file: string;
  readonly transport?: 'udp' | 'tcp';
  readonly from?: string;
  readonly fromPort?: number;
  /** Further arguments of SIPp. */
  readonly flags?: readonly string[];
  readonly withinS?: number;
}

export interface ScenarioEnd {
  /** SIPp's own judgement: the scenario went to its end. */
  readonly good: boolean;
  /** First lines of what SIPp received, and its complaint. */
  readonly answer: string;
}

const FIRST_PORT = 17_000;

const HOLDS = { action: 'ivr' };

/**
 * An appliance that answers as a test suite of telephones wants it: `leave…` is hung up on after half a second, every other
 * called name is answered and held. Scenarios call from an address of a trunk.
 */
export async function sippWorld(
  devices: readonly string[] = [],
  authType: 'credentials' | 'deviceid' = 'credentials',
) {
  const site: PeerSite = await startPeerSite({
    devices: [
      phone('anna', PASSWORD),
      ...devices.map((name) => (authType === 'credentials' ? phone(name, PASSWORD) : { deviceId: name })),
    ],
    trunks: [
      ...Object.entries(CALLERS).map(([srtp, address]) => ({
        id: `carrier ${srtp}`,
        direction: 'in',
        ipAllowList: [`${address}/32`],
        srtp,
      })),
      ...Array.from({ length: CALLED.most }, (_, number) => ({
        id: `called ${number}`,
        hosts: [{ uri: `sip:${CALLED.network}.${number}:${CALLED.port}`, priority: 1 }],
        numberPrefix: prefixOf(number),
        ipAllowList: [`${CALLED.network}.${number}/32`],
      })),
    ],
    mediaServices: (url) => [
      { id: 'leave', destinationMatch: '^leave', callbackBaseUrl: `${url}/leave`, order: 1 },
      { id: 'pcmu', destinationMatch: '^pcmu', codecs: ['PCMU'], callbackBaseUrl: `${url}/hold`, order: 2 },
      { id: 'hold', destinationMatch: '^$|^[A-Za-z_]', callbackBaseUrl: `${url}/hold`, order: 9 },
    ],
    messages: true,
    answers: {
      'leave/newCall': HOLDS,
      'leave/getIvrCommand': { getIVRCommandAfter: 1, hangup: true },
      'hold/newCall': HOLDS,
      'hold/getIvrCommand': { getIVRCommandAfter: 3_600 },
    },
  });
  const { udp, tcp } = site.appliance.ready;
  const scenario = async (run: ScenarioRun): Promise<ScenarioEnd> => {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-field-'));
    const file = (name: string) => join(folder, name);
    const transport = run.transport ?? 'udp';
    try {
      const { code, stderr } = await runProgram(
        'sipp',
        [
          `127.0.0.1:${transport === 'udp' ? udp : tcp}`,
          ...['-sf', run.file, '-i', run.from ?? CALLERS.negotiated, '-t', transport === 'udp' ? 'u1' : 't1'],
          ...['-m', '1', '-nostdin', '-timeout', `${run.withinS ?? 15}s`, '-timeout_error'],
          ...['-trace_msg', '-message_file', file('messages'), '-trace_err', '-error_file', file('errors')],
          // A port for each: what is repeated to one scenario is not heard by the next.
          ...['-p', String(run.fromPort ?? nextPort++)],
          ...(run.flags ?? []),
        ],
        { withinMs: ((run.withinS ?? 15) + 20) * 1_000 },
      );
      const read = (name: string) =>
        readdirSync(folder).includes(name) ? readFileSync(file(name), 'utf8') : '';
      const arrived = received(read('messages')).map((text) => text.split(/\r?\n/)[0] ?? '');
      const complaint = code === 0 ? '' : `; ${complaintOf(read('errors') || stderr)}`;
      return { good: code === 0, answer: `${shortened(arrived)}${complaint}` };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  let nextPort = FIRST_PORT;
  let calls = 0;
  let anna: OpenTelephone | undefined;
  return {
    site,
    scenario,
    /** SIPp is called, by a telephone that a device of ours is. */
    async called(run: ScenarioRun): Promise<ScenarioEnd> {
      anna ??= await openTelephone({
        to: `127.0.0.1:${udp}`,
        transport: 'udp',
        domain: DOMAIN,
        user: 'anna',
        password: PASSWORD,
        policy: { ...ALARM_POLICY, srtp: 'never' },
      });
      const number = ++calls;
      const from = `${CALLED.network}.${number}`;
      const ending = scenario({ withinS: 9, ...run, from, fromPort: CALLED.port });
      await untilListening('udp', CALLED.port);
      const line = anna.telephone.call(`${prefixOf(number)}555`, {
        answered: () => undefined,
        ended: () => undefined,
      });
      const end = await ending;
      line.hangUp();
      return end;
    },
    /** Warnings, errors and defects since the last time. */
    async complaints(): Promise<string[]> {
      const { logged, counts } = await site.appliance.ask('report');
      return counts.defects === 0 ? [...logged] : [...logged, `${counts.defects} defects`];
    },
    async close(): Promise<void> {
      await anna?.close();
      await site.close();
    },
  };
}

export type SippWorld = Awaited<ReturnType<typeof sippWorld>>;

const shortened = (lines: readonly string[]): string =>
  lines.map((line) => line.replace(/^SIP\/2\.0 (\d{3}).*/, '$1').replace(/ .*/, '')).join(' ') ||
  'nothing heard';

/** The first complaint of SIPp, without the message that it quotes. */
const complaintOf = (errors: string): string =>
  (
    /(?:Aborting|unexpected|[Tt]imeout|regexp|Failed|Unable|No )[^\n]*/.exec(errors)?.[0] ??
    errors.slice(0, 160)
  )
    .slice(0, 160)
    .trim();

export const nameOf = (file: string): string => basename(file, '.xml');
