import { readFileSync } from 'node:fs';
import { parse } from 'node:path';
import { describe, expect, test } from 'vitest';
import { layout, type NetworkOwner, networkPlan, planLines } from '#installer/plan/index.ts';

const request = {
  name: 'eth0',
  address: '192.168.1.10/24',
  gateway: '192.168.1.1',
  dns: ['192.168.1.1', '9.9.9.9'],
  search: ['care.example'],
  ntp: ['ntp.example'],
};

const filesOf = (owner: NetworkOwner, changes: Partial<typeof request> = {}) =>
  networkPlan(owner, { ...request, ...changes })
    .steps.flatMap(({ actions }) => actions)
    .flatMap((action) => (action.kind === 'file' ? [action] : []));

describe('a change of the network', () => {
  test.each([
    ['networkd', '05-carillon-eth0.network', 'Address=192.168.1.10/24'],
    ['netplan', '90-carillon.yaml', 'addresses: ["192.168.1.10/24"]'],
    ['NetworkManager', 'carillon-eth0.nmconnection', 'address1=192.168.1.10/24,192.168.1.1'],
  ] as const)('is written for %s and for no other program', (owner, name, line) => {
    const [file, time, ...more] = filesOf(owner);
    expect(parse(file?.path ?? '').base).toBe(name);
    expect(file?.text).toContain(line);
    expect(time?.path).toContain('timesyncd');
    expect(more).toEqual([]);
  });

  test('to DHCP writes no address', () => {
    const { address: _, gateway: __, ...dhcp } = request;
    for (const owner of ['networkd', 'netplan', 'NetworkManager'] as const) {
      const text = networkPlan(owner, dhcp)
        .steps.flatMap(({ actions }) => actions)
        .map((action) => (action.kind === 'file' ? action.text : ''))
        .join('');
      expect(text).not.toContain('192.168.1.10');
      expect(text).toMatch(/DHCP=yes|dhcp4: true|method=auto/);
    }
  });

  test('arms the return before anything else, and is taken back when it is not confirmed', () => {
    const plan = networkPlan('networkd', request);
    expect(plan.steps.map(({ id }) => id)).toEqual(['guard', 'network', 'network-test', 'confirm']);
    expect(plan.whenFailed).toBe('undo');
    expect(plan.afterUndo).toContainEqual(['networkctl', 'reload']);
    // Files that a start of the machine would look for.
    expect(plan.afterUndo).toContainEqual(['rm', '-f', layout.unconfirmed]);
    const unit = readFileSync('systemd/carillon-network-undo.service', 'utf8');
    expect(unit).toContain(
      `ConditionPathExists=${layout.unconfirmed}\nConditionPathExists=!${layout.armed}\n`,
    );
    expect(JSON.stringify(planLines(plan))).not.toContain('Written by');
  });

  test('keeps what is readable by root only where it may hold a secret', () => {
    expect(filesOf('NetworkManager')[0]?.mode).toBe(0o600);
    expect(filesOf('netplan')[0]?.mode).toBe(0o600);
  });
});
