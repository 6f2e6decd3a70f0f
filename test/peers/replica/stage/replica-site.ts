import { generateKeyPairSync } from 'node:crypto';
import { simulateScaip, startArc } from '#appliance/simulator/index.ts';
import { DEMO_DOMAIN, DEMO_HOST, DEMO_SITE, provisionDemoTenant } from '#installer/step/demo-tenant.ts';
import type { Place } from '#test/bench/support/place.ts';
import { until } from '#test/campaign/replica/control-plane-look.ts';
import { OBSERVATION_WATCH } from '#test/campaign/replica/observation-watch.ts';
import { freePorts } from '#test/support/site-port.ts';
import { SiteProcess } from '#test/support/site-process.ts';
import { CARILLON } from '../../../support/program/program.ts';
import { OWNER_TOKEN, type Replica, type Replicas, startReplicas } from '../../cloud/replicas.ts';

const HOST = '127.0.0.1';
const WITHIN_MS = 120_000;

/** The demo tenant with one whole appliance under two control planes, each program a process. */
export interface ReplicaSite {
  readonly replicas: Replicas;
  readonly domain: string;
  readonly hostPath: string;
  /** A token of the tenant. */
  readonly token: string;
  /** The replica that observes the host, and the other one. */
  readonly sides: () => Promise<{ readonly owner: Replica; readonly other: Replica }>;
  /** An alarm of a device of the demo; resolves when the appliance has it. */
  readonly alarm: (device: string) => Promise<void>;
  /** Whether a replica says that the host is online, in time. */
  readonly online: (at: Replica) => Promise<boolean>;
}

export async function openReplicaSite(place: Place): Promise<ReplicaSite> {
  const replicas = await startReplicas(place, 2);
  await replicas.rows(OBSERVATION_WATCH);
  const [arcPort = 0, sip = 0, web = 0, queue = 0] = await freePorts(HOST, 4);
  const signing = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const application = await startArc({
    host: HOST,
    port: arcPort,
    certificate: replicas.certificate,
    publicKeyPem: signing.publicKey,
    alarmAction: 'drop',
  });
  await place.keep(Promise.resolve({ stop: () => application.close() }));
  const [first] = replicas.all;
  if (first === undefined) throw new Error('there is no replica');
  const { token, claimCode } = await provisionDemoTenant({
    ...{ baseUrl: first.api, bootstrapToken: OWNER_TOKEN, arcUrl: `https://${HOST}:${arcPort}` },
    ...{ signingKeyPem: signing.privateKey, token: undefined, telephonePassword: 'for telephones' },
    needsClaim: true,
  });
  const appliance = new SiteProcess({
    name: 'the appliance',
    command: [process.execPath, CARILLON, 'appliance'],
    environment: {
      CARILLON_TRUST: replicas.trustFile,
      CARILLON_ALLOW_PRIVATE: '127.0.0.0/8',
      CARILLON_LOG: 'info',
      CARILLON_DATA: place.folder(),
      CARILLON_CLOUD: first.api,
      CARILLON_CLAIM: claimCode ?? '',
      CARILLON_HOST_ID: DEMO_HOST,
      CARILLON_ADDRESS: HOST,
      CARILLON_SITE_BASE_URL: `https://${HOST}:${web}`,
      CARILLON_SIP_UDP: `${HOST}:${sip}`,
      CARILLON_SIP_TCP: `${HOST}:${sip}`,
      CARILLON_SIP_TLS: '',
      CARILLON_DC09: '',
      CARILLON_APPLIANCE_HTTP: `${HOST}:${web}`,
      CARILLON_COMMAND_QUEUE: `${HOST}:${queue}`,
    },
    logFile: `${place.folder()}/appliance.log`,
  });
  await place.keep(appliance.start().then(() => appliance));

  const online = (at: Replica): Promise<boolean> =>
    until(async () => {
      const answer = await replicas.ask(at, 'GET', `/site/${DEMO_DOMAIN}`).catch(() => ({ data: {} }));
      const sites = answer.data as Record<string, { status: string }[]>;
      return Object.values(sites)
        .flat()
        .some(({ status }) => status === 'online');
    }, WITHIN_MS);
  if (!(await online(first))) throw new Error('the host did not come');
  return {
    replicas,
    domain: DEMO_DOMAIN,
    hostPath: `/site/${DEMO_DOMAIN}/${DEMO_SITE}/host/${DEMO_HOST}`,
    token,
    online,
    sides: async () => {
      const [row] = await replicas.rows<{ taker: string }>(
        'SELECT taker FROM host JOIN shard_taker USING (sh)',
      );
      const owner = replicas.all.find(({ name }) => name === row?.taker);
      const other = replicas.all.find(({ name }) => name !== row?.taker);
      if (owner === undefined || other === undefined) throw new Error(`nothing owns the host: ${row?.taker}`);
      return { owner, other };
    },
    alarm: async (device) => {
      const { acknowledged, failures } = await simulateScaip({
        ...{ to: `${HOST}:${sip}`, transport: 'udp', domain: DEMO_DOMAIN, receiver: 'scaip', device },
        ...{
          password: undefined,
          count: 1,
          rate: 1,
          deviceType: '0003',
          statusCode: '0010',
          trust: undefined,
        },
      });
      if (acknowledged !== 1) throw new Error(`the alarm was not taken: ${failures.join()}`);
    },
  };
}
