import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { until } from '#test/campaign/replica/control-plane-look.ts';
import type { Replica } from '../cloud/replicas.ts';
import { openReplicaSite, type ReplicaSite } from './stage/replica-site.ts';

/*
 * A person who signed in at one replica: an edit, a bulk load, the stream of the site and the log of a host are under way there, and it is
 * killed (kill -9). The person goes on at the other one with the same session.
 */
const PERSON = { email: 'ada@demo.carillon.test', password: 'a long enough password 7' };
const [WITHIN_MS, ROWS, SEEN_ROWS] = [90_000, 60_000, 3_000];
const place = new Place();
let site: ReplicaSite;
let first: Replica;
let second: Replica;
let session: Readonly<Record<string, string>>;

type Answer = Record<string, unknown> & { readonly status: number; readonly etag: string };

/** As the browser of the person asks. */
async function ask(
  { api }: Replica,
  method: string,
  path: string,
  {
    body,
    headers = {},
  }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  const answer = await fetch(`${api}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...session, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const said = (await answer.json()) as Record<string, unknown>;
  return { ...said, status: answer.status, etag: answer.headers.get('etag') ?? '' };
}

/** Server-sent events as they come, until the connection ends. */
async function follow({ api }: Replica, path: string, headers: Readonly<Record<string, string>> = {}) {
  const abort = new AbortController();
  const answer = await fetch(`${api}${path}`, { headers: { ...session, ...headers }, signal: abort.signal });
  if (answer.status !== 200) return undefined;
  const events: { readonly id: string; readonly event: string; readonly data: string }[] = [];
  const read = async (): Promise<void> => {
    let text = '';
    for await (const bytes of answer.body ?? []) {
      text += new TextDecoder().decode(bytes);
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const of = (name: string): string =>
          new RegExp(`^${name}: (.*)$`, 'm').exec(text.slice(0, end))?.[1] ?? '';
        // Signs of life have no name.
        if (of('event') !== '') events.push({ id: of('id'), event: of('event'), data: of('data') });
        text = text.slice(end + 2);
      }
    }
  };
  const over = read().then(
    () => true,
    () => true,
  );
  await place.keep(Promise.resolve({ stop: async () => abort.abort() }));
  return { events, over };
}

beforeAll(async () => {
  site = await openReplicaSite(place);
  const [a, b] = site.replicas.all;
  if (a === undefined || b === undefined) throw new Error('there are not two replicas');
  // Hosts come in by the first one as long as it lives.
  [second, first] = [a, b];
  session = {};
  const invited = await site.replicas.ask(first, 'POST', `/provisioning/user/${site.domain}`, {
    ...{ email: PERSON.email, role: 'owner' },
  });
  const { pathname } = new URL(String(invited.link));
  expect(await ask(second, 'POST', pathname, { body: PERSON })).toMatchObject({ status: 200 });
  const signedIn = await fetch(`${first.api}/session`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(PERSON) },
  });
  expect(signedIn.status).toBe(200);
  const { csrfToken } = (await signedIn.json()) as { csrfToken: string };
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  session = { cookie, 'x-csrf-token': csrfToken };
}, 400_000);
afterAll(() => place.close());

describe('the replica of a signed-in person is killed', { timeout: 400_000 }, () => {
  const devices = () => `/provisioning/device/${site.domain}`;
  const bridges = () => `/provisioning/alarmbridge/${site.domain}`;
  const load = () => `${devices()}/bulk/under-way`;
  const statusOf = async ({ api }: Replica): Promise<{ status: string; rows: number; reason?: string }> => {
    const answer = await fetch(`${api}${load()}`, { headers: session });
    return ((await answer.json()) as { status: { status: string; rows: number; reason?: string } }).status;
  };
  let etag = '';
  let lastId = '';

  it('in the middle of an edit, a bulk load, the stream of a site and the log of a host', async () => {
    const stream = await follow(first, `/site/${site.domain}/stream`);
    const log = await follow(first, `${site.hostPath}/log`);
    expect(await until(async () => (stream?.events.length ?? 0) > 0, WITHIN_MS)).toBe(true);
    expect(await until(async () => (log?.events.length ?? 0) > 0, WITHIN_MS)).toBe(true);
    const read = await ask(first, 'GET', `${devices()}/scaip-0001`);
    expect(read.status).toBe(200);
    etag = read.etag;
    const rows = Array.from({ length: ROWS }, (_, n) => `load-${n},deviceid,negotiated`);
    const csv = ['deviceId,authType,srtp', ...rows].join('\n');
    const started = await ask(first, 'PUT', load(), { body: csv, headers: { 'content-type': 'text/csv' } });
    expect(started.status).toBe(200);
    expect(await until(async () => (await statusOf(first)).rows >= SEEN_ROWS, WITHIN_MS)).toBe(true);
    const bridge = {
      name: 'under way',
      protocol: 'scaip',
      destinationMatch: '^under-way$',
      callbackBaseUrl: 'https://127.0.0.1:65535',
    };
    const edit = { body: bridge, headers: { 'idempotency-key': 'under-way-1' } };
    const unanswered = ask(first, 'POST', bridges(), edit).catch(() => undefined);
    await first.process.kill();
    await unanswered;
    lastId = stream?.events.at(-1)?.id ?? '';
    // The same request once more, as a browser that got no answer sends it.
    expect(await ask(second, 'POST', bridges(), edit)).toMatchObject({ status: 200 });
    const { alarmbridges } = (await ask(second, 'GET', bridges())) as unknown as {
      alarmbridges: { name: string }[];
    };
    expect(alarmbridges.filter(({ name }) => name === bridge.name)).toHaveLength(1);
    expect(await stream?.over).toBe(true);
    expect(await log?.over).toBe(true);
  });

  it('the session and an edit that was begun go on, and one that another person overtook is refused', async () => {
    expect(await ask(second, 'GET', '/session')).toMatchObject({ status: 200 });
    const device = { deviceId: 'scaip-0001', authType: 'deviceid', srtp: 'never' };
    const write = () => ask(second, 'PUT', devices(), { body: device, headers: { 'if-match': etag } });
    expect(await write()).toMatchObject({ status: 200 });
    expect(await write()).toMatchObject({ status: 412 });
  });

  it('the log of the host is read on', async () => {
    expect(await site.online(second)).toBe(true);
    let log: Awaited<ReturnType<typeof follow>>;
    const opened = async () => {
      log ??= await follow(second, `${site.hostPath}/log`);
      return (log?.events.length ?? 0) > 0;
    };
    expect(await until(opened, WITHIN_MS)).toBe(true);
    const before = log?.events.length ?? 0;
    await site.alarm('scaip-0003');
    expect(await until(async () => (log?.events.length ?? 0) > before, WITHIN_MS)).toBe(true);
  });

  it('the stream of the site goes on', async () => {
    const stream = await follow(second, `/site/${site.domain}/stream`, { 'last-event-id': lastId });
    const isStreamed = (event: string) => stream?.events.some((each) => each.event === event) === true;
    expect(await until(async () => (stream?.events.length ?? 0) > 0, WITHIN_MS)).toBe(true);
    const labels = { body: { labels: ['room=b'] } };
    expect(await ask(second, 'PUT', `${site.hostPath}/labels`, labels)).toMatchObject({ status: 200 });
    expect(await until(async () => isStreamed('host'), WITHIN_MS)).toBe(true);
  });

  it('the bulk load has ended, and its status says how many rows were applied', async () => {
    expect(await until(async () => (await statusOf(second)).status !== 'STARTED', WITHIN_MS)).toBe(true);
    const { status, rows, reason } = await statusOf(second);
    expect(status).toBe('FAILED');
    expect(rows).toBeGreaterThanOrEqual(SEEN_ROWS);
    expect(reason).toContain(`${rows} of the first ${rows} rows were applied`);
    expect(await ask(second, 'GET', `${devices()}/load-${rows - 1}`)).toMatchObject({ status: 200 });
    expect(await ask(second, 'GET', `${devices()}/load-${rows}`)).toMatchObject({ status: 404 });
  });
});
