import { describe, expect, it } from 'vitest';
import { applianceConfig } from '#appliance/config.ts';
import { start } from '#appliance/main.ts';

const read = (environment: Record<string, string>) => applianceConfig({ flags: {}, environment, file: {} });

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

  it.each([
    ['CARILLON_RATE_LIMITS', 'none', 'CARILLON_RATE_LIMITS: "none" is none of on, off'],
    [
      'CARILLON_INVITE_RATE',
      'fast',
      'CARILLON_INVITE_RATE: "fast" is not a rate of new calls; write for example',
    ],
  ])('%s=%s is told at the start, before anything is opened', async (name, text, reason) => {
    const started = await start({ flags: {}, environment: { [name]: text }, file: {} });
    expect(started).toMatchObject({ ok: false, error: { code: 'configurationWrong' } });
    expect(!started.ok && started.error.reason).toContain(reason);
  });
});
