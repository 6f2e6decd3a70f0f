import { describe, expect, it } from 'vitest';
import { logShown, machineState, networkState, supportBundle } from '#appliance/site/supervision/index.ts';
import { redact } from '#shared/redact/index.ts';

const BEGAN = Date.UTC(2026, 0, 1);
const info = {
  release: '1.2.3',
  identity: undefined,
  setting: { hostId: 'box', cloud: undefined },
  connected: true,
  configured: false,
  faults: ['disk'],
  figures: { calls: 1 },
  waiting: { alarm: 2 },
  beganMs: BEGAN,
  nowMs: BEGAN + 61_499,
};
const identity = {
  hostId: 'gw-1',
  siteId: 'north',
  domain: 'care.example',
  expiresAtMs: Date.UTC(2026, 5, 1),
  edgeUrl: 'https://edge.example',
};

describe('the state of this machine', () => {
  it('is that of its settings while it is no host', () => {
    expect(machineState(info)).toEqual({
      ...{
        release: '1.2.3',
        hostId: 'box',
        siteId: null,
        domain: null,
        enrolled: false,
        certificateEnds: null,
      },
      ...{ cloud: null, connected: true, configured: false, faults: ['disk'] },
      ...{ figures: { calls: 1 }, waiting: { alarm: 2 }, upS: 61, time: '2026-01-01T00:01:01.499Z' },
    });
  });

  it('is that of its identity once it is one; the setting of the cloud comes first', () => {
    expect(machineState({ ...info, identity })).toMatchObject({
      ...{ hostId: 'gw-1', siteId: 'north', domain: 'care.example', enrolled: true },
      ...{ certificateEnds: '2026-06-01T00:00:00.000Z', cloud: 'https://edge.example' },
    });
    const setting = { hostId: 'box', cloud: 'https://cloud.example' };
    expect(machineState({ ...info, identity, setting }).cloud).toBe('https://cloud.example');
  });
});

it('the network of this machine is shown without its loopback', () => {
  const address = (text: string, cidr: string | null, internal = false) => ({
    address: text,
    cidr,
    internal,
  });
  expect(
    networkState({
      interfaces: {
        lo: [address('127.0.0.1', '127.0.0.1/8', true)],
        eth0: [address('192.0.2.1', '192.0.2.1/24'), address('fe80::1', null)],
        none: undefined,
      },
      address: '192.0.2.1',
      listeners: {
        'SIP UDP': [
          { host: '192.0.2.1', port: 5060 },
          { host: '2001:db8::1', port: 5060 },
        ],
        MQTT: [],
      },
      rtpPorts: { from: 20_000, to: 23_999 },
      resolver:
        '# made by a program\nnameserver 192.0.2.53\n nameserver 192.0.2.99\nsearch example\nnameserver\t2001:db8::53\n',
    }),
  ).toEqual({
    interfaces: [{ name: 'eth0', addresses: ['192.0.2.1/24', 'fe80::1'] }],
    address: '192.0.2.1',
    listeners: { 'SIP UDP': '192.0.2.1:5060, [2001:db8::1]:5060', MQTT: null, RTP: '20000-23999' },
    dns: ['192.0.2.53', '2001:db8::53'],
  });
});

describe('a support bundle', () => {
  const bundle = (claim: string | undefined) =>
    supportBundle({
      ...{
        atMs: BEGAN,
        state: { hostId: 'gw-1', token: 'tok' },
        hardware: { processor: { cores: 2 } },
        selfTest: { a: 1 },
        network: { address: 'x' },
      },
      configuration: { claim, password: 'pw', data: '/d' } as { readonly claim: string | undefined },
      log: ['a line with ABCDEFGHJK in it'],
    }) as Record<string, unknown>;

  it('holds everything about the machine', () => {
    expect(bundle(undefined)).toMatchObject({
      ...{ kind: 'carillon-support', v: 1, at: '2026-01-01T00:00:00.000Z', selfTest: { a: 1 } },
      hardware: { processor: { cores: 2 } },
      ...{ state: { hostId: 'gw-1' }, network: { address: 'x' }, configuration: { data: '/d' } },
    });
    expect(JSON.stringify(bundle(undefined))).toContain('ABCDEFGHJK');
  });

  it.each(['"tok"', '"pw"', 'ABCDEFGHJK'])('does not hold %s', (secret) => {
    expect(JSON.stringify(bundle('ABCDEFGHJK'))).not.toContain(secret);
  });
});

it('the log is shown without secrets', () => {
  const line = 'Authorization: Bearer abcdefghijklmnop';
  expect(logShown([line, 'b'])).toEqual([redact(line), 'b']);
  expect(logShown([line])[0]).not.toContain('abcdefghijklmnop');
});
