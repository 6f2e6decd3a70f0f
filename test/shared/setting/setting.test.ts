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

  it('lets pass what commands read from the same environment', () => {
    const environment = { CARILLON_TOKEN: 'ct_x', CARILLON_CLOUD: 'https://cloud.example' };
    expect(readSettings(settingTable, { ...nothing, environment }).ok).toBe(true);
    const { cloud: _, ...cloudless } = settingTable;
    expect(readSettings(cloudless, { ...nothing, environment }).ok).toBe(true);
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
    ['sipUdp', '0.0.0.0:5060,5061', 'CARILLON_SIP_UDP: "5061" is not ADDRESS:PORT'],
    ['sipTcp', '0.0.0.0:5060,0.0.0.0:5060', '"0.0.0.0:5060" stands there twice'],
    ['applianceHttp', '', 'is not ADDRESS:PORT'],
    ['dc09', '0.0.0.0:6060,[::]', 'CARILLON_DC09: "[::]" is not ADDRESS:PORT'],
    ['commandQueue', '[::1]:8883,[::1]:8883', '"[::1]:8883" stands there twice'],
    ['peer', '0.0.0.0:8446;[::]:8446', 'CARILLON_PEER: '],
    ['peers', 'two=10.0.0.6:8446,two=10.0.0.6:8446', '"two=10.0.0.6:8446" stands there twice'],
    ['peers', 'two=[2001:db8::6]', '"two=[2001:db8::6]" is not HOST=ADDRESS:PORT'],
    ['rtpPorts', '20001-20003', 'first port even'],
    ['rtpPorts', '30000-20000', 'is not a port range'],
    ['cloud', 'http://cloud.example', 'must start with https://'],
    ['cloud', 'nonsense', 'is not a web address'],
    ['allowPrivate', '10.0.0.0', 'is not a network'],
    ['log', 'loud', 'is none of error, warn, info, debug'],
    ['hostId', 'Über', 'must be 1 to 63 characters'],
    ['database', 'mysql://x', 'is neither sqlite:FILE nor postgres://'],
    ['trustedProxies', '10.0.0.4', '"10.0.0.4" is not a network'],
    ['trustedProxies', '10.0.0.0/33', '"10.0.0.0/33" is not a network'],
    ['trustedProxies', '10.0.0.256/32', '"10.0.0.256/32" is not a network'],
    ['trustedProxies', 'fd00:::/8', '"fd00:::/8" is not a network'],
    ['trustedProxies', '10.0.0.4/32,::/0', '"::/0" would trust every caller'],
    ['mqtt', 'http://x', 'is neither embedded nor mqtt://'],
    ['mqtt', 'mqtts://a:8883,mqtts://a:8883', 'names the broker a:8883 twice'],
    ['mqtt', 'mqtts://a:8883,b:8883', 'has a part 1 that is no address of a broker'],
    ['mqtt', 'mqtts://a,b', 'has a part 1 that is no address of a broker'],
    ['mqtt', 'mqtts://a,mqtts://', 'has a part 2 that is no address of a broker'],
    ['mqttUrl', 'embedded', 'has a part 1 that is no address of a broker'],
    ['mqttUrl', Array.from({ length: 9 }, (_, n) => `mqtts://m${n}`).join(','), 'name at most 8'],
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
    ['unknownUnitRate', 'source=1', 'is not a rate of alarms; write for example source='],
    ['capture', '7', '"7" is not off, and not a number of MB from 8 to 65536'],
    ['capture', 'on', '"on" is not off'],
    ['hep', 'homer', 'is not ADDRESS:PORT'],
    ['mediaLegs', 'ordinary=800', 'alarm=800 must be more than ordinary=800'],
    ['mediaLegs', 'sure=501', 'sure=501 must not be more than ordinary=500'],
    ['mediaLegs', 'alarm=0', '"alarm=0" is not a number of legs from 1 to 10000'],
    ['mediaLegs', 'alarm=900,alarm=901', '"alarm=901" is not a number of legs'],
    ['mediaLegs', '500', '"500" is not a number of legs'],
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
        CARILLON_CAPTURE: 'off',
        CARILLON_HEP: 'homer.example:9060',
        CARILLON_MEDIA_LEGS: 'ordinary=300, sure=20',
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
    expect(read.value.values.mediaLegs).toEqual({ ordinary: 300, alarm: 800, sure: 20 });
    expect(read.value.values.retention).toEqual({
      calls: 90,
      alarms: 730,
      recordings: 7,
      audit: 3_650,
      logs: 14,
    });
    expect(read.value.values.capture).toBe(0);
    expect(read.value.values.hep).toEqual({ host: 'homer.example', port: 9_060 });
    expect(read.value.values.http).toEqual({ host: '::1', port: 81 });
    expect(read.value.values.cloud).toBe('http://127.0.0.1:8080');
    expect(read.value.values.allowPrivate).toEqual(['10.0.0.0/8', 'fd00::/8']);
  });

  it('reads where one listener is at several addresses, the first of which names it', () => {
    const environment = { CARILLON_SIP_UDP: '0.0.0.0:5060, [::]:5060', CARILLON_SIP_TLS: '[::1]:5061' };
    const read = readSettings(settingTable, { ...nothing, environment });
    if (!read.ok) throw new Error(read.error.reason);
    const v4 = { host: '0.0.0.0', port: 5_060 };
    const v6 = { host: '::1', port: 5_061 };
    expect(read.value.values.sipUdp).toEqual({ ...v4, all: [v4, { host: '::', port: 5_060 }] });
    expect(read.value.values.sipTls).toEqual({ ...v6, all: [v6] });
    expect(read.value.values.sipTcp).toEqual({ ...v4, all: [v4] });
  });

  it.each([
    ['dc09', 'CARILLON_DC09', 6_060],
    ['commandQueue', 'CARILLON_COMMAND_QUEUE', 8_883],
    ['peer', 'CARILLON_PEER', 8_446],
  ] as const)('reads %s as the SIP listeners are read: both families, or off', (name, env, port) => {
    const v4 = { host: '0.0.0.0', port };
    const asked = (text: string | undefined) => {
      const read = readSettings(settingTable, { ...nothing, environment: { [env]: text } });
      return read.ok && read.value.values[name];
    };
    expect(asked(`0.0.0.0:${port},[::]:${port}`)).toEqual({ ...v4, all: [v4, { host: '::', port }] });
    expect(asked(undefined)).toEqual({ ...v4, all: [v4] });
    expect(asked('')).toBe('off');
  });

  it('reads hosts of the site at several addresses each', () => {
    const environment = { CARILLON_PEERS: 'one=10.0.0.5:8446, two=10.0.0.6:8446,two=[2001:db8::6]:8446' };
    const read = readSettings(settingTable, { ...nothing, environment });
    expect(read.ok && read.value.values.peers).toEqual({
      one: ['10.0.0.5:8446'],
      two: ['10.0.0.6:8446', '[2001:db8::6]:8446'],
    });
  });

  it('derives flags without collisions', () => {
    const flags = Object.values(settingTable).map(flagOf);
    expect(new Set(flags).size).toBe(flags.length);
    expect(flags).toContain('sip-udp');
  });
});
