import { afterEach, beforeEach, expect, it } from 'vitest';
import { protocolProfileSchema } from '#shared/contract/provisioning/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { framed, panelAt } from '#test/support/panel.ts';

/*
 * Device types that the receive list has no word for: `unknown`, or the word that a destination wants for them (`unknownDeviceType` of its
 * profile; protocols 2.3). The device's own code stays beside it.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;

beforeEach(async () => {
  site = await testAppliance();
  site.answerBy(() => answered({ action: 'drop' }));
  site.notify('https://app.example/alarms');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

function profile(name: string, kind: string, from: string, unknownDeviceType: string): void {
  const row = { name, kind, extends: from, content: { unknownDeviceType } };
  site.tenant.put('protocolprofile', name, protocolProfileSchema.parse(row));
}

async function says(dty: string): Promise<void> {
  const body = `<mrq><ref>${dty}</ref><cid>c-1</cid><dty>${dty}</dty><stc>0010</stc></mrq>`;
  site.request('MESSAGE', 'c-1', { body });
  await site.quiet();
}

const reported = () =>
  site.posted
    .filter(({ call }) => call.path === '/newAlarmbridgeEvent')
    .map(({ body }) => [
      (body.alarmEvent as { readonly deviceType: string }).deviceType,
      (body.sourceAlarmEvent as { readonly fields: { readonly dty?: string } }).fields.dty,
    ]);

it('are unknown where no one wants another word', async () => {
  site.bridge();
  await says('9999');
  expect(reported()).toEqual([['unknown', '9999']]);
});

it('have the word of the profile that the bridge names; others keep their own', async () => {
  profile('ours', 'xml', 'scaip', 'specialFunction');
  site.bridge({ protocolProfile: 'ours' });
  await says('9999');
  await says('0003');
  expect(reported()).toEqual([
    ['specialFunction', '9999'],
    ['personalTrigger', '0003'],
  ]);
  // The person who provisions the unit reads the same.
  const unknown = site.posted.find(({ body }) => body.type === 'unknownDevice');
  expect(unknown?.body.alarmEvent).toMatchObject({ deviceType: 'specialFunction' });
});

it('have the word of the whole tenant, and that of the bridge before it', async () => {
  profile('scaip', 'xml', 'scaip', 'auxInput');
  site.bridge();
  await says('9999');
  profile('ours', 'xml', 'scaip', 'rom1');
  site.bridge({ protocolProfile: 'ours' });
  await says('9998');
  expect(reported().map(([word]) => word)).toEqual(['auxInput', 'rom1']);
});

it('are those of frames, too', async () => {
  profile('ours', 'ip', 'dc09', 'specialFunction');
  site.bridge({ protocol: 'dc09', name: 'Panels', destinationMatch: '#1234$', protocolProfile: 'ours' });
  panelAt(site).send(framed('"SIA-DCS"0001L0#1234[#1234|NQQ1]'));
  await site.quiet();
  expect(reported()).toEqual([['specialFunction', undefined]]);
});
