import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registrationOperations } from '#appliance/site/remote/index.ts';
import { testAppliance } from '#test/support/appliance.ts';
import { telephones } from '#test/support/telephone.ts';

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
});
afterEach(() => site.close());

/** Reports to the cloud. */
async function reported(args: Record<string, unknown>) {
  const operation = registrationOperations(site.runtime.registrations)['sip.registrations'];
  const answer = await operation?.({ args, by: 'user:anna' });
  if (answer?.ok !== true) return answer;
  const { devices, ...rest } = answer.value as { devices: { deviceId: string; contacts: object[] }[] };
  return { ...rest, ids: devices.map(({ deviceId }) => deviceId), devices };
}

describe('a registered device', () => {
  it('is listed with contact, transport and time', async () => {
    await net.device('anna', '192.0.2.40');
    await net.device('bert', '192.0.2.41');
    const all = await reported({});
    expect(all).toMatchObject({ ids: ['anna', 'bert'], of: 2, more: false });
    expect(all && 'devices' in all && all.devices[0]).toEqual({
      deviceId: 'anna',
      contacts: [
        {
          uri: expect.stringContaining('192.0.2.40'),
          transport: 'UDP',
          userAgent: expect.any(String),
          registeredAt: expect.any(Number),
          expiresAt: expect.any(Number),
        },
      ],
    });
  });

  it('is found by a part of the id', async () => {
    for (const [at, user] of ['room-101', 'room-102', 'gate'].entries())
      await net.device(user, `192.0.2.${42 + at}`);
    expect(await reported({ match: 'room' })).toMatchObject({ ids: ['room-101', 'room-102'], of: 3 });
    expect(await reported({ match: 'room', limit: 1 })).toMatchObject({ ids: ['room-101'], more: true });
    expect(await reported({ match: 'cellar' })).toMatchObject({ ids: [], of: 3, more: false });
  });

  it('is none whose registration has run out', async () => {
    await net.device('anna', '192.0.2.40');
    await site.after(7_200_000);
    expect(await reported({})).toMatchObject({ ids: [], of: 0 });
  });

  it('is listed in what fits into one message, and that there are more', async () => {
    const registrar = {
      size: 100,
      matching: () => ({ deviceIds: Array.from({ length: 100 }, (_, n) => `device-${n}`), more: false }),
      online: () => ({
        registered: true,
        contacts: Array.from({ length: 10 }, () => ({
          uri: `sip:${'x'.repeat(200)}@192.0.2.1`,
          transport: 'TCP' as const,
          userAgent: 'y'.repeat(200),
          registeredAtMs: 1,
          expiresAtMs: 2,
        })),
      }),
    };
    const answer = await registrationOperations(registrar)['sip.registrations']?.({
      args: {},
      by: 'user:anna',
    });
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(60_000);
    expect(answer).toMatchObject({ ok: true, value: { more: true } });
    const [first] = (answer as unknown as { value: { devices: { contacts: object[] }[] } }).value.devices;
    expect(first?.contacts[0]).toMatchObject({ transport: 'TCP', registeredAt: 1, expiresAt: 2 });
  });

  it('is asked for in words that can be read', async () => {
    expect(await reported({ limit: 0 })).toMatchObject({ ok: false, code: 'invalid' });
  });
});
