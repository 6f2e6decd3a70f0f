import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DemoConsole } from './demo-console.ts';

/** An application that lets alarms call people, and refuses every callback while it is ill. */
export interface FurnishedApplication {
  readonly url: string;
  isWell: boolean;
  readonly close: () => void;
}

const ABSENT = 'nightshift';

export async function openApplication(): Promise<FurnishedApplication> {
  const server = createServer((request, response) => {
    request.resume();
    const path = request.url ?? '';
    const isAlarm = path.endsWith('/newAlarmbridgeEvent');
    response.writeHead(application.isWell ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isAlarm ? { action: 'callEmergencyCenter' } : {}));
  });
  const application = {
    ...{ url: await addressOf(server), isWell: true },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return application;
}

async function addressOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Ids of the objects whose pages are shown, by the names that `route.ts` gives them. */
export type Objects = Readonly<Record<string, string>>;

/** One object of each kind, an alarm that no person took, a callback that was given up: through the API alone. */
export async function furnish(demo: DemoConsole, application: FurnishedApplication): Promise<Objects> {
  const { open, there, simulate, password } = demo;
  const domain = there('domain');
  const written = async (method: 'POST' | 'PATCH' | 'PUT', path: string, body: object): Promise<Row> => {
    const answer = await open.call(method, path, body);
    if (answer.success !== true) throw new Error(`${method} ${path} was refused: ${JSON.stringify(answer)}`);
    return answer;
  };
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await written('POST', path, body);
    return String(answer.id ?? answer.name ?? '');
  };
  const all = `/provisioning/alarmbridge/${domain}`;
  const bridges = (await open.call('GET', all)).alarmbridges as readonly Bridge[];
  const scaip = bridges.find(({ protocol }) => protocol === 'scaip');
  const tones = bridges.find(({ protocol }) => protocol === 'bs8521');
  if (scaip === undefined || tones === undefined) throw new Error('The demo has no receiver of its alarms.');
  const { callbackBaseUrl } = scaip;
  const shared = { callbackBaseUrl, restAuthentication: [] };
  await written('PATCH', `${all}/${scaip.id}`, { customEventMap: MAP });
  await written('PATCH', `${all}/${tones.id}`, { auditRecording: true });
  const person = `sip:${ABSENT}@${domain}`;
  const list = {
    steps: [
      { entries: [{ destination: person, language: 'sv' }, { destination: '+46855511001' }] },
      { entries: [{ destination: '+46855511002', accept: 'answer' }] },
    ],
    rounds: 1,
    testCall: { day: 3, hour: 10, timeZone: 'Europe/Stockholm' },
  };
  const home = await made(all, {
    ...{
      ...shared,
      name: 'Night watch of the northern homes',
      protocol: 'scaip',
      destinationMatch: '^night$',
    },
    ...{ defaultEmergencyDestination: person, emergencyCallList: list },
  });
  const trunk = await made(`/provisioning/trunk/${domain}`, {
    ...{ name: 'Carrier north', trunkGroupId: 'carrier-north', ipAllowList: ['192.0.2.0/24'] },
    hosts: [{ uri: 'sip:192.0.2.10:5060' }],
  });
  const sender = await made(`/provisioning/alarmeventmapper/${domain}`, {
    ...{ name: 'Alarm centre of the county' },
    targetEndpoint: { protocol: 'scaip', destAddr: 'sip:alarm@arc.example' },
  });
  const userAgent = await made(`/provisioning/cloudsipua/${domain}`, {
    ...{ ...shared, name: 'Door phones', destinationMatch: '^door-' },
  });
  const mediaService = await made(`/mediaservice/${domain}`, {
    ...{ ...shared, name: 'Helpline', destinationMatch: '^helpline$' },
  });
  const recordingService = await made(`/callrecording/${domain}`, {
    ...{ ...shared, name: 'Recorder', destinationMatch: '^rec$' },
  });
  const profile = await made(`/provisioning/protocolprofile/${domain}`, {
    ...{ name: 'bs8521-slow', kind: 'tone', extends: 'bs8521', content: { collect: { interDigitMs: 900 } } },
  });
  const draft = await made(`/provisioning/trunk/${domain}?provisory=true`, {
    ...{ name: 'Carrier south', direction: 'out', hosts: [{ uri: 'sip:192.0.2.20:5060' }] },
  });
  // The receiver has a draft that can be tried on history.
  const { name, protocol, destinationMatch } = scaip;
  await written('PUT', `${all}/${scaip.id}?provisory=true`, {
    ...shared,
    ...{ name, protocol, destinationMatch, order: 900 },
  });
  await written('POST', `/provisioning/user/${domain}`, { email: LONG_EMAIL, role: 'operator' });
  await written('POST', `/provisioning/apitoken/${domain}`, { name: 'Night report' });

  application.isWell = false;
  await simulate('scaip', '--domain', domain, '--talk', '0');
  await untilSome(() => deadLetters(demo));
  application.isWell = true;
  const recorded = await untilSome(async () => {
    await simulate('tone', '--password', password, '--talk', '20');
    return await rows(demo, `/record/${domain}?protocol=bs8521&recording=true&limit=1`, 'records');
  });
  await simulate('scaip', '--domain', domain, '--receiver', 'night', '--device', 'scaip-0007', '--talk', '0');
  const waiting = await untilSome(() => rows(demo, `/alarmqueue/${domain}`, 'alarms'));
  const incidents = await untilSome(() => rows(demo, `/site/${domain}/alarm?limit=1`, 'alarms'));
  const record = String(recorded[0]?.recordId);
  const [{ siteId = '', hostId = '' } = {}] = await hosts(demo);
  return {
    ...{ bridge: scaip.id, home, trunk, sender, userAgent, mediaService, recordingService, profile, draft },
    ...{ site: String(siteId), host: `${siteId}/${hostId}`, device: 'scaip-0001' },
    ...{ record, recording: record },
    waiting: String(waiting[0]?.alarmId),
    incident: String(incidents[0]?.alarmId),
  };
}

interface Bridge {
  readonly id: string;
  readonly name: string;
  readonly destinationMatch: string;
  readonly protocol: string;
  readonly callbackBaseUrl: string;
}

const LONG_EMAIL = 'annamaria.oestergaard-lindqvist@northern-homes.care.example';
const MAP = {
  rules: [
    { when: { 'alarmEvent.deviceType': 'fallDetector' }, path: '/fall', set: { 'alarmEvent.priority': 9 } },
    { when: { 'alarmEvent.statusCode': 'periodicTest' }, drop: true },
  ],
  otherwise: 'default',
};

type Row = Readonly<Record<string, unknown>>;

async function rows({ open }: DemoConsole, path: string, member: string): Promise<readonly Row[]> {
  return ((await open.call('GET', path))[member] ?? []) as readonly Row[];
}

async function hosts({ open, there }: DemoConsole): Promise<readonly Row[]> {
  const { data } = (await open.call('GET', `/site/${there('domain')}`)) as {
    data?: { site?: readonly Row[] };
  };
  return data?.site ?? [];
}

async function deadLetters(demo: DemoConsole): Promise<readonly Row[]> {
  const all = await rows(demo, `/delivery/${demo.there('domain')}`, 'endpoints');
  return all.filter(({ dead }) => Number(dead) > 0);
}

const LONGEST_MS = 300_000;

async function untilSome(read: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  const end = performance.now() + LONGEST_MS;
  for (;;) {
    const found = await read();
    if (found.length > 0) return found;
    if (performance.now() > end)
      throw new Error(`The demo did not come to the state of the pictures: ${read}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
