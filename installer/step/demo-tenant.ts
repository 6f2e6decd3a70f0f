import { createHash } from 'node:crypto';
import { exitCode, Stop } from '../exit-code.ts';
import { makeDemoOwner, tokenOfDemoOwner } from './demo-owner.ts';

export const DEMO_DOMAIN = 'demo.carillon.test';
export const DEMO_SITE = 'demo';
export const DEMO_HOST = 'demo-host';
export const DEMO_ANALOGUE = 'analogue-0001';
/** Controller and unit of the analogue alarm. */
const DEMO_UNIT = '12345678:0001';
export const DEMO_OPERATOR = 'operator';
/** A caller of this number gets the menu of the demo application. */
const DEMO_SWITCHBOARD = 'switchboard';

/** The values that the demo tenant needs from the outside. */
export interface DemoTenantPlan {
  readonly baseUrl: string;
  readonly bootstrapToken: string;
  /** Where the demo application listens, `https://127.0.0.1:8445`. */
  readonly arcUrl: string;
  /** Path of platform alarms at the application; default `/alarm`. */
  readonly alarmPath?: string;
  /** PKCS#8 PEM that signs callbacks; the application holds the public half. */
  readonly signingKeyPem: string;
  /** A token of an earlier start, kept if it still opens the tenant. */
  readonly token: string | undefined;
  /** Password of the tenant's owner; absent = it has no owner, and the token acts for the platform owner. */
  readonly ownerPassword?: string;
  /** SIP password of the demo's telephones. */
  readonly telephonePassword: string;
  /** True when the appliance has no identity yet. */
  readonly needsClaim: boolean;
}

export interface DemoTenant {
  readonly token: string;
  readonly claimCode: string | undefined;
}

/** The hash of a password that SIP digest uses (RFC 2617 3.2.2.2). */
const ha1Of = (user: string, password: string): string =>
  createHash('md5').update(`${user}:${DEMO_DOMAIN}:${password}`).digest('hex');

type Answer = Record<string, unknown> & { readonly success?: boolean; readonly reason?: string };

/**
 * Brings the demo tenant into being through the public API, exactly as a customer's script would. Running it again
 * changes nothing.
 */
export async function provisionDemoTenant(plan: DemoTenantPlan): Promise<DemoTenant> {
  const call = callsOf(plan);
  const callbacks = callbacksOf(plan);
  const { restAuthentication } = callbacks;
  await call('POST', '/platform/tenant', { domain: DEMO_DOMAIN, name: 'Demo tenant' }, true);
  await call('POST', `/site/${DEMO_DOMAIN}`, { siteId: DEMO_SITE, name: 'Demo site', profile: 'high' }, true);
  await call('PUT', `/provisioning/notificationsettings/${DEMO_DOMAIN}`, {
    alarmEventsRestEndpoint: `${plan.arcUrl}${plan.alarmPath ?? '/alarm'}`,
    restAuthentication,
    callbackCopies: true,
  });
  for (let number = 1; number <= 10; number++) {
    const deviceId = `scaip-${String(number).padStart(4, '0')}`;
    await call('PUT', `/provisioning/device/${DEMO_DOMAIN}`, {
      deviceId,
      authType: 'deviceid',
      srtp: 'negotiated',
      deviceType: 'alarmbridgeAlarmUnit',
      description: `Demo social alarm ${number}`,
    });
  }
  for (const [deviceId, description] of [
    [DEMO_ANALOGUE, 'Demo analogue adapter'],
    [DEMO_OPERATOR, 'Demo operator of the alarm receiving centre'],
    ['expert', 'Demo expert whom an operator asks'],
  ] as const) {
    await call('PUT', `/provisioning/device/${DEMO_DOMAIN}`, {
      deviceId,
      authType: 'credentials',
      srtp: 'negotiated',
      ha1: ha1Of(deviceId, plan.telephonePassword),
      description,
    });
  }
  await call('PUT', `/provisioning/device/${DEMO_DOMAIN}`, {
    deviceId: DEMO_UNIT,
    authType: 'disabled',
    srtp: 'never',
    deviceType: 'alarmUnit',
    description: 'Demo analogue unit, known by what it says in its alarm',
  });
  await bridge(call, {
    name: 'demo-scaip',
    protocol: 'scaip',
    destinationMatch: '^scaip$',
    description: 'Social alarms over SCAIP',
    ...callbacks,
  });
  await bridge(call, {
    name: 'demo-analogue',
    protocol: 'bs8521',
    destinationMatch: '^analogue$',
    description: 'Analogue social alarms',
    ...callbacks,
  });
  await bridge(call, {
    name: 'demo-dc09',
    protocol: 'dc09',
    destinationMatch: '#1234$',
    description: 'Security panels over SIA DC-09',
    ...callbacks,
  });
  await named(call, `/mediaservice/${DEMO_DOMAIN}`, 'mediaservices', {
    name: DEMO_SWITCHBOARD,
    destinationMatch: `^${DEMO_SWITCHBOARD}$`,
    callbackBaseUrl: plan.arcUrl,
    restAuthentication,
    emergencyDestination: `sip:${DEMO_OPERATOR}@${DEMO_DOMAIN}`,
  });
  if (plan.ownerPassword !== undefined) await makeDemoOwner(call, DEMO_DOMAIN, plan.ownerPassword);
  return { token: await tenantToken(plan, call), claimCode: await claim(plan, call) };
}

