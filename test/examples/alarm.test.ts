import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verify } from '#sdk/js/src/callback/index.ts';
import { freePorts } from '#test/support/site-port.ts';
import { callOf, deliveryOf, senderTo, tenantKey } from '../sdk/sender.ts';
import { openDemo, type RunningDemo } from './demo.ts';
import type { Started } from './started.ts';

/* The first hour of an integrator, as the READMEs say it: the demo, an application of their own, simulators. */
let demo: RunningDemo;

beforeAll(async () => {
  demo = await openDemo();
}, 300_000);
afterAll(async () => {
  await demo?.close();
});

const sip = (): string[] => ['--to', String(demo.ready.sip), '--password', demo.password];
const simulate = (name: string, ...words: string[]): Started => demo.carillon('simulate', name, ...words);

/** Runs while an example takes callbacks. */
async function during(name: string, words: readonly string[], work: (example: Started) => Promise<void>) {
  const example = demo.example(name, ...words);
  try {
    await example.says(/takes callbacks|dashboard at/);
    await work(example);
  } finally {
    await example.stop();
  }
}

it('first alarm: a signed callback reaches the application, and its answer the device', async () => {
  await during('first-alarm', [], async (example) => {
    const device = simulate('scaip', '--to', String(demo.ready.sip), '--talk', '0');
    await example.says(/alarm \w+ by scaip: .*personalTrigger/);
    await device.says(/1 of 1 alarms acknowledged/);
    expect(await device.ended).toBe(0);
    expect(device.text()).toMatch(/is to call sip:operator@/);
  });
}, 180_000);

it('an application that is down is named, with what to do', async () => {
  const device = simulate('scaip', '--to', String(demo.ready.sip), '--talk', '0');
  await device.ended;
  await demo.output.says(
    /newAlarmbridgeEvent: http:\/\/localhost:\d+ cannot be reached: no program listens there/,
  );
}, 120_000);

/** A program whose clock is wrong by so many seconds. */
const clockWrongBy = (seconds: number) =>
  demo.under({
    NODE_OPTIONS: `--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+${seconds * 1_000}`,
  });
const port = (): number => Number(new URL(String(demo.ready.callback)).port);

/** Sends alarms until the program has said this. */
async function alarmsUntil(program: Started, expected: RegExp): Promise<void> {
  const said = async (): Promise<string> => {
    await simulate('scaip', '--to', String(demo.ready.sip), '--talk', '0').ended;
    return program.text();
  };
  await expect.poll(said, { timeout: 60_000 }).toMatch(expected);
}

