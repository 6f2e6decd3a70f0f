import { describe, expect, it } from 'vitest';
import { ownServices } from '#appliance/site/supervision/index.ts';
import type { OwnServicePorts } from '#appliance/site/supervision/own-services.ts';

const listener = (transport: string, host = '0.0.0.0') => ({ transport, host, port: 5060 });

const well: OwnServicePorts = {
  opensSip: true,
  bound: () => [listener('UDP')],
  probeSip: async () => undefined,
  workers: async () => [{}, {}],
  write: async () => undefined,
  storable: () => true,
  outboxDueMs: () => undefined,
  monoMs: () => 100_000,
  recordingFault: async () => undefined,
};

/** The outcome of the probe of this service. */
const fault = async (name: string, more: Partial<OwnServicePorts>): Promise<string | undefined> =>
  await ownServices({ ...well, ...more })
    .find((each) => each.name === name)
    ?.probe()
    .catch((cause: unknown) => String(cause));

describe('the services of a host', () => {
  it('are well when all answers', async () => {
    const services = ownServices(well);
    expect(services.map(({ name }) => name)).toEqual(['sip', 'media', 'alarm', 'callback', 'recording']);
    for (const each of services) {
      expect(await each.probe()).toBeUndefined();
      await each.start();
      await each.stop();
    }
  });

  it('do not include SIP where no listener is configured', () => {
    expect(ownServices({ ...well, opensSip: false }).map(({ name }) => name)).not.toContain('sip');
  });

  it('do not start while they are not well', async () => {
    const [sip] = ownServices({ ...well, probeSip: async () => 'UDP is silent' });
    await expect(sip?.start()).rejects.toThrow('UDP is silent');
  });

  it.each<[string, Partial<OwnServicePorts>, string | undefined]>([
    ['media', { workers: async () => [{}, undefined, undefined] }, '2 of 3 media workers do not answer'],
    ['alarm', { storable: () => false }, 'the journal cannot be written'],
    ['alarm', { write: () => Promise.reject(new Error('EIO')) }, 'Error: EIO'],
    ['callback', { outboxDueMs: () => 70_000 }, undefined],
    ['callback', { outboxDueMs: () => 69_999 }, 'the outbox is 30 s late'],
    ['callback', { outboxDueMs: () => 200_000 }, undefined],
    ['recording', { recordingFault: async () => ({ code: 'ENOENT', message: 'no folder' }) }, undefined],
    ['recording', { recordingFault: async () => ({ code: 'EACCES', message: 'refused' }) }, 'refused'],
  ])('%s with %o says %s', async (name, more, wanted) => {
    expect(await fault(name, more)).toBe(wanted);
  });
});

describe('the probe of SIP', () => {
  it('asks every listener of UDP, and those of TCP only where there is none', async () => {
    const asked: string[] = [];
    const probeSip: OwnServicePorts['probeSip'] = async (at) => {
      asked.push(`${at?.transport} ${at?.host}`);
      return undefined;
    };
    const both = [listener('UDP', '0.0.0.0'), listener('UDP', '::'), listener('TCP'), listener('TLS')];
    await fault('sip', { bound: () => both, probeSip });
    await fault('sip', { bound: () => both.slice(2), probeSip });
    await fault('sip', { bound: () => [], probeSip });
    expect(asked).toEqual(['UDP 0.0.0.0', 'UDP ::', 'TCP 0.0.0.0', 'undefined undefined']);
  });

  it('says what is wrong when one of them does not answer', async () => {
    const probeSip: OwnServicePorts['probeSip'] = async (at) => (at?.host === '::' ? 'silent' : undefined);
    expect(await fault('sip', { bound: () => [listener('UDP'), listener('UDP', '::')], probeSip })).toBe(
      'silent',
    );
  });
});
