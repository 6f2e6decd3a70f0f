import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { demoAuthority } from '#installer/io/demo-authority.ts';
import { freePorts } from '#test/support/site-port.ts';
import { SiteProcess } from '#test/support/site-process.ts';
import { CARILLON } from '../../support/program/program.ts';
import { type Application, SPEAKING, startApplication } from './application.ts';
import { type DemoConsole, openDemoConsole } from './demo-console.ts';

/** The world of the tasks: a demo whose callbacks an application of the test takes, and what happens there before a person comes. */
export interface Stage {
  readonly demo: DemoConsole;
  readonly application: Application;
  /** Address of the application, for receivers that a person or a test sets up. */
  readonly address: string;
  /** An alarm of a SCAIP device, to its end; false: it was not acknowledged. */
  readonly alarm: (device: string, ...words: readonly string[]) => Promise<boolean>;
  /** A SCAIP receiver of this destination, by the API. */
  readonly receiver: (name: string, destination: string, more: object) => Promise<string>;
  /** The records of a question of the API. */
  readonly records: (question: string) => Promise<readonly { readonly result: string }[]>;
  /** Waits until every host has the configuration of now. */
  readonly reached: () => Promise<void>;
  /** A machine that becomes a host by a claim code, until it serves. */
  readonly join: (hostId: string, claimCode: string) => Promise<void>;
  /** The machine of a host goes away. */
  readonly leave: (hostId: string) => Promise<void>;
  readonly file: (name: string, text: string) => string;
  /** Writes what the control plane has kept of the month before: nothing of it can happen now. */
  readonly usedLastMonth: (alarms: number) => void;
  readonly close: () => Promise<void>;
}

/** `offset`: of all ports of the demo. */
export async function openStage(offset: number): Promise<Stage> {
  const application = await startApplication();
  const demo = await openDemoConsole(offset, ['--callback', application.url]);
  const { open, there, folder } = demo;
  const domain = there('domain');
  const authority = await demoAuthority(join(folder, 'data', 'demo'));
  const address = await application.listen(await authority.issue(['127.0.0.1']));
  const machines = new Map<string, SiteProcess>();
  const alarm: Stage['alarm'] = async (device, ...words) =>
    (await demo.simulate('scaip', '--domain', domain, '--talk', '0', '--device', device, ...words)).code ===
    0;
  const reached = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${there('token')}` };
    const whole = await fetch(`${demo.api}/provisioning/configuration/${domain}`, { headers });
    // Its tag is the revision of the tenant.
    const revision = Number(/\d+/.exec(whole.headers.get('ETag') ?? '')?.[0]);
    await eventually('the hosts have the configuration', async () => {
      const { reach } = await open.call('GET', `/site/${domain}/revision/${revision}?wait=5`);
      return (reach as { readonly reached?: boolean } | undefined)?.reached === true;
    });
  };
  return {
    demo,
    application,
    address,
    alarm,
    reached,
    receiver: async (name, destination, more) => {
      const body = { name, protocol: 'scaip', destinationMatch: `^${destination}$`, ...more };
      const { id } = await open.call('POST', `/provisioning/alarmbridge/${domain}`, body);
      await reached();
      return String(id);
    },
    records: async (question) =>
      (await open.call('GET', `/record/${domain}?${question}`)).records as readonly {
        readonly result: string;
      }[],
    join: async (hostId, claimCode) => {
      const machine = await machineOf(demo, hostId);
      machines.set(hostId, machine);
      await machine.start({ CARILLON_CLAIM: claimCode });
      await eventually(`${hostId} serves`, async () => {
        const { host } = await open.call('GET', `/site/${domain}/${there('siteId')}/host/${hostId}`);
        return (host as { readonly status?: string } | undefined)?.status === 'online';
      });
    },
    leave: async (hostId) => void (await machines.get(hostId)?.stop()),
    file: (name, text) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    usedLastMonth: (alarms) => {
      const db = new Database(join(folder, 'data', 'cloud', 'cloud.db'), { timeout: 30_000 });
      const { tenant } = db.prepare('SELECT tenant FROM host').get() as { readonly tenant: string };
      const now = new Date();
      db.prepare(
        `INSERT INTO usage_hour (tenant, hour, kind, protocol, result, amount) VALUES (?, ?, 'alarm', 'scaip', 'handled', ?)`,
      ).run(tenant, Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 3, 12), alarms);
      db.close();
    },
    close: async () => {
      for (const machine of machines.values()) await machine.stop();
      await demo.close();
      await application.close();
    },
  };
}

/** The fields of a receiver whose alarms get people to speak with. */
export const speaks = (
  { demo: { there }, address }: Stage,
  destination = `sip:operator@${there('domain')}`,
) => ({
  callbackBaseUrl: `${address}${SPEAKING}`,
  defaultEmergencyDestination: destination,
});

/** The analogue receiver of the demo records its alarms, and one of them was recorded. */
export async function recordAnAlarm(stage: Stage): Promise<void> {
  const { open, there, simulate, password } = stage.demo;
  const all = `/provisioning/alarmbridge/${there('domain')}`;
  const bridges = (await open.call('GET', all)).alarmbridges as readonly { id: string; protocol: string }[];
  const tones = bridges.find(({ protocol }) => protocol === 'bs8521');
  await open.call('PATCH', `${all}/${tones?.id}`, { auditRecording: true, ...speaks(stage) });
  await stage.reached();
  await eventually('an alarm is recorded', async () => {
    await simulate('tone', '--password', password, '--talk', '3');
    return (await stage.records('recording=true')).length > 0;
  });
}

/** A machine beside the demo, with state of its own. */
async function machineOf({ there, api, folder }: DemoConsole, hostId: string): Promise<SiteProcess> {
  const [sip = 0, sips = 0, web = 0] = await freePorts('127.0.0.1', 3);
  const name = `${hostId}-${crypto.randomUUID()}`;
  const data = join(folder, name);
  mkdirSync(data, { mode: 0o700 });
  return new SiteProcess({
    name: hostId,
    command: [process.execPath, CARILLON, 'appliance'],
    environment: {
      CARILLON_DATA: data,
      CARILLON_CLOUD: api,
      CARILLON_HOST_ID: hostId,
      CARILLON_ADDRESS: '127.0.0.1',
      CARILLON_SITE_BASE_URL: `https://127.0.0.1:${web}`,
      CARILLON_SIP_UDP: `127.0.0.1:${sip}`,
      CARILLON_SIP_TCP: `127.0.0.1:${sip}`,
      CARILLON_SIP_TLS: `127.0.0.1:${sips}`,
      CARILLON_DC09: '',
      CARILLON_APPLIANCE_HTTP: `127.0.0.1:${web}`,
      CARILLON_COMMAND_QUEUE: '',
      CARILLON_RTP_PORTS: '29000-29199',
      CARILLON_TRUST: there('ca'),
      CARILLON_ALLOW_PRIVATE: '127.0.0.0/8,::1/128',
      CARILLON_LOG: 'error',
    },
    logFile: join(folder, `${name}.log`),
  });
}

const LONGEST_MS = 120_000;
const STEP_MS = 250;

/** Looks until it is so. A look that fails is no answer: the connection that it used may have been closed as idle meanwhile. */
export async function eventually(name: string, is: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  for (;;) {
    let why = '';
    const isSo = await is().catch((cause: Error) => {
      why = `: ${cause.message}`;
      return false;
    });
    if (isSo) return;
    if (performance.now() > end) throw new Error(`it did not happen that ${name}${why}`);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}