describe('an application that does not get what it should says what to mend:', () => {
  it('plain http to another machine', async () => {
    const elsewhere = 'http://192.0.2.7:3000';
    for (const words of [
      ['demo', '--callback', elsewhere],
      ['listen', '--forward', elsewhere],
    ]) {
      const refused = demo.carillon(...words);
      expect(await refused.ended).toBe(64);
      expect(refused.text()).toContain(
        `${elsewhere}: plain http is for this machine only; write https://, or http://localhost:PORT`,
      );
    }
  }, 60_000);

  it('a clock that is ten minutes off', async () => {
    for (const [seconds, sentence] of [
      [
        -600,
        /newAlarmbridgeEvent 401: The token was issued (?:59|60)\d s in the future\. Set the clock of this machine/,
      ],
      [
        600,
        /newAlarmbridgeEvent 401: The token expired (?:29|30|31)\d s ago\. Set the clock of this machine/,
      ],
    ] as const) {
      const example = clockWrongBy(seconds).example('first-alarm');
      try {
        await example.says(/takes callbacks/);
        await alarmsUntil(example, sentence);
      } finally {
        await example.stop();
      }
    }
    // The terminal of the demo says it, too.
    await demo.output.says(/newAlarmbridgeEvent .*401 .*in the future\. Set the clock/);
  }, 180_000);

  it('another key, another body, and the same callback once more', async () => {
    const got: { headers: Record<string, string>; body: string }[] = [];
    const first = createServer(async (incoming, response) => {
      const { authorization = '', 'idempotency-key': key = '' } = incoming.headers;
      const body = Buffer.concat(await incoming.toArray()).toString();
      if (incoming.url === '/newAlarmbridgeEvent')
        got.push({ headers: { authorization, 'idempotency-key': String(key) }, body });
      response.end('{"action":"drop"}');
    });
    await new Promise<void>((done) => first.listen(port(), 'localhost', done));
    await simulate('scaip', '--to', String(demo.ready.sip), '--talk', '0').ended;
    first.closeAllConnections();
    await new Promise((done) => first.close(done));
    const [callback] = got;
    if (callback === undefined) throw new Error('no alarm came');

    await during('first-alarm', [], async (example) => {
      const post = async (request: { headers: Record<string, string>; body: string }): Promise<unknown[]> => {
        const answer = await fetch(`${demo.ready.callback}/newAlarmbridgeEvent`, {
          ...{ method: 'POST', ...request },
        });
        const { reason } = (await answer.json()) as { reason?: string };
        // It says the same where it runs.
        if (reason !== undefined) await expect.poll(example.text).toContain(`401: ${reason}`);
        return [answer.status, reason];
      };
      const foreign: unknown[] = [];
      const { send } = senderTo(
        async (request) => {
          const headers = Object.fromEntries(request.headers);
          foreign.push(await post({ headers, body: await request.text() }));
          return new Response('{}');
        },
        [tenantKey().entry],
      );
      await send(callOf('/newAlarmbridgeEvent', {}), deliveryOf('foreign'));
      expect(foreign).toEqual([
        [
          401,
          expect.stringMatching(/No ES256 key .*Compare the key with that of the restAuthentication entry/),
        ],
      ]);
      expect(await post({ ...callback, body: `${callback.body} ` })).toEqual([
        401,
        expect.stringMatching(/not the one that was signed\. Pass the raw bytes/),
      ]);
      expect(await post(callback)).toEqual([200, undefined]);
      expect(await post(callback)).toEqual([
        401,
        expect.stringMatching(/was used before\. Look for a proxy that sends requests twice/),
      ]);
    });
  }, 120_000);

  it('a copy without a program, with another secret, and by a wrong clock', async () => {
    const forward = ['listen', '--forward', String(demo.ready.callback)];
    const behind = clockWrongBy(-600).carillon(...forward);
    const listening = demo.carillon(...forward);
    try {
      await behind.says(/The clock of this machine is (?:59|60)\d s behind .*Set it by NTP/);
      const [, secret = ''] = await listening.says(/secret of this session: (\S+)/);
      await alarmsUntil(
        listening,
        /newAlarmbridgeEvent .*cannot be reached: no program listens there; check address and port/,
      );
      await behind.stop();
      // An example of the demo itself knows no secret, and one of a session before knows another one.
      for (const [variables, reason] of [
        [{}, /401 .*for copies of carillon listen the secret that it prints, with HS256/],
        [
          { LISTEN_SECRET: `${secret}x` },
          /401 .*or with the secret that carillon listen printed at this start/,
        ],
      ] as const) {
        const example = demo.under(variables).example('first-alarm');
        try {
          await example.says(/takes callbacks/);
          await alarmsUntil(listening, reason);
        } finally {
          await example.stop();
        }
      }
      expect(listening.text().match(/an example takes them with that secret in LISTEN_SECRET/g)).toHaveLength(
        1,
      );
    } finally {
      await listening.stop();
      await behind.stop();
    }
  }, 240_000);
});

it('one file of authorities opens every address that the demo prints', async () => {
  const { siteBaseUrl = '', edge = '', arc = '', ca = '' } = demo.ready;
  for (const url of [siteBaseUrl, edge, arc]) {
    const status = await new Promise((done, fail) => {
      const asking = request(url, { ca: readFileSync(ca), agent: false }, (answer) => {
        answer.resume();
        done(answer.statusCode);
      });
      asking.on('error', fail);
      asking.end();
    });
    expect(status, url).toBeTypeOf('number');
  }
}, 60_000);

