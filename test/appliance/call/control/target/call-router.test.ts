import { describe, expect, it } from 'vitest';
import { CallRouter } from '#appliance/call/control/target/call-router.ts';
import { bridgeDialPlan, dialPlanOf } from '#appliance/call/control/target/dial-plan.ts';
import { INSIDE } from '#appliance/call/control/target/inside-line.ts';
import { type Caller, routeText } from '#appliance/call/route/index.ts';
import { TenantModel } from '#appliance/replica/index.ts';
import { parseMessage, type SipRequest, writeRequest } from '#appliance/sip/message/index.ts';
import {
  replicatedAlarmBridgeSchema,
  replicatedCloudSipUaSchema,
  replicatedDeviceSchema,
  replicatedMediaServiceSchema,
  replicatedTrunkSchema,
} from '#shared/contract/provisioning/index.ts';
import { udp } from '#test/appliance/sip/endpoint/stage.ts';

const OURS = '192.0.2.10';
const PHONE: Caller = { kind: 'device', deviceId: 'phone', trunkGroupId: 'g' };
const TRUNK: Caller = { kind: 'trunk', trunkId: 't' };
const SERVICE = { name: 'Menu', callbackBaseUrl: 'https://app.example' };

/** A tenant with a device, a menu, an agent, a receiver of calls and a trunk for numbers that begin with 0. */
function room({ rewrite = '' } = {}) {
  const tenant = new TenantModel('care.example');
  const device = (deviceId: string, fields: object = {}) =>
    tenant.put(
      'device',
      deviceId,
      replicatedDeviceSchema.parse({ deviceId, authType: 'credentials', srtp: 'always', ...fields }),
    );
  device('phone', rewrite === '' ? {} : { serviceData: { alarmBridge: { destinationRewrite: rewrite } } });
  device('app', { authType: 'userid', authorized: { invite: '^(sip:)?7@' } });
  device('mute', { authType: 'userid' });
  const menu = replicatedMediaServiceSchema.parse({
    ...SERVICE,
    id: 'm',
    destinationMatch: '^menu$',
    codecs: ['PCMU'],
  });
  tenant.put('mediaservice', 'm', menu);
  const agent = { id: 'u', name: 'Agent', destinationMatch: '^agent$', codecLimit: 'PCMA' };
  tenant.put('cloudsipua', 'u', replicatedCloudSipUaSchema.parse({ ...SERVICE, ...agent }));
  const trunk = { id: 't', name: 'Carrier', srtp: 'never', codecs: ['PCMA'], forceRtpRelay: true };
  tenant.put('trunk', 't', replicatedTrunkSchema.parse({ hosts: [{ uri: 'sip:198.51.100.1' }], ...trunk }));
  const asked: string[] = [];
  const router = new CallRouter({ tenant: () => tenant, place: { address: OURS } } as never, {
    receiver: () => ({
      bridgeFor: (user, kind) => {
        asked.push(`${kind} ${user}`);
        return user === 'alarm' && kind === 'call'
          ? { id: 'b' }
          : user === 'quiet' && kind === 'strayCall'
            ? { id: 's' }
            : undefined;
      },
    }),
    trunks: { outbound: (number: string) => (number.startsWith('0') ? [{}] : []) } as never,
    contactAt: () => `${OURS}:5060`,
  });
  return { router, tenant, asked };
}

function invite(uri: string, more: readonly [string, string][] = [], hops = '70'): SipRequest {
  const headers: [string, string][] = [
    ['Via', 'SIP/2.0/UDP 192.0.2.50:5060;branch=z9hG4bK1'],
    ['Max-Forwards', hops],
    ['From', '<sip:phone@care.example>;tag=1'],
    ['To', `<${uri}>`],
    ['Call-ID', 'c'],
    ['CSeq', '1 INVITE'],
    ...more,
  ];
  const read = parseMessage(writeRequest({ method: 'INVITE', uri, headers }));
  if (!read.ok || read.value.kind !== 'request') throw new Error('no request');
  return read.value;
}

