import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { DOMAIN, replicaOf, until } from '#test/campaign/replica/control-plane-look.ts';
import { HOSTS, lastChange, startEndpoint, startHosts } from '#test/campaign/replica/control-plane-stage.ts';
import { freePorts } from '#test/support/site-port.ts';
import { OWNER_TOKEN, type Replica, type Replicas, startReplicas } from '../cloud/replicas.ts';
import { runProgram } from '../support/program.ts';
import { checkHaproxy, SHIPPED, startHaproxy, writeHaproxy } from './stage/haproxy.ts';

/*
 * The shipped configuration, in front of two control planes and two brokers:
 *
 *     a person ──TLS──▶ HAProxy ──PROXY 2──▶ control planes      hosts ──▶ HAProxy ──▶ control planes (edge), brokers
 */

const HOST = '127.0.0.1';
/** Addresses of the load balancer and of a caller. */
const [BALANCER, CALLER] = ['127.0.0.77', '127.0.0.5'];
const COUNT = 2;
const WITHIN_MS = 60_000;
/** Requests behind the end of a control plane. */
const MORE = 20;
const SITES = 'carillon_http_request_seconds_count{method="GET",route="/site/:domain",status="200"}';

const place = new Place();
let replicas: Replicas;
let file: string;
let port: number;

beforeAll(async () => {
  const [api = 0, edge = 0, mqtt = 0] = await freePorts(HOST, 3);
  port = api;
  replicas = await startReplicas(place, COUNT, {
    brokers: 2,
    environmentOf: () => ({
      CARILLON_TRUSTED_PROXIES: `${BALANCER}/32`,
      CARILLON_PUBLIC_URL: `https://${HOST}:${api}`,
      CARILLON_EDGE_URL: `https://${HOST}:${edge}`,
      CARILLON_MQTT_URL: `mqtts://${HOST}:${mqtt}`,
    }),
  });
  const servers = replicas.all.map(({ plan }, n) => ({
    [`cloud-${n + 1}:8080`]: portOf(plan.environment.CARILLON_HTTP),
    [`cloud-${n + 1}:8444`]: portOf(plan.environment.CARILLON_EDGE),
    [`mqtt-${n + 1}:8883`]: portOf(replicas.brokers[n]?.url),
  }));
  file = writeHaproxy({
    ...{ folder: place.folder(), certificate: replicas.certificate, source: BALANCER },
    ...{ binds: { 8443: api, 8444: edge, 8883: mqtt }, servers: Object.assign({}, ...servers) },
  });
  await place.keep(startHaproxy(file));
  await startEndpoint(place, replicas, () => undefined);
  await startHosts(place, replicas);
}, 300_000);
afterAll(() => place.close());

const portOf = (url = ''): number => Number(url.slice(url.lastIndexOf(':') + 1));

/** A request over HAProxy; gives the status, 0 for a connection that failed. */
function ask(method: string, path: string, options: RequestOptions = {}, body?: object): Promise<number> {
  const { ca } = replicas.certificate;
  const headers = { authorization: `Bearer ${OWNER_TOKEN}`, 'content-type': 'application/json' };
  return new Promise((done) => {
    request(
      { host: HOST, port, method, path, ca, headers, localAddress: CALLER, agent: false, ...options },
      (answer) => {
        answer.on('error', () => done(0)).on('end', () => done(answer.statusCode ?? 0));
        answer.resume();
      },
    )
      .on('error', () => done(0))
      .end(body && JSON.stringify(body));
  });
}

const put = (deviceId: string, options?: RequestOptions) =>
  ask('PUT', `/provisioning/device/${DOMAIN}`, options, { deviceId, authType: 'deviceid', srtp: 'never' });

/** Requests one behind the other until the end, each a change or a look; gives their statuses. */
function startAsking(name: string, options?: RequestOptions) {
  const statuses: number[] = [];
  let isOver = false;
  const run = async (): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      const isChange = n % 5 === 0;
      const asked = isChange ? put(`${name}-${n}`, options) : ask('GET', `/site/${DOMAIN}`, options);
      statuses.push(await asked);
    }
  };
  const running = run();
  return {
    statuses,
    end: async (): Promise<number[]> => {
      isOver = true;
      await running;
      return statuses;
    },
  };
}

/** How many looks at sites this control plane has answered. */
async function answered({ api }: Replica): Promise<number> {
  const answer = await fetch(`${api}/metrics`, { headers: { authorization: `Bearer ${OWNER_TOKEN}` } });
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith(SITES));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

describe('haproxy -c', () => {
  it('takes the shipped configuration without a warning', async () => {
    const { code, stderr } = await checkHaproxy(file);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/WARNING|ALERT/) });
  });

  it('takes no word that it does not know', async () => {
    const broken = join(place.folder(), 'haproxy.cfg');
    writeFileSync(broken, readFileSync(file, 'utf8').replace(' send-proxy-v2 check', ' send-proxy-v9 check'));
    const { code, stderr } = await checkHaproxy(broken);
    expect(code).not.toBe(0);
    expect(stderr).toContain('send-proxy-v9');
  });
});

describe(`HAProxy with ${SHIPPED.split('/').at(-1)}`, () => {
  it('passes the API on, and the address of the caller counts', async () => {
    expect(await put('by-the-balancer')).toBe(200);
    const rows = await replicas.rows("SELECT address FROM audit WHERE entity_id = 'by-the-balancer'");
    expect(rows).toEqual([{ address: CALLER }]);
  });

  it('passes hosts on to their brokers, and a change reaches each of them', async () => {
    const through = async (): Promise<number> => {
      const peers = ['state', 'established', 'src', BALANCER];
      const { stdout } = await runProgram('ss', ['--no-header', '--numeric', '--tcp', ...peers]);
      const brokers = replicas.brokers.map(({ url }) => ` ${HOST}:${portOf(url)} `);
      return stdout.split('\n').filter((line) => brokers.some((at) => `${line} `.includes(at))).length;
    };
    expect(await until(async () => (await through()) >= HOSTS, WITHIN_MS)).toBe(true);
    expect((await lastChange(replicas)).behind).toEqual([]);
  });

  it('takes no request to a control plane that ends', { timeout: 200_000 }, async () => {
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    const callers = [startAsking('new'), startAsking('kept', { agent: kept })];
    const asked = () => callers.map(({ statuses }) => statuses.length);
    for (const n of [0, 1]) {
      const [leaving, other] = [replicaOf(replicas, n), replicaOf(replicas, 1 - n)];
      for (const each of [leaving, other]) {
        const before = await answered(each);
        expect(await until(async () => (await answered(each)) > before, WITHIN_MS)).toBe(true);
      }
      await leaving.process.stop(30_000);
      const before = asked();
      const goOn = async () => asked().every((count, at) => count > (before[at] ?? 0) + MORE);
      expect(await until(goOn, WITHIN_MS)).toBe(true);
      await leaving.process.start({}, WITHIN_MS);
    }
    const statuses = await Promise.all(callers.map((caller) => caller.end()));
    kept.destroy();
    expect(statuses.flat().filter((status) => status !== 200)).toEqual([]);
  });
});
