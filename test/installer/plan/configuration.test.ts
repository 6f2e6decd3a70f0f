import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import {
  applianceKeys,
  asSources,
  configurationText,
  fromEnvironment,
  merged,
  secretKeys,
} from '#installer/plan/index.ts';
import { readSettings, settingTable } from '#shared/setting/index.ts';

describe('the configuration file', () => {
  test('says back what was answered, quotes and all', () => {
    const written = merged({ cloud: 'https://cloud.example', host_id: 'box-1', sip_udp: '' });
    expect(parse(configurationText(written))).toEqual(written);
    expect(readSettings(settingTable, asSources(written)).ok).toBe(true);
  });

  test('is the same text for the same settings, in whatever order they came', () => {
    expect(configurationText(merged({ cloud: 'https://a', log: 'info' }))).toBe(
      configurationText(merged({ log: 'info', cloud: 'https://a' })),
    );
  });

  test('a claim that is typed takes the place of the file of before, and the reverse', () => {
    const [typed, kept] = [{ claim: '0000000000' }, { claim_file: '/etc/carillon/claim.json' }];
    expect(merged(kept, typed)).toMatchObject(typed);
    expect(merged(kept, typed)).not.toHaveProperty('claim_file');
    expect(merged(typed, kept)).not.toHaveProperty('claim');
    expect(merged({ ...typed, ...kept })).toMatchObject({ ...typed, ...kept });
  });

  test('takes the later source; an unset value is not written', () => {
    expect(merged({ log: 'info' }, { log: 'debug', cloud: undefined })).toEqual({
      data: '/var/lib/carillon',
      log: 'debug',
    });
  });

  test('knows the settings of the appliance and no others', () => {
    expect(applianceKeys).toContain('sip_udp');
    expect(applianceKeys).not.toContain('database');
    expect(secretKeys).toContain('claim');
    expect(fromEnvironment({ CARILLON_CLAIM: 'X', CARILLON_DATABASE: 'sqlite:a', PATH: '/bin' })).toEqual({
      claim: 'X',
    });
  });
});
