import { generateKeyPairSync } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:https';
import { basename, join } from 'node:path';
import { startArc } from '#appliance/simulator/index.ts';
import { start } from '#cloud/main.ts';
import { demoAuthority } from '#installer/io/demo-authority.ts';
import { DEMO_DOMAIN, DEMO_SITE, provisionDemoTenant } from '#installer/step/demo-tenant.ts';
import { TELEPHONE_PASSWORD } from './control-plane-setting.ts';

/**
 * A control plane with the demo tenant and an application that answers alarms, in the network of the machine under test:
 * `node control-plane.ts FOLDER`. Says one line of JSON when it serves, and one for each alarm the application got.
 */
const HTTP = '127.0.0.1:8080';
/** Files of `FOLDER/release`, as the web server of a publisher would give them. */
const RELEASES = 8_446;
const ARC = 8_445;
const folder = process.argv[2] ?? '';

const authority = await demoAuthority(folder);
const { privateKey, publicKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
await startArc({
  host: '127.0.0.1',
  port: ARC,
  certificate: await authority.issue(['127.0.0.1', 'localhost']),
  publicKeyPem: publicKey,
  onRequest: ({ path, verified }) => say({ alarm: path, verified }),
});
createServer(await authority.issue(['127.0.0.1']), ({ url = '/' }, answer) => {
  const file = join(folder, 'release', basename(url));
  if (!existsSync(file)) answer.writeHead(404).end();
  else createReadStream(file).pipe(answer.writeHead(200, { 'content-length': statSync(file).size }));
}).listen(RELEASES, '127.0.0.1');
const cloud = await start({
  flags: {},
  file: {},
  environment: {
    CARILLON_DATA: join(folder, 'cloud'),
    CARILLON_HTTP: HTTP,
    CARILLON_EDGE: '127.0.0.1:8444',
    CARILLON_MQTT_LISTEN: '127.0.0.1:1883',
    CARILLON_TRUST: authority.file,
    CARILLON_ALLOW_PRIVATE: '127.0.0.0/8,::1/128',
    CARILLON_LOG: 'error',
  },
});
if (!cloud.ok) throw new Error(cloud.error.reason);
const bootstrapToken = readFileSync(join(folder, 'cloud', 'bootstrap-token'), 'utf8').trim();
const { claimCode } = await provisionDemoTenant({
  baseUrl: `http://${HTTP}`,
  bootstrapToken,
  arcUrl: `https://127.0.0.1:${ARC}`,
  signingKeyPem: privateKey,
  token: undefined,
  telephonePassword: TELEPHONE_PASSWORD,
  needsClaim: true,
});
const another = await claimed();
say({
  ready: true,
  domain: DEMO_DOMAIN,
  site: DEMO_SITE,
  claimCode,
  ca: authority.file,
  claimFile: await asked('GET', `/${await claimed()}/file`),
  qr: `http://${HTTP}/console/#/claim?claim=${another}`,
  releases: `https://127.0.0.1:${RELEASES}`,
  token: bootstrapToken,
});

/** The code of one more claim. */
async function claimed(): Promise<string> {
  return (JSON.parse(await asked('POST', '', '{}')) as { claimCode: string }).claimCode;
}

/** Claims of the site, as the owner of the platform reads them. */
async function asked(method: string, path: string, body?: string): Promise<string> {
  const headers = { authorization: `Bearer ${bootstrapToken}`, 'content-type': 'application/json' };
  const address = `http://${HTTP}/site/${DEMO_DOMAIN}/${DEMO_SITE}/claim${path}`;
  const answer = await fetch(address, { method, headers, ...(body !== undefined && { body }) });
  return answer.text();
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
