import { describe, expect, test } from 'vitest';
import { type NetworkOwner, type NetworkPlanRequest, networkPlan } from '#installer/plan/index.ts';

const four: NetworkPlanRequest = {
  name: 'eth0',
  address: '192.168.1.10/24',
  gateway: '192.168.1.1',
  dns: ['192.168.1.1', 'fd00::1'],
  search: ['care.example', 'site.example'],
  ntp: [],
};
const six: NetworkPlanRequest = { ...four, address: 'fd00::10/64', gateway: 'fd00::1' };

/** The file that the owner of the interface gets, without the line that says who wrote it. */
function textFor(owner: NetworkOwner, request: NetworkPlanRequest): string {
  const files = networkPlan(owner, request).steps.flatMap(({ actions }) =>
    actions.flatMap((action) => (action.kind === 'file' ? [action.text] : [])),
  );
  expect(files).toHaveLength(1);
  expect(files[0]).toMatch(/^# Written by carillon network\.\n/);
  return files[0]?.replace(/^.*\n/, '') ?? '';
}

describe('name servers and search domains stand in the file of', () => {
  test('networkd, both families in one list', () => {
    expect(textFor('networkd', four)).toBe(`[Match]
Name=eth0
[Network]
Address=192.168.1.10/24
Gateway=192.168.1.1
DNS=192.168.1.1
DNS=fd00::1
Domains=care.example site.example
`);
    expect(textFor('networkd', six)).toBe(`[Match]
Name=eth0
[Network]
Address=fd00::10/64
Gateway=fd00::1
DNS=192.168.1.1
DNS=fd00::1
Domains=care.example site.example
`);
  });

  test('netplan', () => {
    const names =
      '      nameservers: {search: ["care.example", "site.example"], addresses: ["192.168.1.1", "fd00::1"]}\n';
    expect(textFor('netplan', four)).toBe(`network:
  version: 2
  ethernets:
    eth0:
      dhcp4: false
      addresses: ["192.168.1.10/24"]
      routes: [{to: "0.0.0.0/0", via: "192.168.1.1"}]
${names}`);
    expect(textFor('netplan', six)).toBe(`network:
  version: 2
  ethernets:
    eth0:
      dhcp6: false
      addresses: ["fd00::10/64"]
      routes: [{to: "::/0", via: "fd00::1"}]
${names}`);
  });

  test('NetworkManager, each server in the section of its family', () => {
    const head = `[connection]
id=carillon-eth0
type=ethernet
interface-name=eth0
autoconnect-priority=100
`;
    expect(textFor('NetworkManager', four)).toBe(`${head}
[ipv4]
method=manual
address1=192.168.1.10/24,192.168.1.1
dns=192.168.1.1;
dns-search=care.example;site.example;

[ipv6]
method=auto
dns=fd00::1;
`);
    expect(textFor('NetworkManager', six)).toBe(`${head}
[ipv4]
method=auto
dns=192.168.1.1;

[ipv6]
method=manual
address1=fd00::10/64,fd00::1
dns=fd00::1;
dns-search=care.example;site.example;
`);
  });
});

const owners = ['networkd', 'netplan', 'NetworkManager'] as const;

describe('a file', () => {
  test.each(owners)('names none for %s without servers and domains', (owner) => {
    for (const request of [four, six])
      expect(textFor(owner, { ...request, dns: [], search: [] })).not.toMatch(
        /dns|domain|nameserver|search/i,
      );
  });

  test.each(owners)('holds the servers that were given for %s with DHCP, and no address', (owner) => {
    const { address: _, gateway: __, ...dhcp } = four;
    const text = textFor(owner, { ...dhcp, other: { dynamic: false, addresses: ['fd00::9/64'] } });
    expect(text).toContain('192.168.1.1');
    expect(text).toContain('care.example');
    expect(text).not.toMatch(/192\.168\.1\.10|fd00::9/);
  });
});

describe('the other family of the interface stays', () => {
  const byHand = { dynamic: false, addresses: ['fd00::9/64'], gateway: 'fd00::1' };
  const dynamic = { dynamic: true, addresses: [] };

  test('with networkd: given by hand it is written again, and DHCP goes on beside an address of IPv6', () => {
    expect(textFor('networkd', { ...four, other: byHand })).toContain(
      'Address=fd00::9/64\nGateway=fd00::1\n',
    );
    expect(textFor('networkd', { ...six, other: dynamic })).toContain('DHCP=ipv4\n');
    // Router advertisements are followed anyway; DHCP beside an address of its own would give the interface two.
    expect(textFor('networkd', { ...four, other: dynamic })).not.toContain('DHCP');
  });

  test('with netplan: given by hand it is written again; of DHCP the files before ours say what counts', () => {
    expect(textFor('netplan', { ...six, other: dynamic })).not.toContain('dhcp4');
    expect(textFor('netplan', { ...four, other: dynamic })).not.toContain('dhcp6');
    const text = textFor('netplan', { ...four, other: byHand });
    expect(text).toContain('addresses: ["192.168.1.10/24", "fd00::9/64"]\n');
    expect(text).toContain('routes: [{to: "0.0.0.0/0", via: "192.168.1.1"}, {to: "::/0", via: "fd00::1"}]\n');
  });

  test('with NetworkManager: by hand, or as the network gives it', () => {
    expect(textFor('NetworkManager', { ...four, other: byHand })).toContain(
      '[ipv6]\nmethod=manual\naddress1=fd00::9/64,fd00::1\n',
    );
    expect(textFor('NetworkManager', { ...six, other: dynamic })).toContain('[ipv4]\nmethod=auto\n');
    const both = { dynamic: true, addresses: ['fd00::9/64'] };
    expect(textFor('NetworkManager', { ...four, other: both })).toContain(
      '[ipv6]\nmethod=auto\naddress1=fd00::9/64\n',
    );
  });
});
