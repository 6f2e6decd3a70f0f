import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { applianceConfig } from '#appliance/config.ts';
import { start } from '#appliance/main.ts';

const read = (environment: Record<string, string>) => applianceConfig({ flags: {}, environment, file: {} });

describe('where listeners are', () => {
  it('is one address or several, of either family, and none where the setting is empty', () => {
    const both = (port: number) => [
      { host: '0.0.0.0', port },
      { host: '::', port },
    ];
    const said = read({
      CARILLON_DC09: '0.0.0.0:6060,[::]:6060',
      CARILLON_COMMAND_QUEUE: '0.0.0.0:8883,[::]:8883',
      CARILLON_PEER: '',
      CARILLON_VIP: '2001:db8::10/64',
    });
    expect(said.ok && said.value).toMatchObject({
      dc09: both(6_060),
      commandQueue: both(8_883),
      peer: [],
      sharedAddress: '2001:db8::10',
    });
    const usual = read({});
    expect(usual.ok && usual.value).toMatchObject({
      dc09: [{ host: '0.0.0.0', port: 6_060 }],
      commandQueue: [{ host: '0.0.0.0', port: 8_883 }],
      peer: [{ host: '0.0.0.0', port: 8_446 }],
      sharedAddress: undefined,
    });
  });

  // TEST-NET and documentation addresses (RFC 5737, RFC 3849), which no machine has.
  it.each([
    ['CARILLON_SIP_UDP', '127.0.0.1:0,[2001:db8::1]:0'],
    ['CARILLON_SIP_TCP', '127.0.0.1:0,192.0.2.1:0'],
    ['CARILLON_DC09', '127.0.0.1:0,[2001:db8::1]:0'],
  ])('%s=%s, which this machine does not have, ends the start and says what to do', async (env, text) => {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-config-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const off = { CARILLON_SIP_UDP: '', CARILLON_SIP_TCP: '', CARILLON_DC09: '', CARILLON_SIP_TLS: '' };
    const environment = { ...off, CARILLON_DATA: folder, CARILLON_TIME: 'off', [env]: text };
    const started = await start({ flags: {}, environment, file: {} });
    expect(started).toMatchObject({ ok: false, error: { code: 'notStarted' } });
    const without = text.split(',')[1]?.replaceAll(/[[\]]/g, '\\$&');
    expect(!started.ok && started.error.reason).toMatch(
      new RegExp(`EADDRNOTAVAIL.*does not have the address.*take ${without} out of ${env}`),
    );
  });
});

describe('how many calls may begin', () => {
  it('is what CARILLON_INVITE_RATE says, and anything with CARILLON_RATE_LIMITS=off', () => {
    const usual = read({});
    expect(usual.ok && usual.value.inviteRate).toEqual({
      source: { perS: 100, burst: 500 },
      tenant: { perS: 250, burst: 1_000 },
    });
    const said = read({ CARILLON_INVITE_RATE: 'tenant=20/30,source=2/3' });
    expect(said.ok && said.value.inviteRate).toEqual({
      source: { perS: 2, burst: 3 },
      tenant: { perS: 20, burst: 30 },
    });
    const off = read({ CARILLON_RATE_LIMITS: 'off' });
    expect(off.ok && off.value.inviteRate).toBe('off');
  });

  it('is what CARILLON_UNKNOWN_UNIT_RATE says for unknown units, and anything with CARILLON_RATE_LIMITS=off', () => {
    const usual = read({});
    expect(usual.ok && usual.value.unknownUnitRate).toEqual({
      source: { perS: 1, burst: 200 },
      tenant: { perS: 5, burst: 400 },
    });
    const said = read({ CARILLON_UNKNOWN_UNIT_RATE: 'tenant=20/30,source=2/3' });
    expect(said.ok && said.value.unknownUnitRate).toEqual({
      source: { perS: 2, burst: 3 },
      tenant: { perS: 20, burst: 30 },
    });
    const off = read({ CARILLON_RATE_LIMITS: 'off' });
    expect(off.ok && off.value.unknownUnitRate).toBe('off');
  });

  it.each([
    ['CARILLON_RATE_LIMITS', 'none', 'CARILLON_RATE_LIMITS: "none" is none of on, off'],
    [
      'CARILLON_INVITE_RATE',
      'fast',
      'CARILLON_INVITE_RATE: "fast" is not a rate of new calls; write for example',
    ],
  ])('%s=%s is refused at the start, before anything is opened', async (name, text, reason) => {
    const started = await start({ flags: {}, environment: { [name]: text }, file: {} });
    expect(started).toMatchObject({ ok: false, error: { code: 'configurationWrong' } });
    expect(!started.ok && started.error.reason).toContain(reason);
  });
});
