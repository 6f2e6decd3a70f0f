import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_DOMAIN, DEMO_HOST, provisionDemoTenant } from '#installer/step/demo-tenant.ts';
import type { Place } from '#test/bench/support/place.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';
import { freePorts } from '#test/support/site-port.ts';
import { SiteProcess } from '#test/support/site-process.ts';
import { CARILLON } from '../../support/program/program.ts';
import { type Mosquitto, startMosquitto } from './mosquitto.ts';

export interface BrokeredSite {
  readonly broker: Mosquitto;
  /** All of them, where there are several. */
  readonly brokers: readonly Mosquitto[];
  /** Starts one of them again at its port, once it was stopped. */
  readonly restartBroker: (at: number) => Promise<Mosquitto>;
  readonly domain: string;
  readonly api: string;
  readonly token: string;
  /** SIP over UDP and TCP of the appliance. */
  readonly sip: number;
  /** Password of the demo's telephones. */
  readonly password: string;
  /** Key and certificate of a server on loopback that both trust. */
  readonly certificate: { readonly cert: string; readonly key: string };
  /** Its state, and its HTTPS listener. */
  readonly applianceFolder: string;
  readonly listener: { readonly host: string; readonly port: number };
  readonly startAppliance: () => Promise<void>;
  readonly killAppliance: () => Promise<void>;
}

const PASSWORD = 'for telephones';

/**
 * Cloud and appliance as processes of their own that meet through Mosquitto, or through several; the demo tenant is
 * provisioned.
 */
export async function startBrokeredSite(
  place: Place,
  more: Readonly<Record<string, string>> = {},
  brokerCount = 1,
): Promise<BrokeredSite> {
  const [http = 0, edge = 0, web = 0, sip = 0, sips = 0, ...mqtt] = await freePorts(
    '127.0.0.1',
    5 + brokerCount,
  );
  const [cloudFolder, applianceFolder, folder] = [place.folder(), place.folder(), place.folder()];
  // The platform's authority is made before the cloud's first start, so that the broker can know it.
  const authority = await openFolderAuthority(join(cloudFolder, 'authority'), Date.now());
  const server = await authority.issueServer(['127.0.0.1'], Date.now());
  const startBroker = (at: number, owner?: Mosquitto['owner']): Promise<Mosquitto> => {
    const plan = { folder: place.folder(), port: mqtt[at] ?? 0, server };
    return place.keep(startMosquitto(owner === undefined ? plan : { ...plan, owner }));
  };
  const broker = await startBroker(0);
  const brokers = [broker];
  for (let at = 1; at < brokerCount; at++) brokers.push(await startBroker(at, broker.owner));
  const trust = join(folder, 'trust.pem');
  writeFileSync(trust, authority.ca);
  const both = {
    CARILLON_TRUST: trust,
    CARILLON_ALLOW_PRIVATE: '127.0.0.0/8',
    CARILLON_LOG: 'warn',
    ...more,
  };
  const cloud = new SiteProcess({
    name: 'the cloud',
    command: [process.execPath, CARILLON, 'cloud'],
    environment: {
      ...both,
      CARILLON_DATA: cloudFolder,
      CARILLON_HTTP: `127.0.0.1:${http}`,
      CARILLON_EDGE: `127.0.0.1:${edge}`,
      CARILLON_MQTT: brokers.map(({ url }) => url).join(','),
      CARILLON_MQTT_CERT: broker.owner.cert,
      CARILLON_MQTT_KEY: broker.owner.key,
    },
    logFile: join(folder, 'cloud.log'),
  });
  const appliance = new SiteProcess({
    name: 'the appliance',
    command: [process.execPath, CARILLON, 'appliance'],
    environment: {
      ...both,
      CARILLON_DATA: applianceFolder,
      CARILLON_CLOUD: `http://127.0.0.1:${http}`,
      CARILLON_HOST_ID: DEMO_HOST,
      CARILLON_ADDRESS: '127.0.0.1',
      CARILLON_SIP_UDP: `127.0.0.1:${sip}`,
      CARILLON_SIP_TCP: `127.0.0.1:${sip}`,
      CARILLON_SIP_TLS: `127.0.0.1:${sips}`,
      CARILLON_COMMAND_QUEUE: '',
      CARILLON_DC09: '',
      CARILLON_APPLIANCE_HTTP: `127.0.0.1:${web}`,
    },
    logFile: join(folder, 'appliance.log'),
  });
  await place.keep(cloud.start().then(() => cloud));
  const api = `http://127.0.0.1:${http}`;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const tenant = await provisionDemoTenant({
    baseUrl: api,
    bootstrapToken: readFileSync(join(cloudFolder, 'bootstrap-token'), 'utf8').trim(),
    // No party is called in this test.
    arcUrl: `https://127.0.0.1:${web}`,
    signingKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    token: undefined,
    telephonePassword: PASSWORD,
    needsClaim: true,
  });
  const claim = { CARILLON_CLAIM: tenant.claimCode ?? '' };
  await place.keep(appliance.start(claim).then(() => appliance));
  return {
    broker,
    brokers,
    restartBroker: (at) => startBroker(at, broker.owner),
    domain: DEMO_DOMAIN,
    api,
    token: tenant.token,
    sip,
    password: PASSWORD,
    certificate: { cert: server.cert, key: server.key },
    applianceFolder,
    listener: { host: '127.0.0.1', port: web },
    startAppliance: async () => void (await appliance.start()),
    killAppliance: () => appliance.kill(),
  };
}
