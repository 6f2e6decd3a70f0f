import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeMessage } from '#appliance/alarm/protocol/contact-id/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

/*
 * A panel that says several messages of Contact ID in one call, each when the one before is acknowledged (DC-05): the call goes on until
 * it is quiet, however soon the application has dropped the first.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let panel: Telephone;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.answerBy(() => answered({ action: 'drop' }));
  site.bridge({ protocol: 'contactId', name: 'Panels', destinationMatch: '^here$' });
  panel = await net.device('panel', '192.0.2.30');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const zones = () =>
  site.posted
    .filter(({ call }) => call.path === '/newAlarmbridgeEvent')
    .map(({ body }) => (body.alarmEvent as { readonly deviceId: string }).deviceId);

async function says(zone: string): Promise<void> {
  const fields = { account: '1234', messageType: '18', qualifier: '1', event: '130', group: '01', zone };
  const made = encodeMessage(fields);
  panel.audio.press(made.ok ? made.value : '', { onMs: 60, offMs: 60 });
  // Sixteen digits, the acknowledge, and the pause before the next message.
  await net.after(16 * 120 + 70 + 850 + 280, 10);
}

async function called(): Promise<void> {
  const talk = await panel.invite('here', net.pump);
  panel.acknowledge(talk, panel.response(200));
  await net.after(1_800, 100);
}

describe('messages of Contact ID', () => {
  it('that follow each other are taken in one call, which ends when the panel is quiet', async () => {
    await called();
    for (const zone of ['001', '002', '003', '004', '005']) await says(zone);
    expect(zones()).toEqual(['001', '002', '003', '004', '005']);
    expect(panel.has('BYE')).toBe(false);
    await net.after(5_500, 100);
    expect(panel.has('BYE')).toBe(true);
    await net.after(1_000);
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
    const played = site
      .trace(String(site.posted[0]?.body.traceId))
      .filter(({ kind }) => kind === 'tonePlayed')
      .map(({ detail }) => JSON.stringify(detail.tones));
    expect(played.filter((tones) => tones === '[{"hz":1400,"ms":850}]')).toHaveLength(5);
  });
});
