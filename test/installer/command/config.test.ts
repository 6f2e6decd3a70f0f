import { describe, expect, it } from 'vitest';
import { settingRows } from '#installer/command/config.ts';
import { readSettings, settingTable } from '#shared/setting/index.ts';

const none = { flags: {}, environment: {}, file: {} };
const rowOf = (env: string, sources: Parameters<typeof settingRows>[0] = none) =>
  settingRows(sources).find((row) => row.env === env);

describe('the output of carillon config show', () => {
  it('is every setting as a person writes it: whoever copies it gets the same value', () => {
    const sources = {
      ...none,
      environment: { CARILLON_HTTP: '[::1]:8080', CARILLON_RTP_PORTS: '30000-30099', CARILLON_DC09: '' },
    };
    const rows = settingRows(sources).filter(({ value }) => value !== null && value !== '<secret>');
    const copied = Object.fromEntries(rows.map(({ env, text }) => [env, text]));
    const before = readSettings(settingTable, sources);
    const after = readSettings(settingTable, { ...none, environment: copied });
    expect(rows.length).toBeGreaterThan(15);
    expect(after.ok && after.value.values).toEqual(before.ok && before.value.values);
    expect(copied).toMatchObject({ CARILLON_HTTP: '[::1]:8080', CARILLON_RTP_PORTS: '30000-30099' });
  });

  it('says where a value came from and what it is', () => {
    expect(rowOf('CARILLON_LOG', { ...none, file: { log: 'debug' } })).toMatchObject({
      value: 'debug',
      text: 'debug',
      origin: 'file',
      meaning: expect.stringMatching(/./),
    });
    expect(rowOf('CARILLON_CLOUD')).toMatchObject({ value: null, origin: 'default' });
  });

  it('never has a secret in it', () => {
    const environment = Object.fromEntries(
      Object.values(settingTable)
        .filter(({ secret }) => secret)
        .map(({ env }) => [env, 'postgres://hidden@db.example/x']),
    );
    const own = {
      CARILLON_MQTT: 'mqtts://hidden@broker.example',
      CARILLON_CLAIM: 'H1DDEN0000',
      CARILLON_S3: undefined,
    };
    const sources = { ...none, environment: { ...environment, ...own } };
    const reported = settingRows(sources).filter(({ origin }) => origin === 'environment');
    expect(reported.length).toBeGreaterThan(4);
    expect(new Set(reported.map(({ value, text }) => `${value} ${text}`))).toEqual(
      new Set(['<secret> <secret>']),
    );
    expect(JSON.stringify(settingRows(sources))).not.toMatch(/hidden|H1DDEN/);
  });
});
