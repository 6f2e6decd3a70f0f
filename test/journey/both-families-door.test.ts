import type { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { Server } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { connect } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { start } from '#appliance/main.ts';
import { simulateDc09 } from '#appliance/simulator/index.ts';
import { openSite, type Site } from '#test/support/site.ts';

/*
 * A host whose settings name an address of each family: panels, applications and telephones come to either, and the certificate
 * that they are shown names the address they called. One that is added later comes into the certificate by a renewal.
 */
const HOSTS = ['127.0.0.1', '::1'] as const;
const SHARED = '2001:db8::ff';
const WAIT = { timeout: 20_000, interval: 50 };

let site: Site;
let ports: { readonly https: number; readonly sips: number; readonly queue: number };
beforeAll(async () => {
  site = await openSite({
    listening: HOSTS,
    provision: async ({ api, token, domain, callbacks }) => {
      const said = await fetch(`${api}/provisioning/cloudsipua/${domain}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'SecureListeners', destinationMatch: '^door-', ...callbacks }),
      });
      expect(said.status).toBe(200);
    },
  });
  ports = {
    https: Number(new URL(site.siteBaseUrl).port),
    sips: site.sips,
    queue: Number(new URL(site.commandQueue).port),
  };
}, 90_000);
afterAll(() => site?.close(), 60_000);

const at = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
const ca = (): string => readFileSync(join(site.applianceFolder, 'ca.crt'), 'utf8');

/** The certificate that is shown there, by whoever knows the roots of the platform and expects the address it calls. */
function shown(host: string, port: number): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connectTls({ host, port, ca: ca() }, () => {
      const certificate = socket.getPeerX509Certificate();
      socket.destroy();
      if (certificate === undefined) reject(new Error('no certificate is shown'));
      else resolve(certificate);
    });
    socket.once('error', reject);
  });
}

function post(host: string, operation: string, body: object): Promise<[number | undefined, unknown]> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' };
    const url = `https://${at(host, ports.https)}/mediaservice/${site.domain}/${operation}`;
    const asked = request(url, { method: 'POST', headers, ca: ca(), agent: false }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      resolve([answer.statusCode, JSON.parse(text)]);
    });
    asked.on('error', reject);
    asked.end(JSON.stringify(body));
  });
}

describe.each(HOSTS)('at %s', (host) => {
  it.each(['tcp', 'udp'] as const)('a panel sends its alarm over %s', async (transport) => {
    const before = site.received.length;
    const run = { to: at(host, site.dc09), transport, account: '1234', data: 'NBA01', key: undefined };
    const said = await simulateDc09({ ...run, token: 'SIA-DCS', count: 1 });
    expect(said).toEqual({ sent: 1, acknowledged: 1, failures: [] });
    await vi.waitFor(() => expect(site.received.length).toBeGreaterThan(before), WAIT);
  });

  it.each(['https', 'sips', 'queue'] as const)('%s shows a certificate that names it', async (server) => {
    expect((await shown(host, ports[server])).checkIP(host)).toBeDefined();
  });

  it('an application that receives there learns where to send, in its family', async () => {
    const end = { codec: 'PCMA', receiveIp: host, receivePort: 40_000 };
    const call = { destinationUri: `sip:nobody@${site.domain}`, sourceUser: 'door-1' };
    const [status, answer] = await post(host, 'placeremotecall', { ...end, ...call });
    expect(answer, JSON.stringify(answer)).toMatchObject({ localIp: host, localPort: expect.any(Number) });
    expect(status).toBe(200);
    // Media workers that are late still take the first call, and may refuse a second one.
    const { replyId } = answer as { replyId: string };
    expect(await post(host, 'hangupcall', { replyId })).toEqual([200, { success: true }]);
  });

  it('an application speaks with the command queue', async () => {
    const client = connect(`mqtts://${at(host, ports.queue)}`, {
      ...{ ca: ca(), username: 'any', password: site.token, clientId: 'journey' },
      ...{ protocolVersion: 4, reconnectPeriod: 0 },
    });
    const refused = new Promise((_, reject) => client.once('error', reject).once('close', reject));
    try {
      await Promise.race([new Promise<void>((resolve) => client.once('connect', () => resolve())), refused]);
      const [granted] = await client.subscribeAsync(`cmd/${site.domain}/reply/journey`);
      expect(granted?.qos).toBe(0);
    } finally {
      refused.catch(() => undefined);
      await client.endAsync(true);
    }
  });
});

/** Listeners of this process at a port of `::1`, as the kernel gave it. */
function listener(port: number): Server {
  const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles();
  const found = handles.find((each): each is Server => {
    const address = each instanceof Server ? each.address() : null;
    return typeof address === 'object' && address?.port === port && address.address === '::1';
  });
  if (found === undefined) throw new Error(`nothing listens at [::1]:${port}`);
  return found;
}

describe('the same host after a restart', () => {
  it('with a shared address and another listener has a certificate of them, too', async () => {
    const serial = (await shown('::1', ports.https)).serialNumber;
    await site.stopAppliance();
    const web = [...HOSTS, '127.0.0.2'].map((host) => at(host, ports.https)).join(',');
    await site.startAppliance({ CARILLON_VIP: `${SHARED}/64`, CARILLON_APPLIANCE_HTTP: web });
    const certificate = await vi.waitFor(async () => {
      const now = await shown('127.0.0.2', ports.https);
      expect(now.checkIP(SHARED)).toBe(SHARED);
      return now;
    }, WAIT);
    expect(certificate.serialNumber).not.toBe(serial);
    await vi.waitFor(async () => {
      for (const port of [ports.sips, ports.queue])
        expect((await shown('::1', port)).serialNumber).toBe(certificate.serialNumber);
    }, WAIT);
    // Nothing is lacking any more: the next start leaves it.
    await site.stopAppliance();
    await site.startAppliance({ CARILLON_VIP: `${SHARED}/64`, CARILLON_APPLIANCE_HTTP: web });
    expect((await shown('127.0.0.2', ports.https)).serialNumber).toBe(certificate.serialNumber);
  });

  it('answers its watchdog at every listener, and says which one does not', async () => {
    await site.stopAppliance();
    const both = (port: number): string => HOSTS.map((host) => at(host, port)).join(',');
    const sip = Number(site.sip.split(':').at(-1));
    const environment = {
      CARILLON_DATA: site.applianceFolder,
      CARILLON_ADDRESS: '127.0.0.1',
      CARILLON_ALLOW_PRIVATE: '127.0.0.0/8,::1/128',
      CARILLON_LOG: 'error',
      CARILLON_SITE_BASE_URL: site.siteBaseUrl,
      CARILLON_SIP_UDP: both(sip),
      CARILLON_SIP_TCP: both(sip),
      CARILLON_SIP_TLS: both(ports.sips),
      CARILLON_DC09: both(site.dc09),
      CARILLON_APPLIANCE_HTTP: both(ports.https),
      CARILLON_COMMAND_QUEUE: both(ports.queue),
    };
    const started = await start({ flags: {}, environment, file: {} });
    if (!started.ok) throw new Error(started.error.reason);
    const { faults, configured, close } = started.value;
    try {
      await configured(30_000);
      expect(await faults?.()).toEqual([]);
      const listeners = [
        [sip, `OPTIONS to ::1:${sip}/TCP was not answered within 2 s`],
        [ports.sips, `OPTIONS to ::1:${ports.sips}/TLS was not answered within 2 s`],
        [ports.https, `HTTPS at ::1:${ports.https} did not answer within 2 s`],
        [site.dc09, `DC-09 at ::1:${site.dc09} takes no connection`],
        [ports.queue, `the command queue at ::1:${ports.queue} takes no connection`],
      ] as const;
      for (const [at, [port]] of listeners.entries()) {
        listener(port).close();
        expect(await faults?.()).toEqual(listeners.slice(0, at + 1).map(([, sentence]) => sentence));
      }
    } finally {
      await close();
    }
  }, 60_000);
});
