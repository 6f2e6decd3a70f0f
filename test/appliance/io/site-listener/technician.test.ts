import { describe, expect, test } from 'vitest';
import {
  TechnicianAccess,
  type TechnicianOperations,
  technicianPages,
  withActs,
} from '#appliance/io/site-listener/index.ts';
import { selfTestTexts } from '#shared/self-test/index.ts';

const ORIGIN = 'https://10.0.0.7:8443';

function stage() {
  let nowMs = 1_000_000;
  let seed = 1;
  const nextByte = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed & 0xff;
  };
  const codes: string[] = [];
  const keys: string[] = [];
  const access = new TechnicianAccess({
    random: (length) => Uint8Array.from({ length }, nextByte),
    keepCode: (code) => codes.push(code),
    keepLocalKey: (key) => keys.push(key),
  });
  access.open();
  const asked: string[] = [];
  const note = (name: string) => {
    asked.push(name);
    return { [name]: true };
  };
  const operations: TechnicianOperations = {
    state: () => note('state'),
    startSelfTest: () => void note('start'),
    selfTest: () => note('selfTest'),
    enrol: async (claim) => {
      asked.push(JSON.stringify(claim));
      return { kind: 'refused', reason: 'no' };
    },
    network: () => note('network'),
    echo: async () => note('echo'),
    trunks: async () => note('trunks'),
    expectCall: async () => note('call'),
    farEnd: async (user) => (user === '' ? undefined : note(`far end of ${user}`)),
    alarms: async () => note('alarms'),
    capture: ({ traceId, callIds = [] }) =>
      traceId === 'off'
        ? undefined
        : Promise.resolve({
            json: async () => Buffer.from(JSON.stringify(note(`capture of ${traceId ?? callIds.join()}`))),
            pcapng: async () => {
              note(`capture of ${traceId ?? callIds.join()}`);
              return Buffer.from('pcapng');
            },
          }),
    records: async () => [{ recordId: 'record' }],
    log: () => ['{"text":"a"}'],
    bundle: async () => note('bundle'),
  };
  const reported: string[] = [];
  const pages = withActs(
    technicianPages(access, operations, () => nowMs),
    (act, by) => reported.push(`${act} by ${by}`),
  );
  let source = '192.0.2.7';
  const ask = (path: string, init: RequestInit = {}) =>
    pages(new Request(`${ORIGIN}/technician${path}`, init), source);
  const post = (path: string, body: object, headers: Record<string, string> = { 'x-carillon': '1' }) =>
    ask(path, { method: 'POST', body: JSON.stringify(body), headers });
  return {
    ask,
    post,
    asked,
    told: reported,
    code: () => codes.at(-1) ?? '',
    key: () => keys.at(-1) ?? '',
    from: (address: string) => {
      source = address;
    },
    later: (ms: number) => {
      nowMs += ms;
    },
    async signIn(code = codes.at(-1) ?? '') {
      const answer = await post('/api/session', { code });
      return { status: answer.status, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
    },
  };
}

