import { afterEach, expect, test } from 'vitest';
import { testAppliance } from '#test/support/appliance.ts';

const open: { close: (keep?: boolean) => Promise<void> }[] = [];
afterEach(async () => {
  for (const appliance of open.splice(0)) await appliance.close();
});

type Appliance = Awaited<ReturnType<typeof testAppliance>>;

async function stage(folder?: string): Promise<Appliance> {
  const appliance = await testAppliance(folder === undefined ? {} : { folder });
  appliance.device({ deviceId: 'phone-1' });
  return appliance;
}

let sequence = 0;
async function register(appliance: Appliance, contact: string, expires = 600): Promise<number> {
  appliance.request('REGISTER', 'phone-1', {
    uri: 'sip:phone-1@care.example',
    branch: `z9hG4bKreg${++sequence}`,
    headers: [
      ['Contact', contact],
      ['Expires', String(expires)],
      ['User-Agent', 'Phone 1.0'],
    ],
  });
  await appliance.quiet();
  const answer = appliance.take().at(-1);
  return answer?.kind === 'response' ? answer.status : 0;
}

const uris = ({ runtime }: Appliance) => runtime.registrations.contactsOf('phone-1').map(({ uri }) => uri);

test('several contacts are all there after a restart, in their order', async () => {
  const first = await stage();
  expect(await register(first, '<sip:desk@192.0.2.50>;q=0.3')).toBe(200);
  expect(await register(first, '<sip:hall@192.0.2.50:5070>;q=0.9')).toBe(200);
  expect(await register(first, '<sip:cellar@192.0.2.50:5080>;q=0.5')).toBe(200);
  expect(await register(first, '<sip:cellar@192.0.2.50:5080>', 0)).toBe(200);
  const before = uris(first);
  expect(before).toEqual(['sip:hall@192.0.2.50:5070', 'sip:desk@192.0.2.50']);
  await first.close(true);

  const second = await stage(first.folder);
  open.push(second);
  second.runtime.restore();
  expect(uris(second)).toEqual(before);
  expect(second.runtime.registrations.contactsOf('phone-1')[0]?.flow).toMatchObject({
    transport: 'UDP',
    remoteAddress: '192.0.2.50',
  });
});

test('registrations say who is there, how, and until when', async () => {
  const appliance = await stage();
  open.push(appliance);
  expect(appliance.runtime.registrations.online('phone-1')).toEqual({ registered: false, contacts: [] });
  await register(appliance, '<sip:desk@192.0.2.50>');
  const nowMs = appliance.clock.wallMs();
  expect(appliance.runtime.registrations.online('phone-1')).toEqual({
    registered: true,
    contacts: [
      {
        uri: 'sip:desk@192.0.2.50',
        transport: 'UDP',
        userAgent: 'Phone 1.0',
        registeredAtMs: nowMs,
        expiresAtMs: nowMs + 600_000,
      },
    ],
  });
  await appliance.after(600_000);
  expect(appliance.runtime.registrations.online('phone-1').registered).toBe(false);
});
