import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, BRIDGE, makeTenant, openApi, type TestApi } from '../api.ts';

/*
 * A write that the API has confirmed is true at the next request. Two tenants write at random and at the same time, each
 * with a model of its confirmed writes; each write is followed by reads of its subject, by id and in the list.
 */

const STEPS = 60;
const SEEDS = [1, 2, 3];

let api: TestApi;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api.close());

/** Mulberry32: the same seed gives the same run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** One tenant with what the API has confirmed to it: devices by id, bridges by id. */
class Confirmed {
  readonly #domain: string;
  readonly #token: string;
  readonly #random: (below: number) => number;
  readonly #devices = new Map<string, string>();
  readonly #bridges = new Map<string, string>();
  #notes = 0;

  constructor(domain: string, token: string, random: (below: number) => number) {
    this.#domain = domain;
    this.#token = token;
    this.#random = random;
  }

  /** One write, and the reads that must show it. */
  async step(): Promise<void> {
    const write = [
      this.#putDevice,
      this.#patchDevice,
      this.#removeDevice,
      this.#addBridge,
      this.#putBridge,
      this.#removeBridge,
    ];
    await write[this.#random(write.length)]?.call(this);
    await this.#compare();
  }

  #send(method: string, kind: string, rest = '', body?: unknown) {
    return ask(api, method, `/provisioning/${kind}/${this.#domain}${rest}`, { token: this.#token, body });
  }

  #note = (): string => `note ${++this.#notes}`;

  #one(of: ReadonlyMap<string, string>): string | undefined {
    return [...of.keys()][this.#random(Math.max(1, of.size))];
  }

  async #putDevice(): Promise<void> {
    const deviceId = `d-${this.#random(8)}`;
    const description = this.#note();
    const body = { deviceId, authType: 'deviceid', srtp: 'never', description };
    expect((await this.#send('PUT', 'device', '', body)).status).toBe(200);
    this.#devices.set(deviceId, description);
    expect((await this.#send('GET', 'device', `/${deviceId}`)).body.description).toBe(description);
  }

  async #patchDevice(): Promise<void> {
    const id = this.#one(this.#devices);
    if (id === undefined) return;
    const description = this.#note();
    const patch = [{ op: 'replace', path: '/description', value: description }];
    expect((await this.#send('PATCH', 'device', `/${id}`, patch)).status).toBe(200);
    this.#devices.set(id, description);
    expect((await this.#send('GET', 'device', `/${id}`)).body.description).toBe(description);
  }

  async #removeDevice(): Promise<void> {
    const id = this.#one(this.#devices);
    if (id === undefined) return;
    expect((await this.#send('DELETE', 'device', `/${id}`)).status).toBe(200);
    this.#devices.delete(id);
    expect((await this.#send('GET', 'device', `/${id}`)).status).toBe(404);
  }

  async #addBridge(): Promise<void> {
    const name = this.#note();
    const made = await this.#send('POST', 'alarmbridge', '', { ...BRIDGE, name });
    expect(made.status).toBe(200);
    const id = String(made.body.id);
    this.#bridges.set(id, name);
    expect((await this.#send('GET', 'alarmbridge', `/${id}`)).body.alarmbridge).toMatchObject({ id, name });
  }

  async #putBridge(): Promise<void> {
    const id = this.#one(this.#bridges);
    if (id === undefined) return;
    const name = this.#note();
    expect((await this.#send('PUT', 'alarmbridge', `/${id}`, { ...BRIDGE, name })).status).toBe(200);
    this.#bridges.set(id, name);
    expect((await this.#send('GET', 'alarmbridge', `/${id}`)).body.alarmbridge).toMatchObject({ id, name });
  }

  async #removeBridge(): Promise<void> {
    const id = this.#one(this.#bridges);
    if (id === undefined) return;
    expect((await this.#send('DELETE', 'alarmbridge', `/${id}`)).status).toBe(200);
    this.#bridges.delete(id);
    expect((await this.#send('GET', 'alarmbridge', `/${id}`)).status).toBe(404);
  }

  /** The lists show all that was confirmed, and nothing else. */
  async #compare(): Promise<void> {
    const devices = (await this.#send('GET', 'device')).body.devices as {
      deviceId: string;
      description: string;
    }[];
    expect(new Map(devices.map((each) => [each.deviceId, each.description]))).toEqual(this.#devices);
    const bridges = (await this.#send('GET', 'alarmbridge')).body.alarmbridges as {
      id: string;
      name: string;
    }[];
    expect(new Map(bridges.map((each) => [each.id, each.name]))).toEqual(this.#bridges);
  }
}

test.each(SEEDS)('confirmed writes hold at the next request; seed %d', async (seed) => {
  const tenants = await Promise.all(
    ['a', 'b'].map(async (name, n) => {
      const domain = `${name}${seed}.test`;
      return new Confirmed(domain, await makeTenant(api, domain), randomOf(seed * 10 + n));
    }),
  );
  for (let step = 0; step < STEPS; step++) await Promise.all(tenants.map((tenant) => tenant.step()));
  expect(api.defects).toEqual([]);
});

test('rights that were taken away do not hold at the next request', async () => {
  const token = await makeTenant(api, 'rights.test');
  const path = '/provisioning/apitoken/rights.test';
  for (let round = 0; round < 10; round++) {
    const made = await ask(api, 'POST', path, { body: { scope: 'read' } });
    const own = String(made.body.token);
    const read = () => ask(api, 'GET', '/provisioning/device/rights.test', { token: own });
    expect((await read()).status).toBe(200);
    expect((await ask(api, 'DELETE', `${path}/${made.body.id}`)).status).toBe(200);
    expect((await read()).status).toBe(401);
  }
  expect((await ask(api, 'GET', '/provisioning/device/rights.test', { token })).status).toBe(200);
});
