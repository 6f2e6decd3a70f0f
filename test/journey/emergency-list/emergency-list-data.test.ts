import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { bodyParts } from '#appliance/sip/sdp/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { takesCall } from '#test/support/talking.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';
import { raisesAlarm, rings } from './people.ts';

/* Emergency calls by a trunk that carry location and facts of the device. */

const NUMBER = '+46855511001';

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let carrier: Telephone;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.notify('https://app.example/alarms');
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  carrier = net.stranger('+46700', '198.51.100.1');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const list = { emergencyCallList: { steps: [{ entries: [{ destination: NUMBER }] }] } };
const place = { customerSiteId: 'Storgatan-1' };

async function called(trunk: Record<string, unknown>, fields: Record<string, unknown>): Promise<SipRequest> {
  net.trunk(trunk);
  await raisesAlarm(site, net, 'call', fields);
  expect(await rings(net, carrier)).toBe(true);
  return carrier.request('INVITE');
}

function partsOf(invite: SipRequest) {
  const parts = bodyParts(invite.list('Content-Type')[0] ?? '', invite.body);
  if (!parts.ok) throw new Error(parts.error.reason);
  return parts.value.map(({ type, fields, content }) => ({
    type,
    id: fields.get('content-id'),
    text: Buffer.from(content).toString(),
  }));
}

describe.each([
  ['of a list', list],
  ['to the one emergency destination', { defaultEmergencyDestination: NUMBER }],
] as const)('a call %s by a trunk with emergencyData', (_, fields) => {
  it('carries the location and three blocks of data, each referred to by a field', async () => {
    const invite = await called({ emergencyData: true }, { ...fields, ...place });
    const parts = partsOf(invite);
    expect(parts.map(({ type }) => type)).toEqual([
      'application/sdp',
      'application/pidf+xml',
      'application/emergencycalldata.providerinfo+xml',
      'application/emergencycalldata.deviceinfo+xml',
      'application/emergencycalldata.comment+xml',
    ]);
    const referred = [...invite.list('Geolocation'), ...invite.list('Call-Info')].map(
      (value) => /<cid:([^>]+)>/.exec(value)?.[1],
    );
    expect(referred.map((id) => `<${id}>`)).toEqual(parts.slice(1).map(({ id }) => id));
    expect(parts[1]?.text).toContain('<ca:NAM>Storgatan-1</ca:NAM>');
    expect(parts[3]?.text).toContain('>unit</di:UniqueDeviceID>');
  });

  it('goes again without them where no response comes: a firewall may drop fragments', async () => {
    const invite = await called({ emergencyData: true }, { ...fields, ...place });
    // 6 s over TCP, then the same over UDP for 3 s.
    const sent: SipRequest[] = [];
    for (let waited = 0; waited < 10_000; waited += 500) {
      await net.after(500);
      if (carrier.has('INVITE')) sent.push(carrier.request('INVITE'));
    }
    const [same, again] = sent;
    if (same === undefined || again === undefined) throw new Error(`${sent.length} INVITEs followed`);
    expect(same.list('Content-Type')[0]).toMatch(/^multipart/);
    expect(again.callId).toBe(invite.callId);
    expect(again.list('Content-Type')[0]).toBe('application/sdp');
  });

  it.each([415, 488, 606])('goes again without them, once, when its host answers %i', async (status) => {
    const invite = await called({ emergencyData: true }, { ...fields, ...place });
    carrier.respond(invite, status);
    await net.pump();
    const again = carrier.request('INVITE');
    expect(again.callId).toBe(invite.callId);
    expect(again.list('Content-Type')[0]).toBe('application/sdp');
    expect([...again.list('Geolocation'), ...again.list('Call-Info')]).toEqual([]);
    carrier.respond(again, status);
    await net.pump();
    expect(carrier.has('INVITE')).toBe(false);
  });
});

describe('a call of a list', () => {
  it('is answered and joined with them as without them', async () => {
    net.trunk({ emergencyData: true });
    await raisesAlarm(site, net, 'call', { ...list, ...place });
    expect(await rings(net, carrier)).toBe(true);
    await takesCall(carrier, net);
    const steps = site.posted.map(({ body }) => body.step);
    expect(steps).toContain('answered');
  });

  it('carries nothing by a trunk that is not set to, whatever is known', async () => {
    const invite = await called({}, { ...list, ...place });
    expect(invite.list('Content-Type')[0]).toBe('application/sdp');
    expect([...invite.list('Geolocation'), ...invite.list('Call-Info')]).toEqual([]);
  });
});
