import { describe, expect, test } from 'vitest';
import { readSettings, settingTable } from '#shared/setting/index.ts';

const read = (file: Readonly<Record<string, string>>) =>
  readSettings(settingTable, { flags: {}, environment: {}, file });

describe('the time of a host', () => {
  test('is read with its servers and the hosts of the site', () => {
    const written = {
      time: 'chrony',
      time_servers: 'ntp1.example, 192.0.2.1,2001:db8::1',
      time_hosts: '192.0.2.11,192.0.2.12',
    };
    expect(read(written)).toMatchObject({
      ok: true,
      value: {
        values: {
          time: 'chrony',
          timeServers: ['ntp1.example', '192.0.2.1', '2001:db8::1'],
          timeHosts: ['192.0.2.11', '192.0.2.12'],
        },
      },
    });
    expect(read({})).toMatchObject({ value: { values: { time: 'auto' } } });
    expect(read({})).not.toHaveProperty('value.values.timeServers');
    expect(read({ time_servers: '', time_hosts: '' })).toMatchObject({
      value: { values: { timeServers: [], timeHosts: [] } },
    });
  });

  test.each([
    ['time', 'ntpd', /auto, chrony, off/],
    ['time_servers', 'ntp example', /neither a name nor an address.*ntp\.example/],
    ['time_servers', '192.0.2.256', /neither a name nor an address/],
    ['time_servers', 'a.example\nallow all', /neither a name nor an address/],
    ['time_servers', 'ntp.example,ntp.example', /twice/],
    ['time_hosts', 'box-2', /not an address/],
    ['time_hosts', '192.0.2.11', /one host.*two or more/],
    ['time_hosts', '192.0.2.11,192.0.2.11', /twice/],
    ['time_hosts', '2001:db8::b,2001:DB8:0::b', /2001:db8::b stands there twice/],
    ['time_hosts', 'fe80::1,fe80::2', /not an address of a host/],
  ])('%s = "%s" is refused with what to write', (key, value, sentence) => {
    const reading = read({ [key]: value });
    expect(reading).toMatchObject({ ok: false, error: { code: 'configurationWrong' } });
    expect(reading.ok ? '' : reading.error.reason).toMatch(sentence);
  });
});
