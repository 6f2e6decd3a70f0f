import { CALLBACK_PATH } from '#shared/contract/callback/index.ts';
import type { ReplicatedAlarmEventMapper } from '#shared/contract/provisioning/index.ts';
import { compileRewrite } from '#shared/matching/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { Fields } from '../../../call/session/index.ts';
import type { CallbackTarget } from '../../../delivery/callback/index.ts';
import type { TenantModel } from '../../../replica/index.ts';
import type { Login } from '../../../sip/auth/index.ts';
import { type IdentitySetting, SENDING_SETTING, type SendRoute } from '../../sender/index.ts';
import type { SendOrder, TargetProtocol } from './send-order.ts';

/** One of the two ways to a receiver. */
export interface SendAddress {
  /** SIP URI, number, host:port or URL: the protocol says which. */
  readonly destination: string;
  /** `sip:user@host` of From. */
  readonly from: { readonly user: string; readonly host: string };
  readonly login: Login | undefined;
  /** Called when the receiver asks for a call and names no number. */
  readonly voiceDestination: string | undefined;
}

/** A receiver, with everything that provisioning or the request says about it. */
export interface SendTarget {
  readonly protocol: TargetProtocol;
  readonly addresses: { readonly primary: SendAddress; readonly backup?: SendAddress };
  readonly mapper: ReplicatedAlarmEventMapper | undefined;
  /** For the target `callback`: how requests are signed. */
  readonly restAuthentication?: CallbackTarget['restAuthentication'];
  readonly deadlineMs: number;
  /** Fields that let us in at the receiver's own platform. */
  readonly headers: Fields;
  readonly trunkGroupId: string | undefined;
  /** From user of voice calls, as the mapper rewrites it. */
  readonly voiceFrom: (user: string) => string;
}

/** The address of a way; without a backup, both ways lead to the primary one. */
export const addressOf = ({ addresses }: SendTarget, route: SendRoute): SendAddress =>
  route === 'backup' ? (addresses.backup ?? addresses.primary) : addresses.primary;

export const identityOf = (mapper: ReplicatedAlarmEventMapper | undefined): IdentitySetting => ({
  controllerIdPadLength: mapper?.controllerIdPadLength ?? 0,
  deviceIdPadLength: mapper?.deviceIdPadLength ?? 0,
  mapDeviceIdToControllerId: mapper?.mapDeviceIdToControllerId ?? false,
});

/** The target of an order, as provisioned now. `noRoute`: its event sender was removed, or has no target. */
export function targetOf(order: SendOrder, tenant: TenantModel): Result<SendTarget, Failure<'noRoute'>> {
  const { direct, mapperId } = order;
  if (mapperId === undefined) {
    if (direct === undefined) return fail('noRoute', 'no receiver was named');
    return ok(directTarget(order, direct, tenant.domain));
  }
  const mapper = tenant.mapper(mapperId);
  const endpoint = mapper?.targetEndpoint;
  if (mapper !== undefined && order.toApplication === true && endpoint?.protocol !== 'callback')
    return applicationTarget(order, mapper, tenant);
  if (mapper === undefined || endpoint === undefined)
    return fail('noRoute', `the alarm event mapper ${mapperId} does not exist, or has no targetEndpoint`);
  const { sipAuthUser, sipAuthPassword, overrideSipFrom, terminatingTrunkGroupId, trunkKey } = endpoint;
  const own = endpoint.protocol === 'callback' ? endpoint.partnerUrl : endpoint.destAddr;
  const from = (override: string | undefined, user: string | undefined) =>
    fromOf(order, mapper, override, user, tenant.domain);
  const primary: SendAddress = {
    destination: (order.voiceOnly === true ? endpoint.defaultVoiceDestination : undefined) ?? own,
    from: from(overrideSipFrom, sipAuthUser),
    login: loginOf(sipAuthUser, sipAuthPassword),
    voiceDestination: endpoint.defaultVoiceDestination ?? order.voice.receiver,
  };
  const second = endpoint.backupEndpoint;
  const backup: SendAddress | undefined = second && {
    destination: second.backupDestAddr,
    from: from(second.backupOverrideSipFrom ?? overrideSipFrom, second.backupSipAuthUser ?? sipAuthUser),
    login: loginOf(second.backupSipAuthUser, second.backupSipAuthPassword) ?? primary.login,
    voiceDestination: second.backupDefaultVoiceDestination ?? primary.voiceDestination,
  };
  return ok({
    protocol: order.voiceOnly === true ? 'voicecall' : endpoint.protocol,
    addresses: { primary, ...(backup && { backup }) },
    mapper,
    deadlineMs: mapper.maxSessionDuration * 1000,
    headers: [
      ...(terminatingTrunkGroupId === undefined
        ? []
        : [['X-Terminating-Trunk-Group-Id', terminatingTrunkGroupId] as const]),
      ...(trunkKey === undefined ? [] : [['X-Trunk-Key', trunkKey] as const]),
    ],
    trunkGroupId: terminatingTrunkGroupId,
    voiceFrom: rewriteOf(mapper),
  });
}

