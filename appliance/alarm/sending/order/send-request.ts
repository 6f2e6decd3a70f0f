import { type AlarmEvent, codedFrom } from '#shared/alarm-event/index.ts';
import {
  bs8521IdentityFault,
  type SendAlarmEventRequest,
  type SentAlarmEvent,
} from '#shared/contract/runtime/index.ts';
import { resolveDevice } from '#shared/matching/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { ReplicatedBridge, TenantModel } from '../../../replica/index.ts';
import type { AlarmReceiver } from '../../receiver/index.ts';
import { shapedIdentity } from '../../sender/index.ts';
import { type MappingFault, mappedEvent } from './mapped-event.ts';
import type { SendOrder } from './send-order.ts';
import { identityOf } from './send-target.ts';

/** `dropped`: the event sender wants it so; there is nothing to send. */
export type AskedOrder =
  | { readonly kind: 'send'; readonly order: SendOrder }
  | { readonly kind: 'dropped'; readonly message: string };

type AskFailure = Failure<'invalid' | 'noReceiver' | 'noEventSender'>;

/** A request of an application as an order: its receiver found, its event in the product's own form. */
export function orderOf(
  said: SendAlarmEventRequest,
  tenant: TenantModel,
  receiver: AlarmReceiver,
  traceId: string,
  onFault?: (fault: MappingFault) => void,
): Result<AskedOrder, AskFailure> {
  const found =
    said.eventReceiver === undefined ? ok(undefined) : receiverOf(said.eventReceiver, tenant, receiver);
  if (!found.ok) return found;
  const { bridge, mapper } = found.value ?? { bridge: apiBridge(tenant), mapper: undefined };
  if (mapper?.alarmHandling === 'drop')
    return ok({ kind: 'dropped', message: `the event sender ${mapper.name} drops events (alarmHandling)` });
  const voiceOnly = mapper?.alarmHandling === 'voiceOnly';
  const toApplication = mapper?.alarmHandling === 'callback';
  const protocol = voiceOnly
    ? 'voicecall'
    : toApplication
      ? 'callback'
      : (mapper?.targetEndpoint?.protocol ?? said.protocol ?? 'scaip');
  const event = eventOf(said.alarmEvent, said.alarmVoiceCallbackDestination !== undefined);
  const callingParty = said.sipFrom ?? partyOf(event);
  const subject = {
    event,
    source: undefined,
    targetProtocol: protocol,
    sipFrom: callingParty,
    domain: tenant.domain,
    traceId,
  };
  const mapped = mappedEvent(mapper, subject, onFault);
  if (mapped.kind === 'drop') return ok({ kind: 'dropped', message: 'mappingRules drop the event' });
  const shaped = shapedIdentity(mapped.event, identityOf(mapper));
  const fault = protocol === 'bs8521' ? bs8521IdentityFault(shaped) : undefined;
  if (fault !== undefined)
    return fail('invalid', `/alarmEvent/${fault.field}: ${fault.reason}`, `/alarmEvent/${fault.field}`);
  const both = said.toneSettings?.dtmfSendType ?? 'inaudio';
  const { sendAlarmStringDelay, resendAlarmInterval } = said.protocolParameters ?? {};
  const device = resolveDevice(tenant, {
    identity: {
      controllerId: said.alarmEvent.controllerId,
      deviceId: said.alarmEvent.deviceId,
      customerSiteId: said.alarmEvent.customerSiteId ?? bridge?.customerSiteId,
    },
    callingParty: said.sipFrom,
    resolveDeviceFromDeviceCLI: bridge?.resolveDeviceFromDeviceCLI ?? false,
  });
  const { alarmVoiceCallbackDestination: voice, callbackSipFrom, defaultEmergencyDestination } = said;
  const direct = mapper === undefined ? directOf(said) : undefined;
  const ofDevice = device?.serviceData?.alarmBridge?.voiceDestination;
  return ok({
    kind: 'send',
    order: {
      event: shaped,
      ...(bridge !== undefined && { bridgeId: bridge.id }),
      ...(mapper !== undefined && { mapperId: mapper.id }),
      ...(voiceOnly && { voiceOnly }),
      ...(toApplication && { toApplication }),
      ...(direct !== undefined && { direct }),
      callingParty,
      ...(said.sipFrom !== undefined && { sipFrom: said.sipFrom }),
      ...(device !== undefined && { deviceId: device.deviceId }),
      voice: {
        ...(voice !== undefined && { destination: voice }),
        ...(ofDevice !== undefined && { ofDevice }),
        ...(callbackSipFrom !== undefined && { fromUser: callbackSipFrom }),
        ...(defaultEmergencyDestination !== undefined && { receiver: defaultEmergencyDestination }),
        transparent: said.toneHandler === 'transparent',
        tones: {
          towardsReceiver: said.toneSettings?.calleeDtmfSendType ?? both,
          towardsDevice: said.toneSettings?.callerDtmfSendType ?? both,
        },
      },
      ...(resendAlarmInterval !== undefined && { resendAlarmMs: resendAlarmInterval }),
      ...(sendAlarmStringDelay !== undefined && { stringDelayMs: sendAlarmStringDelay }),
    },
  });
}

