import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDINARY_POLICY } from '#appliance/call/control/index.ts';
import type { Line } from '#appliance/simulator/index.ts';
import { openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { DEMO_SITE } from '#installer/step/demo-tenant.ts';
import type { HostDetail, SiteNews, SiteOperation } from '#shared/contract/site/index.ts';
import { openSitePair, type PairHost, type SitePair } from '#test/support/site-pair.ts';
import { CARILLON } from '../support/program/program.ts';
import { runProgram } from './support/program.ts';

/*
 * The life of a host, each program a process of its own:
 *
 *   person ─ HTTP ─▶ cloud ─ MQTT, HTTPS with client certificate ─▶ host one, host two ◀─ SIP, RTP ─ telephone
 *      ▲                └─ server-sent events ─▶ what the person sees
 */
const WITHIN_MS = 45_000;

let pair: SitePair;
let one: PairHost;
let two: PairHost;
let kept: string;
const ends: (() => Promise<unknown>)[] = [];
const siteEvents: SiteNews[] = [];

type Body = Readonly<Record<string, unknown>>;

async function api(method: string, path: string, body?: unknown): Promise<Body & { status: number }> {
  const answer = await fetch(`${pair.api}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${pair.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { ...((await answer.json()) as Body), status: answer.status };
}

const pathOf = ({ hostId }: PairHost) => `/site/${pair.domain}/${DEMO_SITE}/host/${hostId}`;
const detailOf = async (host: PairHost) => (await api('GET', pathOf(host))).host as HostDetail;

async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const untilMs = performance.now() + WITHIN_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > untilMs) {
      const words = readFileSync(pair.logFile('two'), 'utf8').trimEnd().split('\n').slice(-5).join('\n');
      throw new Error(`no ${what}; told last: ${JSON.stringify(siteEvents.slice(-3))}\n${words}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** News of the stream since the place, and later news. */
const streamed = <E extends SiteNews['event']>(
  event: E,
  fits: (data: Extract<SiteNews, { event: E }>['data']) => boolean,
  since = 0,
) =>
  eventually(`${event} in the stream`, async () => {
    for (const each of siteEvents.slice(since))
      if (each.event === event && fits(each.data as never))
        return each.data as Extract<SiteNews, { event: E }>['data'];
    return undefined;
  });
const operationStreamed = (operationId: unknown, state: SiteOperation['state'], since = 0) =>
  streamed('operation', (data) => data.operationId === operationId && data.state === state, since);
const stepOf = (operation: SiteOperation, name: string) => operation.steps.find(({ step }) => step === name);

/** All news that the console would get. */
async function follow(): Promise<void> {
  const abort = new AbortController();
  ends.push(async () => abort.abort());
  const answer = await fetch(`${pair.api}/site/${pair.domain}/stream`, {
    headers: { authorization: `Bearer ${pair.token}` },
    signal: abort.signal,
  });
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  const read = async (): Promise<void> => {
    let text = '';
    for await (const bytes of answer.body ?? []) {
      text += new TextDecoder().decode(bytes);
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const [id, event, data] = text
          .slice(0, end)
          .split('\n')
          .map((line) => line.slice(line.indexOf(': ') + 2));
        if (data !== undefined) siteEvents.push({ id, event, data: JSON.parse(data) } as SiteNews);
        text = text.slice(end + 2);
      }
    }
  };
  read().catch(() => undefined);
  await streamed('reset', () => true);
}

/** A telephone at this host; `call` resolves with the line when a party answers, or with the reason why none did. */
async function telephoneAt(host: PairHost) {
  const open = await openTelephone({
    to: `127.0.0.1:${host.sipPort}`,
    transport: 'udp',
    domain: pair.domain,
    user: 'operator',
    password: 'for telephones',
    policy: { ...ORDINARY_POLICY, profile: 'alarm', srtp: 'never' },
  });
  ends.push(open.close);
  const registered = await open.telephone.register(600);
  if (!registered.ok) throw new Error(registered.error.reason);
  const over = Promise.withResolvers<string>();
  const call = (): Promise<Line | string> =>
    new Promise((resolve) => {
      open.telephone.call('switchboard', {
        answered: resolve,
        ended: (_, reason) => {
          over.resolve(reason);
          resolve(reason);
        },
      });
    });
  return { call, over: over.promise };
}

/** The edge listener, as whoever has a copy of this host's folder asks it. */
function edgeStatus(folder: string, path: string): Promise<number> {
  const file = (name: string) => readFileSync(join(folder, name), 'utf8');
  const { edgeUrl } = JSON.parse(file('identity.json')) as { edgeUrl: string };
  return new Promise((resolve, reject) => {
    const options = {
      cert: file('host.crt'),
      key: file('host.key'),
      ca: file('ca.crt'),
      agent: false as const,
    };
    const asked = request(`${edgeUrl}${path}`, options, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    asked.on('error', reject);
    asked.end();
  });
}

beforeAll(async () => {
  pair = await openSitePair();
  [one, two] = pair.hosts;
  kept = mkdtempSync(join(tmpdir(), 'carillon-kept-'));
  await follow();
});
afterAll(async () => {
  for (const end of ends.splice(0)) await end();
  await pair?.close();
  rmSync(kept, { recursive: true, force: true });
});

describe('a host from commission to its end', { timeout: 120_000 }, () => {
  it('comes into service by its checks and its first configuration', async () => {
    for (const host of pair.hosts) {
      const detail = await eventually(`${host.hostId} in service`, async () => {
        const seen = await detailOf(host);
        return seen.lifecycle === 'active' ? seen : undefined;
      });
      expect(detail).toMatchObject({ lifecycle: 'active', connectivity: 'online' });
      expect(detail.operation).toMatchObject({ type: 'commission', state: 'done' });
    }
  });

  it('shows what a technician has overridden, and the cloud takes it back', async () => {
    const words = [
      'override',
      'set',
      'logLevel',
      'debug',
      '--reason',
      'a lost call',
      '--for',
      '1h',
      '--author',
      'Ada',
      '--data',
      one.folder,
    ];
    const set = await runProgram(process.execPath, [CARILLON, ...words]);
    expect(set.code, set.stderr).toBe(0);
    const [override] = await eventually('override', async () => {
      const { overrides } = await detailOf(one);
      return overrides.length > 0 ? overrides : undefined;
    });
    expect(override).toMatchObject({ key: 'logLevel', value: 'debug', author: 'Ada', reason: 'a lost call' });
    await eventually('condition', async () =>
      (await detailOf(one)).conditions.OverrideActive?.status === true ? true : undefined,
    );
    const cleared = await api('POST', `${pathOf(one)}/rpc`, {
      op: 'override.clear',
      args: { key: 'logLevel' },
    });
    expect(cleared).toMatchObject({ status: 200, data: { cleared: ['logLevel'] } });
    await eventually('end of it', async () =>
      (await detailOf(one)).overrides.length === 0 ? true : undefined,
    );
  });

  it('gets its next certificate, and one who copied the old one gets in no more', async () => {
    const copy = mkdtempSync(join(kept, 'old-'));
    for (const name of ['identity.json', 'host.crt', 'host.key', 'ca.crt'])
      cpSync(join(one.folder, name), join(copy, name));
    expect(await edgeStatus(copy, '/edge/v1/twin')).toBe(200);
    const renewed = await api('POST', `${pathOf(one)}/rpc`, { op: 'cert.renew' });
    expect(renewed).toMatchObject({ status: 200, data: { expiresAt: expect.any(Number) } });
    expect(readFileSync(join(one.folder, 'host.crt'), 'utf8')).not.toBe(
      readFileSync(join(copy, 'host.crt'), 'utf8'),
    );
    expect(await edgeStatus(one.folder, '/edge/v1/twin')).toBe(200);
    expect(await edgeStatus(copy, '/edge/v1/twin')).toBe(403);
    expect(await detailOf(one)).toMatchObject({ certificate: { generation: 2 }, connectivity: 'online' });
  });

  it('hands over its log and its support bundle without a secret', async () => {
    const tail = await api('POST', `${pathOf(one)}/rpc`, {
      op: 'logs.tail',
      args: { lines: 5, match: 'certificate.renewed' },
    });
    expect(tail).toMatchObject({ status: 200, data: { lines: [expect.stringContaining('renewed')] } });
    // By the way of the certificate that was just renewed.
    const asked = await api('POST', `${pathOf(one)}/rpc`, { op: 'diag.bundle' });
    expect(asked).toMatchObject({ status: 200, data: { bytes: expect.any(Number) } });
    const { path, sha256 } = asked.data as { path: string; sha256: string };
    const fetched = await fetch(`${pair.api}${path}`, { headers: { authorization: `Bearer ${pair.token}` } });
    expect(fetched.headers.get('content-type')).toBe('application/gzip');
    const bytes = Buffer.from(await fetched.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    const text = gunzipSync(bytes).toString();
    expect(JSON.parse(text)).toMatchObject({ kind: 'carillon-support', state: { hostId: 'one' } });
    const key = readFileSync(join(one.folder, 'host.key'), 'utf8').split('\n')[1] ?? 'no key';
    expect(text).not.toContain(key);
    expect(text).not.toMatch(/PRIVATE KEY/);
    expect((await api('GET', path.replace('/host/one/', '/host/two/'))).status).toBe(404);
  });

  it('is not drained over a call that goes on, says so, and serves again when the drain is lifted', async () => {
    const telephone = await telephoneAt(two);
    const line = await telephone.call();
    if (typeof line === 'string') throw new Error(line);
    const since = siteEvents.length;
    const { operationId } = await api('POST', `${pathOf(two)}/drain`, { deadline: 0, reason: 'new memory' });
    const blocked = await streamed(
      'operation',
      (data) => data.operationId === operationId && stepOf(data, 'calls')?.blocked !== undefined,
      since,
    );
    expect(blocked.state).toBe('blocked');
    expect(stepOf(blocked, 'calls')).toMatchObject({
      state: 'blocked',
      calls: { ordinary: 1, alarm: 0 },
      blocked: { code: 'callsLeft' },
    });
    expect(stepOf(blocked, 'services')).toMatchObject({ state: 'done', services: expect.any(Array) });
    await streamed(
      'alarm',
      ({ error, hostId, status }) => error === 'drainBlocked' && hostId === 'two' && status === 'active',
      since,
    );
    expect(await detailOf(two)).toMatchObject({
      status: 'draining',
      conditions: { DrainBlocked: { status: true } },
    });
    // The same request again is the same operation.
    expect((await api('POST', `${pathOf(two)}/drain`)).operationId).toBe(operationId);
    expect(await (await telephoneAt(two)).call()).toMatch(/503|Service Unavailable/);

    const lifted = await api('POST', pathOf(two));
    await operationStreamed(lifted.operationId, 'done', since);
    await streamed('alarm', ({ error, status }) => error === 'drainBlocked' && status === 'cleared', since);
    expect(await api('GET', `/site/${pair.domain}/operation/${operationId}`)).toMatchObject({
      operation: { state: 'failed' },
    });
    expect((await detailOf(two)).lifecycle).toBe('active');
    line.hangUp();
    await telephone.over;
  });

  it('pauses its services where they shall stay its own', async () => {
    const { operationId } = await api('POST', `${pathOf(two)}/drain`, { doNotReschedule: 'true' });
    const done = await operationStreamed(operationId, 'done');
    expect(done.steps.every(({ state }) => state === 'done')).toBe(true);
    const { services } = stepOf(done, 'services') as unknown as { services: { state: string }[] };
    expect([...new Set(services.map(({ state }) => state))]).toEqual(['paused']);
    await operationStreamed((await api('POST', pathOf(two))).operationId, 'done');
  });

  it('is drained when its call is over; its services are at the other host', async () => {
    const { operationId } = await api('POST', `${pathOf(two)}/drain`);
    const done = await operationStreamed(operationId, 'done');
    const { services } = stepOf(done, 'services') as unknown as { services: { state: string; to: string }[] };
    expect(services.length).toBeGreaterThan(0);
    expect([...new Set(services.map(({ state, to }) => `${state} ${to}`))]).toEqual(['moved one']);
    expect((await detailOf(two)).status).toBe('drained');
  });

  it('leaves nothing behind when it is decommissioned, and its certificate opens nothing', async () => {
    cpSync(two.folder, kept, { recursive: true, filter: (name) => !name.endsWith('.db') });
    expect(await edgeStatus(kept, '/edge/v1/twin')).toBe(200);
    const since = siteEvents.length;
    const { operationId } = await api('DELETE', `${pathOf(two)}?reason=replaced`);
    const done = await operationStreamed(operationId, 'done', since);
    expect(stepOf(done, 'wipe')).toMatchObject({ state: 'done', left: [] });
    await streamed('gone', ({ hostId }) => hostId === 'two', since);
    await eventually('end of its process', async () => (two.process.running ? undefined : true));
    expect(readdirSync(two.folder).filter((name) => !name.startsWith('lock.db'))).toEqual([]);
    expect(await edgeStatus(kept, '/edge/v1/twin')).toBe(403);
    expect((await api('GET', pathOf(two))).status).toBe(404);
    // A copy of its files is no host any more either.
    expect(existsSync(join(kept, 'host.key'))).toBe(true);
  });

  it('is not taken away from its site as the last one, but by force and with a reason', async () => {
    for (const [method, path] of [
      ['POST', `${pathOf(one)}/drain`],
      ['DELETE', pathOf(one)],
    ] as const)
      expect(await api(method, path)).toMatchObject({ status: 409, error: { code: 'lastHost' } });
    expect(await api('DELETE', `${pathOf(one)}?force=true`)).toMatchObject({ status: 400 });
    expect(await api('POST', `${pathOf(one)}/drain`, { doNotReschedule: 'true' })).toMatchObject({
      status: 409,
    });
    const { operationId } = await api('DELETE', `${pathOf(one)}?force=true&reason=end`);
    await operationStreamed(operationId, 'done');
    await eventually('end of its process', async () => (one.process.running ? undefined : true));
    expect(readdirSync(one.folder).filter((name) => !name.startsWith('lock.db'))).toEqual([]);
  });
});
