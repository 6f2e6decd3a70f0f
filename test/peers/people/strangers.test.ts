import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ALARM_POLICY } from '#appliance/call/control/index.ts';
import { type OpenTelephone, openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { freePorts } from '#test/support/site-port.ts';
import { Ear } from '../support/ear.ts';
import { DOMAIN, type PeerSite, phone, startPeerSite } from '../support/peer-site.ts';
import { runSipp, type SippOutcome } from '../support/sipp.ts';
import { untilListening } from '../support/sipp-pair.ts';
import {
  answers,
  called,
  demand,
  hear,
  isLeft,
  pause,
  reply,
  type Step,
  scenario,
  take,
} from '../support/sipp-scenario.ts';
import { linphoneConfig } from './support/linphone.ts';

/*
 * Strangers as the people of a list. SIPp is the trunk of those who are not reached, refuse, hang up, and of one who accepts; linphone
 * accepts in one list and refuses in the other. Each of them ends its alarm as a person does.
 */

const PASSWORD = 'correct-horse';
const WAIT = { timeout: 60_000 };
const CARRIER = '127.0.0.10';

/** A key by INFO: SIPp says it without audio. */
const keyByInfo = (key: string): readonly Step[] => [
  demand('INFO', 1, { body: { type: 'application/dtmf-relay', lines: [`Signal=${key}`, 'Duration=100'] } }),
  hear(200),
];

/** Numbers of the trunks, and the person behind each. */
const CALLEES = {
  '+46111': [called(), reply(603, { reason: 'Decline' }), take('ACK')],
  '+46222': [called(), reply(486, { reason: 'Busy Here' }), take('ACK')],
  // No answer: the list ends the ringing.
  '+46333': [called(), reply(180), take('CANCEL'), reply(200), reply(487, { kept: true }), take('ACK')],
  '+46444': [...answers, pause(500), ...keyByInfo('9'), ...isLeft],
  '+46555': [...answers, pause(500), demand('BYE', 1), hear(200)],
  '+46666': [...answers, pause(500), ...keyByInfo('1'), pause(1_500), demand('BYE', 2), hear(200)],
} as const satisfies Readonly<Record<string, readonly Step[]>>;
type Number = keyof typeof CALLEES;
const NUMBERS = Object.keys(CALLEES) as Number[];
const ACCEPTS: Number = '+46666';
const LINPHONE = `sip:linphone@${DOMAIN}`;

let folder: string;
let site: PeerSite;
let ports: Readonly<Record<string, number>>;
let unit: OpenTelephone;
let linphone: Awaited<ReturnType<typeof openLinphone>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-strangers-'));
  const free = await freePorts(CARRIER, NUMBERS.length);
  ports = Object.fromEntries(NUMBERS.map((number, index) => [number, free[index] ?? 0]));
  const steps = (...destinations: readonly string[]) => ({
    steps: destinations.map((destination) => ({ entries: [{ destination, ringTime: 5_000 }] })),
  });
  const receiver = (url: string, name: string, emergencyCallList: object) => ({
    ...{ id: name, protocol: 'call', name, destinationMatch: `^${name}$`, callbackBaseUrl: url },
    ...{ defaultEmergencyDestination: NUMBERS[0], emergencyCallList },
  });
  site = await startPeerSite({
    trunks: NUMBERS.map((number) => ({
      ...{ id: `trunk${number}`, numberPrefix: number, codecs: ['PCMA'], optionsInterval: 0, srtp: 'never' },
      hosts: [{ uri: `sip:${CARRIER}:${ports[number]}` }],
    })),
    bridges: (url) => [
      receiver(url, 'help', steps(...NUMBERS.filter((number) => number !== ACCEPTS), LINPHONE)),
      receiver(url, 'once-more', steps(LINPHONE, ACCEPTS)),
    ],
    devices: ['device', 'linphone'].map((name) => phone(name, PASSWORD)),
    answers: { newAlarmbridgeEvent: { action: 'callEmergencyCenter' } },
  });
  linphone = await openLinphone();
  unit = await openTelephone({
    ...{ to: `127.0.0.1:${site.appliance.ready.udp}`, transport: 'udp', domain: DOMAIN },
    ...{ user: 'device', password: PASSWORD, policy: { ...ALARM_POLICY, srtp: 'never' } },
  });
  expect(await unit.telephone.register(600)).toMatchObject({ ok: true });
});
afterAll(async () => {
  await linphone?.close();
  await unit?.close();
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** linphonec, which answers by itself; everything that it says. */
async function openLinphone() {
  mkdirSync(join(folder, '.local/share/linphone'), { recursive: true });
  const file = join(folder, 'linphonerc');
  const plan = { transport: 'udp', port: site.appliance.ready.udp, trust: '', password: PASSWORD } as const;
  writeFileSync(file, linphoneConfig(plan));
  const program = spawn('linphonec', ['-a', '-c', file], {
    env: { ...process.env, HOME: folder },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [program.stdout, program.stderr])
    stream.on('data', (bytes: Buffer) => {
      said += bytes.toString();
    });
  const say = (line: string): unknown => program.stdin.write(`${line}\n`);
  // It finds no sound card here; from then on it needs none.
  say('soundcard use files');
  return {
    said: () => said,
    say,
    close: async () => {
      const exited = once(program, 'exit');
      program.kill('SIGKILL');
      await exited;
    },
  };
}

/** Both telephones are registered, and the people behind these numbers wait for their call. */
async function waitFor(...numbers: readonly Number[]): Promise<readonly Promise<SippOutcome>[]> {
  await expect.poll(async () => (await site.appliance.ask('report')).registrations, WAIT).toBe(2);
  const running = numbers.map((number) =>
    runSipp({
      scenario: scenario(`person ${number}`, CALLEES[number]),
      ...{ transport: 'udp', domain: DOMAIN, withinS: 60, calls: [['-']], from: CARRIER },
      ...{ port: site.appliance.ready.udp, fromPort: ports[number] ?? 0 },
      // A person who was never heard clears nothing by hanging up: this one says what it hears.
      ...(number === ACCEPTS && { flags: ['-rtp_echo', '-mi', CARRIER] }),
    }),
  );
  for (const number of numbers) await untilListening('udp', ports[number] ?? 0);
  return running;
}

/** Steps of the list as the application gets them: step and destination. */
function progress(): () => Promise<readonly string[]> {
  const steps: string[] = [];
  return async () => {
    for (const { path, body } of await site.application.ask('take')) {
      if (!path.endsWith('/emergencyProgress')) continue;
      const { step, destination = '' } = JSON.parse(body) as { step: string; destination?: string };
      steps.push(`${step} ${destination}`.trim());
    }
    return steps;
  };
}

async function expectOver(ear: Ear, running: readonly Promise<SippOutcome>[]): Promise<void> {
  await expect.poll(() => ear.over, WAIT).toBeDefined();
  for (const { code, errors } of await Promise.all(running)) expect([code, errors]).toEqual([0, '']);
  await expect.poll(async () => (await site.appliance.ask('report')).legs, WAIT).toBe(0);
}

it('goes on behind no credit, busy, no answer, a refusal and a hang-up, to linphone, which accepts by the key', async () => {
  const running = await waitFor(...NUMBERS.filter((number) => number !== ACCEPTS));
  const ear = new Ear(unit, 1_000, 440);
  const reported = progress();
  unit.telephone.call('help', ear);
  await expect.poll(reported, WAIT).toContain(`answered ${LINPHONE}`);
  linphone.say('1');
  await expect.poll(reported, WAIT).toContain(`accepted ${LINPHONE}`);
  expect(ear.over).toBeUndefined();
  linphone.say('terminate');
  await expect.poll(reported, WAIT).toContain(`cleared ${LINPHONE}`);
  const ends = (await reported()).filter((step) => /^(notReached|refused|notAccepted) /.test(step));
  expect(ends).toEqual([
    'notReached +46111',
    'notReached +46222',
    'notReached +46333',
    'refused +46444',
    'notAccepted +46555',
  ]);
  await expectOver(ear, running);
});

it('goes on behind linphone, which refuses by the key, to SIPp, which accepts by INFO and clears by its BYE', async () => {
  const running = await waitFor(ACCEPTS);
  const ear = new Ear(unit, 1_000, 440);
  const reported = progress();
  unit.telephone.call('once-more', ear);
  await expect.poll(reported, WAIT).toContain(`answered ${LINPHONE}`);
  linphone.say('9');
  await expect.poll(reported, WAIT).toContain(`cleared ${ACCEPTS}`);
  expect(await reported()).toEqual(
    expect.arrayContaining([`refused ${LINPHONE}`, `answered ${ACCEPTS}`, `accepted ${ACCEPTS}`]),
  );
  await expectOver(ear, running);
});