export type Call = (method: string, path: string, body?: unknown, already?: boolean) => Promise<Answer>;

/** The public API as the platform owner; `already`: 409 is as good. */
export const callsOf =
  (plan: DemoTenantPlan): Call =>
  (method, path, body, already = false) =>
    request(plan, method, path, body, already);

/** The callback settings of every alarm bridge of the demo. */
export const callbacksOf = ({ arcUrl, signingKeyPem }: DemoTenantPlan) => ({
  callbackBaseUrl: arcUrl,
  restAuthentication: [{ sub: 'carillon', scope: 'alarm', type: 'ES256', secret: signingKeyPem }],
  defaultEmergencyDestination: `sip:${DEMO_OPERATOR}@${DEMO_DOMAIN}`,
});

export async function bridge(
  call: Call,
  body: { readonly name: string; readonly [field: string]: unknown },
): Promise<void> {
  await named(call, `/provisioning/alarmbridge/${DEMO_DOMAIN}`, 'alarmbridges', body);
}

/** Makes the object of this name, or gives it these fields. */
export async function named(
  call: Call,
  path: string,
  list: string,
  body: { readonly name: string; readonly [field: string]: unknown },
): Promise<void> {
  const answer = (await call('GET', path)) as { [list: string]: { id: string; name: string }[] | undefined };
  const known = answer[list]?.find((each) => each.name === body.name);
  if (known === undefined) await call('POST', path, body);
  else await call('PUT', `${path}/${known.id}`, body);
}

async function tenantToken(plan: DemoTenantPlan, call: Call): Promise<string> {
  if (plan.token !== undefined) {
    const answer = await fetch(`${plan.baseUrl}/provisioning/alarmbridge/${DEMO_DOMAIN}?limit=1`, {
      headers: { authorization: `Bearer ${plan.token}` },
    });
    if (answer.ok) return plan.token;
  }
  if (plan.ownerPassword !== undefined) {
    const token = await tokenOfDemoOwner(plan.baseUrl, DEMO_DOMAIN, plan.ownerPassword);
    if (token !== undefined) return token;
  }
  const made = await call('POST', `/provisioning/apitoken/${DEMO_DOMAIN}`, { name: 'demo' });
  return String(made.token);
}

async function claim(plan: DemoTenantPlan, call: Call): Promise<string | undefined> {
  if (!plan.needsClaim) return undefined;
  const made = await call('POST', `/site/${DEMO_DOMAIN}/${DEMO_SITE}/claim`, { hostId: DEMO_HOST });
  return String(made.claimCode);
}

async function request(
  plan: DemoTenantPlan,
  method: string,
  path: string,
  body: unknown,
  already: boolean,
): Promise<Answer> {
  const answer = await fetch(`${plan.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${plan.bootstrapToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const parsed = (await answer.json().catch(() => ({}))) as Answer;
  if (answer.ok || (already && answer.status === 409)) return parsed;
  throw new Stop(
    exitCode.unexpected,
    `the demo tenant could not be set up: ${method} ${path} answered ${answer.status} ${parsed.reason ?? ''}`,
  );
}