function receiverOf(eventReceiver: string, tenant: TenantModel, receiver: AlarmReceiver) {
  // One without an event sender is found only where no other is, so that the answer names what it lacks.
  const matched = receiver.bridgeFor(eventReceiver, 'event') ?? receiver.anyBridge(eventReceiver);
  const bridge = matched && tenant.bridge(matched.id);
  if (bridge === undefined)
    return fail('noReceiver', `no alarm bridge matches the eventReceiver ${eventReceiver}`, '/eventReceiver');
  const mapper =
    bridge.alarmEventMapperId === undefined ? undefined : tenant.mapper(bridge.alarmEventMapperId);
  const needsTarget = mapper?.alarmHandling === 'forward' || mapper?.alarmHandling === 'voiceOnly';
  if (mapper === undefined || (mapper.targetEndpoint === undefined && needsTarget))
    return fail(
      'noEventSender',
      `the alarm bridge ${bridge.name} has no event sender with a target; set its alarmEventMapperId`,
      '/eventReceiver',
    );
  return ok({ bridge, mapper });
}

/**
 * `Chosen:` without an eventReceiver the result goes to the application of the bridge of protocol `api`, the one of lowest
 * order; without such a bridge a failure is an alarm of the platform.
 */
function apiBridge({ bridges }: TenantModel): ReplicatedBridge | undefined {
  return bridges
    .filter(({ protocol }) => protocol === 'api')
    .toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1))[0];
}

/** The sentence of the answer: how the event goes out, and which application hears of the outcome. */
export function acceptedText(protocol: string, order: SendOrder, tenant: TenantModel): string {
  const sent = `the event is stored and goes out by ${protocol}`;
  const bridge = order.bridgeId === undefined ? undefined : tenant.bridge(order.bridgeId);
  if (bridge?.callbackBaseUrl !== undefined)
    return `${sent}; alarmSent or alarmSendFailure goes to the application of alarm bridge ${bridge.name} (${bridge.id})`;
  const lacks =
    bridge === undefined
      ? 'the tenant has no alarm bridge of protocol api'
      : `alarm bridge ${bridge.name} (${bridge.id}) has no callbackBaseUrl`;
  return `${sent}; success is not reported, because ${lacks}; a failure is a platform alarm`;
}

function directOf({ protocol, destAddr, username, password }: SendAlarmEventRequest): SendOrder['direct'] {
  if (protocol === undefined || destAddr === undefined) return undefined;
  return {
    protocol,
    destAddr,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}

function eventOf(said: SentAlarmEvent, isCalled: boolean): AlarmEvent {
  const { deviceType, statusCode, location, deviceComponent, systemConfig, audio } = said;
  return {
    controllerId: said.controllerId,
    ...(said.deviceId !== undefined && { deviceId: said.deviceId }),
    deviceType: codedFrom('deviceType', deviceType),
    statusCode:
      statusCode === undefined
        ? { native: null, send: null, receive: null }
        : codedFrom('statusCode', statusCode),
    ...(location !== undefined && { location: codedFrom('location', location) }),
    ...(deviceComponent !== undefined && { deviceComponent: codedFrom('deviceComponent', deviceComponent) }),
    ...(systemConfig !== undefined && { systemConfig: codedFrom('systemConfig', systemConfig) }),
    audio: audio ?? (isCalled ? 'duplex' : 'none'),
    priority: said.priority,
    ...(said.callerId !== undefined && { callerId: said.callerId }),
    ...(said.customerSiteId !== undefined && { customerSiteId: said.customerSiteId }),
  };
}

const partyOf = ({ controllerId, deviceId }: AlarmEvent): string =>
  deviceId === undefined ? controllerId : `${controllerId}:${deviceId}`;
