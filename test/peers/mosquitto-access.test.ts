import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectAsync, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkBroker, exportMosquitto } from '#cloud/cli/index.ts';
import { start } from '#cloud/main.ts';
import { type BrokerView, brokerViewSchema } from '#shared/contract/site/index.ts';
import { Place } from '#test/bench/support/place.ts';
import { createMachine } from '#test/cloud/io/machine.ts';
import { openWholeCloud } from '#test/cloud/whole-cloud.ts';
import { installedAuthority } from '#test/support/installation/folder-authority.ts';
import { freePorts } from '#test/support/site-port.ts';

const place = new Place();
const clients: MqttClient[] = [];
let broker: ChildProcess;
let careless: ChildProcess;
/** Its list names each host with its place. */
let strict: ChildProcess;
let strictUrl: string;
let ownerFiles: { readonly uid: string; readonly cert: string; readonly key: string };
let environment: Record<string, string>;
let carelessUrl: string;
let url: string;
let ca: string;
let owner: Listener;
const hosts: Record<string, { uid: string; branch: string; cert: string; key: string }> = {};

type Listener = MqttClient & { readonly received: Map<string, string> };

/** Cloud with three hosts, one of them shut out; Mosquitto with what the cloud has written for it, and nothing else. */
beforeAll(async () => {
  const cloud = await openWholeCloud();
  const ask = async (method: string, path: string, body: object = {}): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${cloud.api}${path}`, {
      method,
      headers: { authorization: `Bearer ${cloud.owner}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  await ask('POST', '/platform/tenant', { domain: 'care.test' });
  await ask('POST', '/site/care.test', { siteId: 'north' });
  for (const hostId of ['one', 'two', 'stolen']) {
    const { claimCode } = await ask('POST', '/site/care.test/north/claim', { autoCommission: true });
    const { csr, key, sealKey } = await createMachine({ addresses: ['127.0.0.1'] });
    const made = await ask('POST', '/edge/v1/claim', { claimCode, hostId, csr, sealKey, version: '1' });
    const { uid, tenant, shard, certificate } = made as Record<string, string>;
    const branch = `carillon/1/${shard}/${tenant}/north/${uid}`;
    hosts[hostId] = { uid: uid ?? '', branch, cert: certificate ?? '', key };
  }
  await ask('POST', '/site/care.test/north/host/stolen/quarantine', { reason: 'stolen' });
  const folder = place.folder();
  const installed = place.folder();
  for (const name of readdirSync(cloud.folder).filter((each) => /^(cloud\.db(-wal)?|key)$/.test(each)))
    cpSync(join(cloud.folder, name), join(installed, name), { recursive: true });
  // The copy is read, since the control plane of this process may be in the middle of a commit, and does not end it while it is waited for.
  const sources = { flags: {}, environment: { CARILLON_DATA: installed }, file: {} };
  const made = await exportMosquitto(sources, folder, 'carillon-cloud');
  const each = await exportMosquitto(sources, folder, 'carillon-cloud', true);
  const authority = await installedAuthority(installed);
  const server = await authority.issueServer(['127.0.0.1'], Date.now());
  await cloud.close();
  if (!made.ok) throw new Error(made.error.reason);
  const { files } = made.value;
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  const [port = 0, other = 0, third = 0] = await freePorts('127.0.0.1', 3);
  writeFileSync(join(folder, 'server.pem'), server.cert);
  writeFileSync(join(folder, 'server.key'), server.key, { mode: 0o600 });
  const own = [
    `certfile ${join(folder, 'server.pem')}`,
    `keyfile ${join(folder, 'server.key')}`,
    'persistence false',
    'user root',
  ];
  const text = (files['carillon.conf'] ?? '').replace('listener 8883', `listener ${port} 127.0.0.1`);
  writeFileSync(join(folder, 'mosquitto.conf'), `${text}${own.join('\n')}\n`);
  broker = spawn('mosquitto', ['-c', join(folder, 'mosquitto.conf')], { stdio: 'ignore' });
  // As a person might set it up who has not read on.
  const open = text
    .replace(String(port), String(other))
    .replace(/^(acl_file|crlfile) .*$/gm, '')
    .replace('require_certificate true', 'require_certificate false')
    .replace('use_identity_as_username true', '')
    .replace('allow_anonymous false', 'allow_anonymous true')
    .replace('max_packet_size 73728', 'max_packet_size 20000');
  writeFileSync(join(folder, 'careless.conf'), `${open}${own.join('\n')}\n`);
  careless = spawn('mosquitto', ['-c', join(folder, 'careless.conf')], { stdio: 'ignore' });
  if (!each.ok) throw new Error(each.error.reason);
  writeFileSync(join(folder, 'each.acl'), each.value.files['carillon.acl'] ?? '', { mode: 0o600 });
  const named = text.replace(String(port), String(third)).replace('carillon.acl', 'each.acl');
  writeFileSync(join(folder, 'each.conf'), `${named}${own.join('\n')}\n`);
  strict = spawn('mosquitto', ['-c', join(folder, 'each.conf')], { stdio: 'ignore' });
  strictUrl = `mqtts://127.0.0.1:${third}`;
  url = `mqtts://127.0.0.1:${port}`;
  carelessUrl = `mqtts://127.0.0.1:${other}`;
  ca = server.ca;
  writeFileSync(join(folder, 'root.pem'), ca);
  environment = {
    CARILLON_DATA: installed,
    CARILLON_MQTT: url,
    CARILLON_MQTT_CERT: join(folder, 'carillon-owner.pem'),
    CARILLON_MQTT_KEY: join(folder, 'carillon-owner.key'),
    CARILLON_TRUST: join(folder, 'root.pem'),
  };
  ownerFiles = {
    uid: 'cp-00',
    cert: files['carillon-owner.pem'] ?? '',
    key: files['carillon-owner.key'] ?? '',
  };
  owner = await client(ownerFiles);
  await owner.subscribeAsync('carillon/1/#', { qos: 1 });
});