it('a centre with people: a command reaches the device, and the alarm is cleared', async () => {
  await during('alarm-desk', [], async (run) => {
    const operator = simulate('sip', ...sip(), '--talk', '90');
    await operator.says(/operator is registered/);
    const unit = simulate('nowip', '--to', String(demo.ready.sip), '--talk', '90');
    await operator.says(/hears the other side/);
    // The operator hears the device a moment before the host takes commands for the call; a person then types it again.
    const louder = (): string => {
      run.type('volumeUp');
      return run.text();
    };
    await expect.poll(louder, { timeout: 60_000, interval: 1_000 }).toMatch(/done volumeUp/);
    run.type('nonsense');
    await run.says(/refused nonsense: .*command/);
    run.type('clear');
    await run.says(/done clear/);
    expect(await unit.ended).toBe(0);
    await operator.stop();
  });
}, 240_000);

it('SCAIP to DC-09: the alarm arrives at the centre in frames', async () => {
  const [port = 0] = await freePorts('127.0.0.1', 1);
  const centre = simulate('arc', '--protocol', 'dc09', '--port', String(port));
  await centre.says(/ready/);
  const example = demo.example('scaip-to-dc09', `127.0.0.1:${port}`);
  expect(await example.ended).toBe(0);
  // The host has the new receiver when it answers by it: until then the device hears that no receiver is there.
  await expect
    .poll(
      async () => {
        const device = simulate('scaip', '--receiver', 'scaip-dc09', '--to', String(demo.ready.sip));
        return await device.ended;
      },
      { timeout: 60_000 },
    )
    .toBe(0);
  await centre.says(/"SIA-DCS".*#1234/);
  await centre.stop();
}, 180_000);

it('heartbeat dashboard: a supervised device stands on the page with its next sign of life', async () => {
  const [port = 0] = await freePorts('127.0.0.1', 1);
  process.env.PORT = String(port);
  await during('heartbeat-dashboard', [], async (example) => {
    await example.says(/dashboard at/);
    const page = async (): Promise<string> => await (await fetch(`http://127.0.0.1:${port}/`)).text();
    await expect
      .poll(
        async () => {
          await simulate('nowip', '--heartbeat', '--to', String(demo.ready.sip)).ended;
          return await page();
        },
        { timeout: 60_000 },
      )
      .toContain('<td>12345678:0001<td>online');
  });
  delete process.env.PORT;
}, 180_000);

it('site behind NAT: the host comes by itself, and answers by its own connection', async () => {
  const example = demo.example('site-behind-nat');
  const [, claim = ''] = await example.says(/--claim (\w+)/);
  const ports = (await freePorts('127.0.0.1', 5)).map((port) => `127.0.0.1:${port}`);
  const [udp = '', tls = '', dc09 = '', http = '', queue = ''] = ports;
  const host = demo.carillon(
    'appliance',
    ...['--cloud', String(demo.ready.api), '--claim', claim, '--data', join(demo.folder, 'nat')],
    ...['--sip-udp', udp, '--sip-tcp', udp, '--sip-tls', tls, '--dc09', dc09],
    ...['--appliance-http', http, '--command-queue', queue, '--address', '127.0.0.1'],
  );
  await example.says(/behind-nat-1 answers: .*"success":true/, 120_000);
  expect(await example.ended).toBe(0);
  await host.stop();
}, 240_000);

it('a copy opens nothing: it is inert at the platform, and only the session of listen signs it', async () => {
  const got: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray()).toString();
    got.push({ headers: incoming.headers, body });
    response.end('{"action":"drop"}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { api = '', token = '', callbackKey = '', domain = '' } = demo.ready;
  const login = ['--cloud', api, '--token', token];
  // The folder of the demo is its login.
  const listening = demo.carillon('listen', '--forward', target, '--filter', 'newAlarmbridge');
  try {
    const [, secret = ''] = await listening.says(/secret of this session: (\S+)/);
    // The first question to the hosts tells from where on copies are new.
    await expect
      .poll(
        async () => {
          await simulate('scaip', '--to', String(demo.ready.sip), '--talk', '0').ended;
          return got.length;
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0);
    const [, traceId = ''] = await listening.says(/newAlarmbridgeEvent {2}(\S+) {2}200 \{"action":"drop"\}/);
    // Copies of several alarms may be under way: the one that is printed first need not be the one that came first.
    const copy = got.find(({ headers }) => headers['x-trace-id'] === traceId);
    const { authorization } = copy?.headers ?? {};
    const text = String(copy?.body);
    const { replyId, sessionId } = JSON.parse(text) as { replyId: string; sessionId: string };
    expect(text).not.toMatch(/scaip-0001|eyJ/);

    const callback = { authorization: authorization ?? null, body: text };
    const check = { audience: target, domain, now: () => Date.now() };
    const own = { ...check, keys: [{ algorithm: 'HS256' as const, secret }] };
    expect(await verify(callback, own)).toMatchObject({ iss: domain, sub: 'carillon-listen' });
    const publicKey = readFileSync(callbackKey, 'utf8');
    const tenants = { ...check, keys: [{ algorithm: 'ES256' as const, publicKey }] };
    await expect(verify(callback, tenants)).rejects.toMatchObject({ code: 'algorithmNotAllowed' });
    const elsewhere = { ...own, audience: demo.ready.audience ?? '' };
    await expect(verify(callback, elsewhere)).rejects.toMatchObject({ code: 'audienceWrong' });

    const command = async (bearer: string) =>
      await fetch(`${api}/alarmbridge/${domain}/hangupalarmcall`, {
        method: 'POST',
        headers: { authorization: bearer, 'content-type': 'application/json' },
        body: JSON.stringify({ replyId, sessionId }),
      });
    expect((await command(`Bearer ${token}`)).status).toBe(400);
    expect((await command(String(authorization))).status).toBe(401);

    const before = got.length;
    const again = demo.carillon('listen', '--forward', target, '--replay', traceId, ...login);
    expect(await again.ended).toBe(0);
    // Copies of what happens meanwhile may come beside it.
    expect(got.slice(before).map(({ headers }) => headers['x-trace-id'])).toContain(traceId);
    const none = demo.carillon('listen', '--replay', 'no-such-trace', ...login);
    expect(await none.ended).toBe(76);
    expect(none.text()).toContain('No host has copies of the trace');
  } finally {
    await listening.stop();
    server.closeAllConnections();
    server.close();
  }
}, 240_000);

it('an example takes copies by the secret that listen prints, and refuses what others sign', async () => {
  const listening = demo.carillon('listen', '--forward', String(demo.ready.callback));
  const [, secret = ''] = await listening.says(/secret of this session: (\S+)/);
  const example = demo.under({ LISTEN_SECRET: secret }).example('first-alarm');
  try {
    await example.says(/takes callbacks/);
    await expect
      .poll(
        async () => {
          await simulate('scaip', '--to', String(demo.ready.sip), '--talk', '0').ended;
          return example.text();
        },
        { timeout: 60_000 },
      )
      .toMatch(/alarm \w+ by scaip/);
    await listening.says(/newAlarmbridgeEvent {2}\S+ {2}200 \{"action":"callEmergencyCenter"\}/);
    await demo.output.says(/newAlarmbridgeEvent .*401/);
  } finally {
    await example.stop();
    await listening.stop();
  }
}, 180_000);

it('listen --answer decides about an alarm of a receiver that names it, within callbackTimeout', async () => {
  const asked: { path: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray()).toString();
    asked.push({ path: incoming.url, headers: incoming.headers, body });
    response.setHeader('content-type', 'application/json').end('{"action":"drop"}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { api = '', token = '', arc = '', domain = '' } = demo.ready;
  const login = ['--cloud', api, '--token', token];
  const plain = demo.carillon('listen', '--forward', target, '--answer', ...login);
  expect(await plain.ended).toBe(64);
  expect(plain.text()).toContain('--answer needs an https address of the control plane');
  const listening = demo.carillon('listen', '--forward', target, '--answer', '--base-url', arc, ...login);
  try {
    const [, callbackBaseUrl = ''] = await listening.says(/callbackBaseUrl (https:\S+\/listen\/\w+)/);
    const made = await fetch(`${api}/provisioning/alarmbridge/${domain}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ protocol: 'scaip', name: 'a developer', destinationMatch: '^scaip-listen$', order: 1 },
        ...{ callbackBaseUrl, callbackTimeout: 5_000 },
      }),
    });
    expect(await made.text()).toContain('"success":true');
    // Copies of alarms at other receivers come, too.
    const asks = () =>
      asked.filter(
        ({ path, body }) => path === '/newAlarmbridgeEvent' && !body.includes('copy-opens-nothing'),
      );
    // The host has the new receiver when it answers by it.
    let device: Started | undefined;
    await expect
      .poll(
        async () => {
          const to = ['--to', String(demo.ready.sip), '--talk', '0'];
          device = simulate('scaip', '--receiver', 'scaip-listen', ...to);
          await device.ended;
          return asks().length;
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0);
    // The application said drop, so that the device is to call no person: its answer decided, and no fallback.
    expect(device?.text()).toMatch(/1 of 1 alarms acknowledged/);
    expect(device?.text()).not.toMatch(/is to call/);
    await listening.says(/asked \/newAlarmbridgeEvent -> 200 \{"action":"drop"\}/);
    const [live] = asks();
    // On a busy machine the host may have asked in vain before; the answer decides none the less.
    expect(live?.headers['x-delivery-attempt']).toMatch(/^[1-9]\d*$/);
    // An ask is the callback itself, whole: no copy is masked, and none of a late record.
    expect(JSON.parse(live?.body ?? '{}')).toMatchObject({
      sipFrom: 'scaip-0001',
      replyId: expect.stringMatching(/^eyJ/),
    });
    expect(JSON.parse(live?.body ?? '{}').late).toBeUndefined();
  } finally {
    await listening.stop();
    server.closeAllConnections();
    server.close();
  }
}, 240_000);

it('an assistant simulates an alarm, finds its record, and reads its steps', async () => {
  const { api = '', token = '', domain = '', sip = '' } = demo.ready;
  const bin = join(import.meta.dirname, '../../installer/bin.ts');
  const words = ['mcp', '--allow-simulate', '--to', sip, '--cloud', api, '--token', token];
  const assistant = new Client({ name: 'test', version: '1' });
  await assistant.connect(new StdioClientTransport({ command: process.execPath, args: [bin, ...words] }));
  const tool = async (name: string, given: Record<string, unknown>): Promise<string> => {
    const { content } = await assistant.callTool({ name, arguments: given });
    return (content as { text: string }[]).map(({ text }) => text).join();
  };
  try {
    expect(JSON.parse(await tool('simulate_alarm', {}))).toMatchObject({ sent: 1, acknowledged: 1 });
    const device = { domain, kind: 'alarm', device: 'scaip-0001', most: '1' };
    await expect
      .poll(async () => JSON.parse(await tool('list_records', device)).records.length, { timeout: 60_000 })
      .toBe(1);
    const [{ traceId, recordId }] = JSON.parse(await tool('list_records', device)).records;
    expect(await tool('explain_trace', { domain, traceId })).toMatch(/^trace .* ms {2}/s);
    expect(JSON.parse(await tool('show_record', { domain, recordId }))).toMatchObject({
      recordId,
      kind: 'alarm',
    });
  } finally {
    await assistant.close();
  }
}, 120_000);
