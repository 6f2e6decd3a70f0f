import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { AlarmIds } from '#appliance/alarm/receiving/alarm-ids.ts';
import { TenantModel } from '#appliance/replica/index.ts';

const MINUTE = 60_000;
const PLACE = { bridgeId: 'bridge-1', sender: 'scaip-0001' };
const NAME = { text: 'K1', withinMs: 30 * MINUTE };
const unknown = () => false;

function host(wallMs = 1_770_000_000_000, domain = 'care.example') {
  const clock = { wallMs: () => wallMs, monoMs: () => 0 };
  const sha256Hex = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
  const tenant = new TenantModel(domain);
  return new AlarmIds({ clock, sha256Hex, random: (length) => randomBytes(length), tenant: () => tenant });
}

it('two hosts give one name one id, minutes apart', () => {
  const id = host().of('session', NAME, PLACE, unknown);
  expect(host(1_770_000_000_000 + 5 * MINUTE).of('session', NAME, PLACE, unknown)).toBe(id);
  expect(id).toMatch(/^[0-9a-z]{26}$/);
});

it('ids differ with each detail, and a period later', () => {
  const all = [
    host().of('session', NAME, PLACE, unknown),
    host().of('callback', NAME, PLACE, unknown),
    host().of('session', { ...NAME, text: 'K2' }, PLACE, unknown),
    host().of('session', NAME, { ...PLACE, bridgeId: 'bridge-2' }, unknown),
    host().of('session', NAME, { ...PLACE, sender: 'scaip-0002' }, unknown),
    host(1_770_000_000_000, 'other.example').of('session', NAME, PLACE, unknown),
    host(1_770_000_000_000 + 30 * MINUTE).of('session', NAME, PLACE, unknown),
  ];
  expect(new Set(all).size).toBe(all.length);
});

it('one host never gives an id twice, on the disk or before it, and without a name never the same', () => {
  const ids = host();
  const first = ids.of('session', NAME, PLACE, unknown);
  expect(ids.of('session', NAME, PLACE, unknown)).not.toBe(first);
  expect(host().of('session', NAME, PLACE, (id) => id === first)).not.toBe(first);
  expect(ids.of('session', undefined, PLACE, unknown)).not.toBe(ids.of('session', undefined, PLACE, unknown));
});