afterAll(async () => {
  for (const each of clients) await each.endAsync(true);
  for (const each of [broker, careless, strict]) {
    if (each?.exitCode !== null) continue;
    const exited = once(each, 'exit');
    each.kill('SIGTERM');
    await exited;
  }
  await place.close();
});

async function client({ uid, cert, key }: typeof ownerFiles, at = url): Promise<Listener> {
  const received = new Map<string, string>();
  let last: unknown;
  // The broker may only just begin to listen.
  for (let attempt = 0; attempt < 40; attempt++) {
    try {
      const made = await connectAsync(at, {
        clientId: uid,
        cert,
        key,
        ca,
        protocolVersion: 4,
        reconnectPeriod: 0,
        connectTimeout: 5_000,
      });
      clients.push(made);
      made.on('message', (topic, payload) => received.set(topic, payload.toString()));
      return Object.assign(made, { received });
    } catch (cause) {
      last = cause;
      if (!String(cause).includes('ECONNREFUSED')) break;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
  throw last;
}

const host = (name: string) => hosts[name] ?? { uid: '', branch: '', cert: '', key: '' };

async function comes(listener: Listener, topic: string): Promise<string | undefined> {
  const endMs = performance.now() + 30_000;
  while (!listener.received.has(topic) && performance.now() < endMs)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return listener.received.get(topic);
}

it('a host speaks in its own branch, and hears what is meant for it', async () => {
  const one = await client(host('one'));
  await one.subscribeAsync(`${host('one').branch}/dn/+`, { qos: 1 });
  await one.publishAsync(`${host('one').branch}/up/hb`, 'own', { qos: 1 });
  expect(await comes(owner, `${host('one').branch}/up/hb`)).toBe('own');
  await owner.publishAsync(`${host('one').branch}/dn/ack`, 'for one', { qos: 1 });
  expect(await comes(one, `${host('one').branch}/dn/ack`)).toBe('for one');
  await one.endAsync();
});

it('a message in the name of another host, or of the control plane, reaches no receiver', async () => {
  const one = await client(host('one'));
  const foreign = [`${host('two').branch}/up/hb`, `${host('two').branch}/dn/twin`, 'carillon/1/00/cp/state'];
  for (const topic of foreign) await one.publishAsync(topic, 'forged', { qos: 1 });
  // Its last message has come, so the one before would have come.
  await one.publishAsync(`${host('one').branch}/up/res`, 'last', { qos: 1 });
  expect(await comes(owner, `${host('one').branch}/up/res`)).toBe('last');
  for (const topic of foreign) expect(owner.received.has(topic), topic).toBe(false);
  await one.endAsync();
});

it('a message for another host does not come to it, however it subscribes', async () => {
  const one = await client(host('one'));
  for (const filter of ['#', 'carillon/#', `${host('two').branch}/dn/+`, `${host('two').branch}/up/#`])
    await one.subscribeAsync(filter, { qos: 1 }).catch(() => undefined);
  await owner.publishAsync(`${host('two').branch}/dn/twin`, 'secret', { qos: 1 });
  await owner.publishAsync(`${host('two').branch}/up/state`, 'secret', { qos: 1 });
  await one.subscribeAsync(`${host('one').branch}/dn/+`, { qos: 1 });
  await owner.publishAsync(`${host('one').branch}/dn/req`, 'last', { qos: 1 });
  expect(await comes(one, `${host('one').branch}/dn/req`)).toBe('last');
  expect([...one.received.values()]).not.toContain('secret');
  await one.endAsync();
});

it('a list that names each host refuses a host its own uid under another tenant or site', async () => {
  const control = await client(ownerFiles, strictUrl);
  await control.subscribeAsync('carillon/1/#', { qos: 1 });
  const one = await client(host('one'), strictUrl);
  const { branch, uid } = host('one');
  await one.subscribeAsync(`${branch}/dn/+`, { qos: 1 });
  await control.publishAsync(`${branch}/dn/twin`, 'for one', { qos: 1 });
  expect(await comes(one, `${branch}/dn/twin`)).toBe('for one');
  const levels = branch.split('/');
  const foreign = [
    `${levels.toSpliced(3, 1, '01arz3ndektsv4rrffq69g5fav').join('/')}/up/hb`,
    `${levels.toSpliced(4, 1, 'south').join('/')}/up/hb`,
    `${levels.toSpliced(2, 1, levels[2] === '00' ? '01' : '00').join('/')}/up/hb`,
    `${host('two').branch}/up/hb`,
  ];
  for (const topic of foreign) {
    expect(topic.includes(uid) || topic.includes(host('two').uid)).toBe(true);
    await one.publishAsync(topic, 'forged', { qos: 1 });
  }
  await one.publishAsync(`${branch}/up/res`, 'last', { qos: 1 });
  expect(await comes(control, `${branch}/up/res`)).toBe('last');
  for (const topic of foreign) expect(control.received.has(topic), topic).toBe(false);
  const found = await findings({ ...environment, CARILLON_MQTT: strictUrl });
  expect(found.filter(({ ok }) => !ok)).toEqual([]);
});

it('a host that was shut out is not let in', async () => {
  await expect(client(host('stolen'))).rejects.toThrow();
});

const findings = async (given: Record<string, string>) => {
  const checked = await checkBroker({ flags: {}, environment: given, file: {} });
  if (!checked.ok) throw new Error(checked.error.reason);
  return checked.value;
};

it('carillon broker check finds nothing to say against a broker that was set up as exported', async () => {
  const found = await findings(environment);
  expect(found.filter(({ ok }) => !ok)).toEqual([]);
  expect(found.map(({ name }) => name)).toEqual([
    'reach',
    'host',
    'speak',
    'size',
    'takeover',
    'retain',
    'will',
    'foreign-write',
    'foreign-read',
    'session',
    'stranger',
  ]);
});

it('carillon broker check names what is wrong with one that was not', async () => {
  const found = await findings({ ...environment, CARILLON_MQTT: carelessUrl });
  const unwell = found.filter(({ ok }) => !ok).map(({ name }) => name);
  expect(unwell).toEqual(['size', 'foreign-write', 'foreign-read', 'stranger']);
  const closed = await findings({ ...environment, CARILLON_MQTT: 'mqtts://127.0.0.1:1' });
  expect(closed).toMatchObject([
    { name: 'reach', ok: false, sentence: expect.stringMatching(/CARILLON_MQTT/) },
  ]);
});

/** The report of a working control plane about its broker. */
async function viewOf(mqtt: string): Promise<BrokerView> {
  const started = await start({
    flags: {},
    environment: {
      ...environment,
      CARILLON_MQTT: mqtt,
      CARILLON_HTTP: '127.0.0.1:0',
      CARILLON_EDGE: '127.0.0.1:0',
      CARILLON_BOOTSTRAP_TOKEN: 'owner-of-the-test',
      CARILLON_LOG: 'error',
    },
    file: {},
  });
  if (!started.ok) throw new Error(started.error.reason);
  try {
    const headers = { authorization: 'Bearer owner-of-the-test' };
    const answer = await fetch(`${String(started.value.ready.api)}/platform/broker`, { headers });
    return brokerViewSchema.parse(((await answer.json()) as { broker: unknown }).broker);
  } finally {
    await started.value.close();
  }
}

it('the control plane shows the same at /platform/broker, and the further capabilities of the broker', async () => {
  const good = await viewOf(url);
  expect(good).toMatchObject({ mode: 'external', url, shards: { owned: 64, down: 0 } });
  expect(good.fault).toBeUndefined();
  expect(good.findings.filter(({ ok }) => !ok)).toEqual([]);
  const names = good.findings.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(['clientId', 'takeover', 'foreign-write', 'stranger']));
  const sentence = (name: string) => good.findings.find((each) => each.name === name)?.sentence;
  expect(sentence('mqtt5')).toMatch(/^The broker supports MQTT 5/);
  expect(sentence('share')).toMatch(/^The broker supports shared subscriptions/);

  const careless = await viewOf(carelessUrl);
  expect(careless.findings.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual([
    'size',
    'foreign-write',
    'foreign-read',
    'stranger',
  ]);
});
