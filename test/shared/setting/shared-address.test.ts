import { describe, expect, test } from 'vitest';
import { readSettings, settingTable } from '#shared/setting/index.ts';

const read = (file: Readonly<Record<string, string>>) =>
  readSettings(settingTable, { flags: {}, environment: {}, file });

describe('the shared address of a site', () => {
  test('is read with the hosts that share it', () => {
    expect(
      read({ vip: '192.0.2.10/24', vip_hosts: '192.0.2.11=150, 192.0.2.12=100', vip_id: '7' }),
    ).toMatchObject({
      ok: true,
      value: {
        values: {
          vip: { address: '192.0.2.10', prefix: 24 },
          vipHosts: [
            { address: '192.0.2.11', priority: 150 },
            { address: '192.0.2.12', priority: 100 },
          ],
          vipId: 7,
        },
      },
    });
    expect(read({ vip: '' })).toMatchObject({ ok: true, value: { values: { vip: 'off', vipId: 51 } } });
    expect(read({})).not.toHaveProperty('value.values.vip');
  });

  test('is read for IPv6 as the kernel writes it', () => {
    const written = { vip: '2001:DB8:0:0::10/64', vip_hosts: '2001:db8::0b=150,fd00:0::c=100' };
    expect(read(written)).toMatchObject({
      ok: true,
      value: {
        values: {
          vip: { address: '2001:db8::10', prefix: 64 },
          vipHosts: [
            { address: '2001:db8::b', priority: 150 },
            { address: 'fd00::c', priority: 100 },
          ],
        },
      },
    });
    expect(read({ vip: '2001:db8::10/128' })).toMatchObject({ ok: true });
  });

  test.each([
    ['vip', '192.0.2.10', /ADDRESS\/PREFIX.*192\.0\.2\.10\/24/],
    ['vip', '192.0.2.10/33', /ADDRESS\/PREFIX/],
    ['vip', '192.0.2.256/24', /ADDRESS\/PREFIX/],
    ['vip', '2001:db8::10', /2001:db8::10\/64/],
    ['vip', '2001:db8::10/129', /ADDRESS\/PREFIX/],
    ['vip', 'fe80::10/64', /ADDRESS\/PREFIX/],
    ['vip', 'fe80::10%eth0/64', /ADDRESS\/PREFIX/],
    ['vip', 'ff02::12/64', /ADDRESS\/PREFIX/],
    ['vip', '::1/128', /ADDRESS\/PREFIX/],
    ['vip', '::ffff:192.0.2.10/96', /ADDRESS\/PREFIX/],
    ['vip', '2001:db8::10::1/64', /ADDRESS\/PREFIX/],
    ['vip_hosts', '192.0.2.11=150,2001:db8::12=100', /IPv4 and IPv6.*same family/],
    ['vip_hosts', '2001:db8::b=150,2001:db8:0::b=100', /twice/],
    ['vip_hosts', '192.0.2.11=150', /one host.*two or more/],
    ['vip_hosts', '192.0.2.11=150,192.0.2.12=150', /same priority 150; give each its own/],
    ['vip_hosts', '192.0.2.11=150,192.0.2.11=100', /twice/],
    ['vip_hosts', '192.0.2.11=255,192.0.2.12=100', /priority of 1 to 254/],
    ['vip_hosts', '192.0.2.11,192.0.2.12', /ADDRESS=PRIORITY/],
    ['vip_id', '0', /1 to 255/],
    ['vip_id', '256', /1 to 255/],
  ])('%s = "%s" is refused with what to write', (key, value, sentence) => {
    const reading = read({ [key]: value });
    expect(reading).toMatchObject({ ok: false, error: { code: 'configurationWrong' } });
    expect(reading.ok ? '' : reading.error.reason).toMatch(sentence);
  });
});