function directTarget(
  order: SendOrder,
  { protocol, destAddr, username, password }: NonNullable<SendOrder['direct']>,
  domain: string,
): SendTarget {
  return {
    protocol,
    addresses: {
      primary: {
        destination: destAddr,
        from: { user: order.sipFrom ?? username ?? deviceName(order), host: domain },
        login: loginOf(username, password),
        voiceDestination: order.voice.receiver,
      },
    },
    mapper: undefined,
    deadlineMs: SENDING_SETTING.deadlineMs,
    headers: [],
    trunkGroupId: undefined,
    voiceFrom: (user) => user,
  };
}

/** An event sender without a partnerUrl of its own: the application of the bridge gets the event, as any other. */
function applicationTarget(
  order: SendOrder,
  mapper: ReplicatedAlarmEventMapper,
  tenant: TenantModel,
): Result<SendTarget, Failure<'noRoute'>> {
  const bridge = order.bridgeId === undefined ? undefined : tenant.bridge(order.bridgeId);
  if (bridge?.callbackBaseUrl === undefined)
    return fail(
      'noRoute',
      `${mapper.name} tells an application (alarmHandling), and its alarm bridge names none`,
    );
  const { callbackBaseUrl, restAuthentication } = bridge;
  return ok({
    protocol: 'callback',
    addresses: {
      primary: {
        destination: `${callbackBaseUrl.replace(/\/+$/, '')}${CALLBACK_PATH.newAlarmbridgeEvent}`,
        from: fromOf(order, mapper, undefined, undefined, tenant.domain),
        login: undefined,
        voiceDestination: order.voice.receiver,
      },
    },
    mapper,
    restAuthentication: restAuthentication ?? [],
    deadlineMs: mapper.maxSessionDuration * 1000,
    headers: [],
    trunkGroupId: undefined,
    voiceFrom: rewriteOf(mapper),
  });
}

const loginOf = (username: string | undefined, password: string | undefined): Login | undefined =>
  username === undefined || password === undefined ? undefined : { username, password };

/**
 * `Chosen:` overrideSipFrom, then useDeviceIdAsSipFrom, then the request's sipFrom, then the user we authenticate as, then
 * the device.
 */
function fromOf(
  order: SendOrder,
  mapper: ReplicatedAlarmEventMapper,
  override: string | undefined,
  authUser: string | undefined,
  domain: string,
): SendAddress['from'] {
  const host = mapper.fromDomain ?? domain;
  const [, whole, wholeHost] = /^sips?:([^@]+)@([^;>?]+)/i.exec(override ?? '') ?? [];
  if (whole !== undefined && wholeHost !== undefined) return { user: whole, host: wholeHost };
  const { deviceId } = order.event;
  const device = mapper.useDeviceIdAsSipFrom && deviceId !== undefined ? deviceId : undefined;
  return { user: override ?? device ?? order.sipFrom ?? authUser ?? deviceName(order), host };
}

const deviceName = ({ event, callingParty }: SendOrder): string =>
  callingParty === '' ? event.controllerId : callingParty;

function rewriteOf({
  voiceCallSipFromUserMatch: match,
  voiceCallSipFromUserRewrite: rewrite,
}: ReplicatedAlarmEventMapper): (user: string) => string {
  if (match === undefined || rewrite === undefined) return (user) => user;
  const compiled = compileRewrite(match, rewrite);
  return compiled.ok ? compiled.value : (user) => user;
}
