import { bridge, callbacksOf, callsOf, DEMO_DOMAIN, type DemoTenantPlan, named } from './demo-tenant.ts';

/** The tone protocols of `carillon simulate tone`, with the fields of the receiver that each needs. */
const TONES = {
  tt92: { protocol: 'tt92' },
  'tt92-stmf': { protocol: 'tt92', toneSettings: { dataRequestType: 'combined' } },
  ttnew: { protocol: 'ttnew' },
  contactId: { protocol: 'contactId' },
  p100: { protocol: 'p100' },
} as const;

/** The receiver of the demo that a tone unit of this protocol calls. */
export const toneReceiver = (protocol: string): string =>
  protocol === 'bs8521' ? 'analogue' : `analogue-${protocol}`;

/** Units that are known by what the simulators say without a flag: tones of TT, Contact ID and P100, a LACS body, a DC-09 frame. */
const UNITS = ['123456780001', '1234:001', '12345678', 'lift-9', '1234:01'];

/** The name of `carillon simulate siprec client` without a flag. */
const RECORDER = 'recorder';
/** The path below the application of the recording service: a `newCall` of its own, since each kind of service asks for another answer. */
const RECORDING_CALLS = 'callrecording';

/**
 * Receivers and services for the simulators that neither alarm of the demo uses, so that each runs without a flag. Running it again
 * changes nothing.
 */
export async function provisionSimulated(plan: DemoTenantPlan): Promise<void> {
  const call = callsOf(plan);
  const callbacks = callbacksOf(plan);
  for (const deviceId of UNITS)
    await call('PUT', `/provisioning/device/${DEMO_DOMAIN}`, {
      deviceId,
      authType: 'disabled',
      srtp: 'never',
      deviceType: 'alarmUnit',
      description: 'Demo unit, known by what it says in its alarm',
    });
  for (const [name, fields] of Object.entries(TONES)) {
    const receiver = toneReceiver(name);
    await bridge(call, {
      name: `demo-${receiver}`,
      destinationMatch: `^${receiver}$`,
      description: `Analogue alarms in tones of ${name}`,
      ...fields,
      ...callbacks,
    });
  }
  const { callbackBaseUrl, restAuthentication } = callbacks;
  await named(call, `/callrecording/${DEMO_DOMAIN}`, 'callrecordings', {
    name: RECORDER,
    destinationMatch: `^${RECORDER}$`,
    callbackBaseUrl: `${callbackBaseUrl}/${RECORDING_CALLS}`,
    restAuthentication,
  });
}