describe('the route of a call', () => {
  it.each([
    ['sip:app@care.example', PHONE, 'the call goes to device app'],
    [`sip:app@${OURS}`, PHONE, 'the call goes to device app'],
    ['sip:menu@care.example', PHONE, 'the call goes to mediaservice m as menu'],
    ['sip:agent@care.example', TRUNK, 'the call goes to cloudsipua u as agent'],
    ['sip:alarm@care.example', PHONE, 'the call goes to alarm bridge b as alarm'],
    ['sip:quiet@care.example', PHONE, 'the call goes to alarm bridge s as quiet'],
    ['sip:0123@care.example', PHONE, 'the call goes to number 0123'],
    ['sip:0123@care.example', TRUNK, 'the call is refused: 404 nobody here is 0123'],
    ['tel:0123', PHONE, 'the call goes to number 0123'],
    ['sip:9@care.example', PHONE, 'the call is refused: 404 no trunk takes 9, and nobody here is 9'],
    ['sip:bob@elsewhere.example', PHONE, 'the call goes to sip:bob@elsewhere.example'],
    ['sip:bob@elsewhere.example', TRUNK, 'the call is refused: 404 this is not the domain of anybody here'],
    [`sip:bob@${OURS}:5070`, PHONE, `the call goes to sip:bob@${OURS}:5070`],
    [`sip:bob@${OURS}:5061`, PHONE, 'the call is refused: 404 nobody here is bob'],
  ] as const)('%s', (uri, caller, expected) => {
    expect(routeText(room().router.route(invite(uri), udp, caller))).toBe(expected);
  });

  it('is a loop where our own Via stands, but not inside this host', () => {
    const { router } = room();
    const ours: [string, string][] = [['Via', `SIP/2.0/UDP ${OURS}:5060;branch=z9hG4bK2`]];
    const back = invite('sip:app@care.example', ours);
    expect(routeText(router.route(back, udp, PHONE))).toContain('482');
    expect(router.route(back, INSIDE, PHONE).kind).toBe('device');
    const near = invite('sip:app@care.example', [['Via', `SIP/2.0/UDP ${OURS}:5070;branch=z9hG4bK2`]]);
    expect(router.route(near, udp, PHONE).kind).toBe('device');
  });

  it('ends with the hops, but not at an alarm', () => {
    const { router } = room();
    const kind = (uri: string) => router.route(invite(uri, [], '0'), udp, PHONE).kind;
    expect([kind('sip:app@care.example'), kind('sip:alarm@care.example')]).toEqual(['refused', 'receiver']);
  });

  it('follows a service that was provisioned since', () => {
    const { router, tenant } = room();
    const to = () => router.routeTo('late').kind;
    expect(to()).toBe('refused');
    const late = replicatedMediaServiceSchema.parse({ ...SERVICE, id: 'l', destinationMatch: '^late$' });
    tenant.put('mediaservice', 'l', late);
    expect(to()).toBe('application');
  });
});

describe('destinationRewrite of a device', () => {
  const rewritten = (uri: string, caller: Caller = PHONE) =>
    routeText(room({ rewrite: 'sip:menu@care.example' }).router.route(invite(uri), udp, caller));

  it('changes whom it calls, but never an alarm, and the target is no other', () => {
    expect(rewritten('sip:app@care.example')).toBe('the call goes to mediaservice m as menu');
    expect(rewritten('sip:alarm@care.example')).toBe('the call goes to alarm bridge b as alarm');
    expect(rewritten('sip:app@care.example', TRUNK)).toBe('the call goes to device app');
  });
});

describe('a call of our own', () => {
  it.each([
    ['app', {}, 'the call goes to device app'],
    ['app@care.example', {}, 'the call goes to device app'],
    ['SIP:app@care.example', {}, 'the call goes to device app'],
    ['tel:0123', { trunkGroupId: 'g' }, 'the call goes to number 0123'],
    ['sips:bob@elsewhere.example', {}, 'the call goes to sips:bob@elsewhere.example'],
    ['alarm', { mayReachServices: false }, 'the call is refused: 482'],
    ['menu', { mayReachServices: false }, 'the call is refused: 482'],
    ['menu', { hopsLeft: 0 }, 'the call is refused: 483'],
  ] as const)('to %s with %j', (destination, options, expected) => {
    expect(routeText(room().router.routeTo(destination, options))).toContain(expected);
  });
});