describe("the technician's page", () => {
  test('is shown to everybody and loads nothing from elsewhere', async () => {
    const { ask } = stage();
    for (const [path, type, holds] of [
      ['', 'text/html', 'id="code"'],
      ['/page.css', 'text/css', '.card'],
      ['/page.js', 'text/javascript', "at('code')"],
      ['/text.js', 'text/javascript', 'export const TEXTS'],
    ] as const) {
      const answer = await ask(path);
      expect(answer.headers.get('content-type')).toContain(type);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      const text = await answer.text();
      expect(text).toContain(holds);
      expect(text.match(/(?:src|href)="(?!\/technician|data:|#)[^"]*"|https?:\/\/(?!")[\w.]/g)).toBeNull();
    }
  });

  test('has every word of its script in it, and every place the script fills', async () => {
    const { ask } = stage();
    const html = await (await ask('')).text();
    const script = await (await ask('/page.js')).text();
    const words = await (await ask('/text.js')).text();
    for (const [, id] of script.matchAll(/\bat\('(\w+)'\)/g)) expect(html).toContain(`id="${id}"`);
    for (const [, word = ''] of html.matchAll(/data-text="(\w+)"/g)) {
      expect(words.match(new RegExp(`^    ${word}:`, 'gm')), `${word} in three languages`).toHaveLength(3);
    }
    for (const [, word = ''] of script.matchAll(/(?<!\/)\btext\.(\w+)/g)) {
      expect(words.match(new RegExp(`^    ${word}:`, 'gm')), `${word} in three languages`).toHaveLength(3);
    }
  });

  test('names each point and says what to do in the same words as the commands', async () => {
    const { ask } = stage();
    expect(await (await ask('/self-test.json')).json()).toEqual(selfTestTexts);
  });

  test.each(['/api/state', '/api/network', '/api/log', '/api/selftest', '/api/bundle'])(
    'keeps %s for who is signed in',
    async (path) => {
      const { ask, signIn, asked } = stage();
      expect((await ask(path)).status).toBe(401);
      expect((await ask(path, { headers: { cookie: '__Host-technician=guessed' } })).status).toBe(401);
      expect(asked).toEqual([]);
      const { cookie } = await signIn();
      expect((await ask(path, { headers: { cookie } })).status).toBe(200);
    },
  );

  test('gives the capture of a trace or a call in both forms, and says when there is none', async () => {
    const { ask, key, asked } = stage();
    const headers = { authorization: `Bearer ${key()}` };
    expect(await (await ask('/api/capture?trace=t1', { headers })).json()).toEqual({ 'capture of t1': true });
    const file = await ask('/api/capture?call=a%40b&call=c&format=pcapng', { headers });
    expect(file.headers.get('content-disposition')).toContain('capture.pcapng');
    expect(await file.text()).toBe('pcapng');
    expect(asked).toEqual(['capture of t1', 'capture of a@b,c']);
    expect((await ask('/api/capture', { headers })).status).toBe(400);
    expect((await ask('/api/capture?trace=off', { headers })).status).toBe(409);
    expect((await ask('/api/capture?trace=t1')).status).toBe(401);
  });

  test('shows what was done here and not refused, and by whom', async () => {
    const { ask, post, signIn, key, told: reported } = stage();
    await post('/api/probe/alarm', {});
    await post('/api/session', { code: 'wrong' });
    expect(reported).toEqual([]);
    const { cookie } = await signIn();
    const headers = { cookie, 'x-carillon': '1' };
    for (const path of ['/api/state', '/api/log']) await ask(path, { headers });
    await post('/api/selftest', {}, headers);
    await post('/api/probe/alarm', {}, headers);
    await ask('/api/bundle', { headers });
    await post('/api/probe/call', {}, { authorization: `Bearer ${key()}`, 'x-carillon': '1' });
    expect(reported).toEqual([
      'signIn by technician',
      'selfTest by technician',
      'testAlarm by technician',
      'supportBundle by technician',
      'testCall by command',
    ]);
  });

  test('lets programs of this machine ask for its state and try what only it can, by their key', async () => {
    const { ask, post, key, asked } = stage();
    const local = { authorization: `Bearer ${key()}`, 'x-carillon': '1' };
    expect((await ask('/api/state', { headers: local })).status).toBe(200);
    for (const probe of ['echo', 'trunk', 'call', 'far-end', 'alarm']) {
      expect((await post(`/api/probe/${probe}`, { user: 'u' }, local)).status).toBe(200);
      const wrong = { ...local, authorization: 'Bearer guessed' };
      expect((await post(`/api/probe/${probe}`, {}, wrong)).status).toBe(401);
      expect((await post(`/api/probe/${probe}`, {})).status).toBe(401);
    }
    expect(asked).toEqual(['state', 'echo', 'trunks', 'call', 'far end of u', 'alarms']);
    expect(await (await post('/api/probe/far-end', {}, local)).json(), 'nobody').toBeNull();
    expect((await ask('/api/bundle', { headers: local })).status, 'nothing else').toBe(401);
  });

  test('takes a code once, and shows a new one', async () => {
    const { signIn, code } = stage();
    const first = code();
    expect(first).toMatch(/^\d{4}-\d{4}$/);
    expect((await signIn(first.replace('-', ' '))).status).toBe(200);
    expect(code()).not.toBe(first);
    expect((await signIn(first)).status).toBe(401);
  });

  test('lets no one guess: five wrong codes, then no more from that network for a quarter of an hour', async () => {
    const { signIn, code, later } = stage();
    const before = code();
    for (let tries = 0; tries < 5; tries++) expect((await signIn('00000000')).status).toBe(401);
    expect(code()).not.toBe(before);
    expect((await signIn(code())).status).toBe(429);
    later(15 * 60_000);
    expect((await signIn(code())).status).toBe(200);
  });

  test('lets a technician in while another network guesses, and no one guess from many addresses', async () => {
    const { signIn, code, from } = stage();
    for (let tries = 0; tries < 5; tries++) await signIn('00000000');
    from('192.0.2.8');
    expect((await signIn(code())).status).toBe(200);
    for (let host = 1; host <= 20; host++) {
      from(`2001:db8:1:${host}::1`);
      expect((await signIn('00000000')).status).toBe(401);
    }
    from('2001:db8:1:1:ffff::2');
    expect((await signIn(code())).status, 'another address of the same network').toBe(429);
    from('192.0.2.9');
    expect((await signIn(code())).status).toBe(200);
  });

  test('ends a visit after two hours, or when asked', async () => {
    const { signIn, ask, later } = stage();
    const one = await signIn();
    const two = await signIn();
    const headers = { cookie: two.cookie, 'x-carillon': '1' };
    await ask('/api/session', { method: 'DELETE', headers });
    expect((await ask('/api/state', { headers: { cookie: two.cookie } })).status).toBe(401);
    expect((await ask('/api/state', { headers: { cookie: one.cookie } })).status).toBe(200);
    later(2 * 3_600_000);
    expect((await ask('/api/state', { headers: { cookie: one.cookie } })).status).toBe(401);
  });

  test('does nothing for a form of a foreign page', async () => {
    const { post, signIn, asked } = stage();
    const { cookie } = await signIn();
    expect((await post('/api/selftest', {}, { cookie })).status).toBe(403);
    expect(asked).toEqual([]);
    expect((await post('/api/selftest', {}, { cookie, 'x-carillon': '1' })).status).toBe(202);
    expect(asked).toEqual(['start', 'selfTest']);
  });

  test('hands a claim on, and what is no claim as none', async () => {
    const { post, signIn, asked } = stage();
    const { cookie } = await signIn();
    const headers = { cookie, 'x-carillon': '1' };
    await post('/api/enrol', { claim: 'ABC', cloud: '', file: 7 }, headers);
    expect(asked).toEqual(['{"claim":"ABC"}']);
    const long = await post('/api/enrol', { claim: 'x'.repeat(70_000) }, headers);
    expect(long.status).toBe(200);
    expect(asked.at(-1)).toBe('{"claim":""}');
  });
});
