import { bridge, callbacksOf, callsOf, DEMO_DOMAIN, type DemoTenantPlan } from './demo-tenant.ts';

/** The message of the demo's LACS device: `{{reference}}` is new each time. */
export const LACS_BODY =
  '<lacs><ref>{{reference}}</ref><unit><id>lift-9</id></unit><event>alarm</event></lacs>';

/** How that body is read and answered: no schema of LACS is public, so that each customer says it in a profile. */
export const LACS_PROFILE = {
  enabled: true,
  requestRoot: 'lacs',
  fieldPaths: { controllerId: 'unit/id', eventCode: 'event', reference: 'ref' },
  eventTable: { alarm: { deviceType: 'elevator', statusCode: 'alarm' } },
  reply: { template: '<answer ref="{{reference}}"/>' },
} as const;

const PROFILE = 'demo-lacs';

/**
 * Devices that say their alarms by SIP MESSAGE, and whom they say them to: what `carillon simulate nowip` and `lacs` are
 * without a flag. Running it again changes nothing.
 */
export async function provisionMessageDevices(plan: DemoTenantPlan): Promise<void> {
  const call = callsOf(plan);
  for (const [deviceId, description] of [
    ['nowip-0001', 'Demo NOW-IP controller'],
    ['lacs-0001', 'Demo lift that speaks XML of its own'],
  ] as const) {
    await call('PUT', `/provisioning/device/${DEMO_DOMAIN}`, {
      deviceId,
      authType: 'deviceid',
      srtp: 'negotiated',
      deviceType: 'alarmbridgeAlarmUnit',
      description,
    });
  }
  const row = { name: PROFILE, kind: 'xml', extends: 'lacs', content: LACS_PROFILE };
  await call('POST', `/provisioning/protocolprofile/${DEMO_DOMAIN}`, row, true);
  const callbacks = callbacksOf(plan);
  await bridge(call, {
    name: 'demo-nowip',
    protocol: 'nowip',
    destinationMatch: '^nowip$',
    description: 'Social alarms over NOW-IP',
    ...callbacks,
  });
  await bridge(call, {
    name: PROFILE,
    protocol: 'lacs',
    protocolProfile: PROFILE,
    destinationMatch: '^lacs$',
    description: 'Lifts with XML of their own',
    ...callbacks,
  });
}