describe('a permitted caller', () => {
  it.each([
    ['phone', 'sip:anybody@care.example', true],
    ['app', 'sip:7@care.example', true],
    ['app', 'sip:8@care.example', false],
    ['mute', 'sip:7@care.example', false],
    ['nobody', 'sip:7@care.example', false],
  ])('%s to %s: %s', (deviceId, uri, may) => {
    expect(room().router.mayCall(deviceId, uri)).toBe(may);
  });

  it('is a device or a trunk, and no other identity', () => {
    const { router } = room();
    expect(router.callerOf({ kind: 'device', account: { deviceId: 'phone' } } as never)).toEqual({
      kind: 'device',
      deviceId: 'phone',
      trunkGroupId: undefined,
    });
    expect(router.callerOf({ kind: 'trunk', trunk: { trunkId: 't' } } as never)).toEqual(TRUNK);
    expect(router.callerOf({ kind: 'unknown' } as never)).toBeUndefined();
  });
});

const bridgeOf = (fields: object = {}) =>
  replicatedAlarmBridgeSchema.parse({
    id: 'b',
    name: 'B',
    protocol: 'scaip',
    destinationMatch: '^x$',
    ...fields,
  });

describe('the audio of a caller', () => {
  const application = (service: string, id: string) =>
    ({ kind: 'application', service, id, user: 'x' }) as never;

  it.each([
    ['a device: its srtp', PHONE, undefined, undefined, { srtp: 'always', profile: 'ordinary' }],
    [
      'a trunk: its settings',
      TRUNK,
      undefined,
      undefined,
      { srtp: 'never', codecs: ['PCMA'], forceRtpRelay: true },
    ],
    [
      'an alarm bridge',
      PHONE,
      bridgeOf({ useVPNConnection: true }),
      undefined,
      { profile: 'alarm', useVPNConnection: true },
    ],
    ['a media service: its codecs', PHONE, undefined, application('mediaservice', 'm'), { codecs: ['PCMU'] }],
    ['a user agent: its limit', PHONE, undefined, application('cloudsipua', 'u'), { codecLimit: 'PCMA' }],
    ['a recorder', PHONE, undefined, application('callrecording', 'r'), { records: true }],
    ['an alarm that is sent on', PHONE, undefined, application('sending', 's'), { profile: 'alarm' }],
  ] as const)('%s', (_name, caller, bridge, route, expected) => {
    expect(room().router.policyOf(caller, bridge, route)).toMatchObject(expected);
  });
});

describe('how others are dialled', () => {
  it.each([
    [{}, true],
    [{ auditRecording: true }, false],
    [{ controlCommandsEnabled: true }, false],
  ])('with %j audio runs straight: %s', (fields, straight) => {
    const bridge = bridgeOf({ controlCommandsEnabled: false, auditRecording: false, ...fields });
    expect(bridgeDialPlan(bridge, 'g')).toMatchObject({ straight, trunkGroupId: 'g' });
  });

  it.each([
    [undefined, 'inband', 'inband'],
    [{ dtmfSendType: '2833' }, 'rfc4733', 'rfc4733'],
    [{ calleeDtmfSendType: '2833' }, 'rfc4733', 'inband'],
    [{ dtmfSendType: '2833', callerDtmfSendType: 'inaudio' }, 'rfc4733', 'inband'],
  ])('digits with %j pass as %s and %s', (toneSettings, aToB, bToA) => {
    const { relay } = bridgeDialPlan(bridgeOf(toneSettings && { toneSettings }), undefined);
    expect(relay).toEqual({ aToB: { as: aToB }, bToA: { as: bToA } });
  });

  it('a caller of a trunk has no trunk, and a call without a bridge may reach services', () => {
    expect(dialPlanOf(TRUNK, undefined)).toMatchObject({ trunkGroupId: undefined, mayReachServices: true });
    expect(dialPlanOf(PHONE, undefined)).toMatchObject({ trunkGroupId: 'g', straight: false });
    expect(dialPlanOf(PHONE, bridgeOf({ enforceIvrDestination: false })).mayReachServices).toBe(false);
  });
});
