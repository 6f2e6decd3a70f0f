import { describe, expect, it } from 'vitest';
import { flagOf, readSettings, settingTable } from '#shared/setting/index.ts';

const nothing = { flags: {}, environment: {}, file: {} };

describe('readSettings', () => {
  it('takes flag over environment over file over default', () => {
    const file = { http: '127.0.0.1:4' };
    const environment = { CARILLON_HTTP: '127.0.0.1:3' };
    const flags = { http: '127.0.0.1:2' };
    const portAndOrigin = (sources: Partial<typeof nothing>) => {
      const read = readSettings(settingTable, { ...nothing, ...sources });
      if (!read.ok) throw new Error(read.error.reason);
      return [read.value.values.http?.port, read.value.origins.http];
    };
    expect(portAndOrigin({})).toEqual([8080, 'default']);
    expect(portAndOrigin({ file })).toEqual([4, 'file']);
    expect(portAndOrigin({ file, environment })).toEqual([3, 'environment']);
    expect(portAndOrigin({ file, environment, flags })).toEqual([2, 'flag']);
  });

  it.each([
    [{ environment: { CARILLON_HTPP: 'x' } }, 'CARILLON_HTPP is not a setting; did you mean CARILLON_HTTP?'],
    [{ flags: { 'sip-upd': 'x' } }, '--sip-upd is not a setting; did you mean --sip-udp?'],
    [{ file: { datta: 'x' } }, 'datta in the configuration file is not a setting; did you mean data?'],
  ])('names an unknown key and the nearest known one %#', (sources, reason) => {
    const read = readSettings(settingTable, { ...nothing, ...(sources as object) });
    expect(!read.ok && read.error.reason).toContain(reason);
  });

  it.each([
    ['http', '8080', 'CARILLON_HTTP: "8080" is not ADDRESS:PORT'],
    ['http', '127.0.0.1:70000', 'is not ADDRESS:PORT'],
    ['rtpPorts', '20001-20003', 'first port even'],
    ['rtpPorts', '30000-20000', 'is not a port range'],
    ['cloud', 'http://cloud.example', 'must start with https://'],
    ['cloud', 'nonsense', 'is not a web address'],
    ['allowPrivate', '10.0.0.0', 'is not a network'],
    ['log', 'loud', 'is none of error, warn, info, debug'],
    ['hostId', 'Über', 'must be 1 to 63 signs'],
    ['database', 'mysql://x', 'is neither sqlite:FILE nor postgres://'],
    ['mqtt', 'http://x', 'is neither embedded nor mqtt://'],
    ['data', '', 'is empty'],
    ['rateLimits', 'of', 'CARILLON_RATE_LIMITS: "of" is none of on, off'],
    ['inviteRate', 'source=100/500', 'must name both, source and tenant'],
    [
      'inviteRate',
      'source=0/5,tenant=1/1',
      '"source=0/5" is not a rate of new calls; write for example source=',
    ],
    ['inviteRate', 'source=1/1,tenant=1/1,tenant=2/2', 'is not a rate of new calls'],
    ['inviteRate', '100', '"100" is not a rate of new calls'],
    ['retention', 'audit=729', '"audit=729": the audit log is kept 730 days at least'],
    ['retention', 'calls=3', '"calls=3" must be 4 to 36500 days'],
    ['retention', 'calls=9,calls=10', '"calls=10" is not CLASS=DAYS, each class once'],
    ['retention', 'video=9', '"video=9" is not CLASS=DAYS'],
  ] as const)('refuses %s=%s naming the key', (name, text, reason) => {
    const setting = settingTable[name];
    const read = readSettings(settingTable, { ...nothing, environment: { [setting.env]: text } });
    expect(!read.ok && read.error.reason).toContain(reason);
    expect(!read.ok && read.error.code).toBe('configurationWrong');
    expect(!read.ok && read.error.path).toBe(setting.env);
  });

  it('reads the forms a person writes', () => {
    const read = readSettings(settingTable, {
      ...nothing,
      flags: { 'sip-udp': '', http: '[::1]:81', 'rtp-ports': '10000-10001', cloud: 'http://127.0.0.1:8080/' },
      environment: {
        CARILLON_ALLOW_PRIVATE: '10.0.0.0/8, fd00::/8',
        CARILLON_RETENTION: 'recordings=7, audit=3650',
        PATH: '/bin',
      },
    });
    if (!read.ok) throw new Error(read.error.reason);
    expect(read.value.values.sipUdp).toBe('off');
    expect(read.value.values.inviteRate).toEqual({
      source: { perS: 100, burst: 500 },
      tenant: { perS: 250, burst: 1_000 },
    });
    expect(read.value.values.retention).toEqual({
      calls: 90,
      alarms: 730,
      recordings: 7,
      audit: 3_650,
      logs: 14,
    });
    expect(read.value.values.http).toEqual({ host: '::1', port: 81 });
    expect(read.value.values.cloud).toBe('http://127.0.0.1:8080');
    expect(read.value.values.allowPrivate).toEqual(['10.0.0.0/8', 'fd00::/8']);
  });

  it('derives flags without collisions', () => {
    const flags = Object.values(settingTable).map(flagOf);
    expect(new Set(flags).size).toBe(flags.length);
    expect(flags).toContain('sip-udp');
  });
});
