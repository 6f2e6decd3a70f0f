import { describe, expect, test } from 'vitest';
import { namesOfFile, namesOfManager, namesOfNetworkd } from '#installer/io/network/resolver-info.ts';

const none = { dns: [], search: [], ntp: [] };

describe('the names by which an interface is used', () => {
  test('are read from networkd: both families, each server once, none of the link alone', () => {
    const fd08 = [253, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 254];
    const link = [254, 128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    const described = {
      Name: 'eth0',
      DNS: [
        { Family: 2, Address: [10, 8, 0, 254], ConfigSource: 'DHCPv4' },
        { Family: 10, Address: fd08, ConfigSource: 'DHCPv6' },
        { Family: 10, Address: fd08, ConfigSource: 'NDisc' },
        { Family: 10, Address: link, ConfigSource: 'NDisc' },
      ],
      NTP: [
        { Family: 2, Address: [10, 8, 0, 252] },
        { Server: 'ntp.example', ConfigSource: 'static' },
      ],
      SearchDomains: [{ Domain: 'care.example', ConfigSource: 'DHCPv4' }],
    };
    expect(namesOfNetworkd(JSON.stringify(described))).toEqual({
      dns: ['10.8.0.254', 'fd08::fe'],
      search: ['care.example'],
      ntp: ['10.8.0.252', 'ntp.example'],
    });
  });

  test.each(['', 'unknown interface', '{}', '[]'])('are none where networkd says %j', (said) => {
    expect(namesOfNetworkd(said)).toEqual(none);
  });

  test('are read from NetworkManager', () => {
    const said = `GENERAL.DEVICE:eth0
IP4.ADDRESS[1]:10.8.0.56/24
IP4.DNS[1]:10.8.0.254
IP4.DNS[2]:10.8.0.253
IP4.DOMAIN[1]:care.example
IP4.SEARCHES[1]:care.example
IP4.SEARCHES[2]:site.example
IP6.DNS[1]:fd08::fe
IP6.SEARCHES[1]:six.example
`;
    expect(namesOfManager(said)).toEqual({
      dns: ['10.8.0.254', '10.8.0.253', 'fd08::fe'],
      search: ['care.example', 'site.example', 'six.example'],
      ntp: [],
    });
  });

  test('are read from the file that programs read, but for a server on the host itself', () => {
    const text = `# by hand
search old.example
nameserver 127.0.0.53
nameserver 10.8.0.254
nameserver ::1
options edns0
search care.example site.example
`;
    expect(namesOfFile(text)).toEqual({
      dns: ['10.8.0.254'],
      search: ['care.example', 'site.example'],
      ntp: [],
    });
    expect(namesOfFile('')).toEqual(none);
  });
});
