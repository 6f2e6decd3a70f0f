import { addressUserOf } from '#shared/address-user.ts';
import { cliKey, leavesChoice } from '#shared/matching/index.ts';
import type { CallControl, ReceivedCall } from '../../call/control/index.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import { ReportMemory } from '../../kernel/report-memory.ts';
import type { MediaPorts } from '../../media/control/index.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { ProfileTables } from '../profile/index.ts';
import { type AlarmReceiver, isAlarmDevice, protocolFor, provesItself } from '../receiver/index.ts';
import type { ActiveAlarm } from '../receiving/active-alarm.ts';
import type { DeviceReply } from '../receiving/adapter/device-reply.ts';
import type { AlarmSessions } from '../receiving/alarm-sessions.ts';
import { VOICE_BRIDGE } from '../receiving/current-receiver.ts';
import type { AlarmVoice } from './alarm-voice.ts';
import { placeCallbacks } from './callback-call.ts';
import type { CallAudit, DeviceCallHandler } from './device-call.ts';
import { MessageAlarmCalls } from './message-alarm-calls.ts';
import { ReceiverCall } from './receiver-call.ts';

/** Sends each call to an alarm bridge, and each call of a device whose alarm waits for one, to whoever takes it. */
export function takeReceiverCalls(
  ports: KernelPorts & TenantPorts & MediaPorts,
  dependencies: {
    readonly calls: CallControl;
    readonly tone: DeviceCallHandler;
    readonly nowip: DeviceCallHandler & {
      waits(bridgeId: string, fromUser: string): boolean;
      sources(bridgeId: string, fromUser: string): readonly string[];
    };
    readonly alarmSessions: AlarmSessions;
    readonly voice: AlarmVoice;
    readonly receiver: () => AlarmReceiver;
    readonly profiles: ProfileTables;
    /** Names of the adapters whose devices call after their alarm by MESSAGE, but for NOW-IP. */
    readonly byMessage: readonly string[];
    readonly audit: CallAudit;
    readonly alarms: Pick<PlatformAlarms, 'raise'>;
    readonly reply: Pick<DeviceReply, 'replyPathFrom'>;
  },
): void {
  const { calls, alarmSessions, voice, profiles, byMessage, audit } = dependencies;
  const tone = audit.recorded(dependencies.tone);
  const nowip = audit.recorded(dependencies.nowip);
  const message = new MessageAlarmCalls(ports, {
    alarmSessions,
    voice,
    profiles,
    byMessage,
    otherwise: dependencies.tone,
  });
  const messages = audit.recorded(message);
  const replyPathFrom = (user: string, address: string) => dependencies.reply.replyPathFrom(user, address);
  // A device that has left the person of its list is called back in whatever protocol it has called.
  const takes = (known: ActiveAlarm): DeviceCallHandler =>
    known.session.list === undefined ? messages : audit.recorded(message.of(known));
  placeCallbacks(ports, { calls, alarmSessions, voice, takes, replyPathFrom });

  calls.takeReceivedBy(({ call, bridgeId, request, flow, caller }: ReceivedCall) => {
    const bridge = ports.tenant().bridge(bridgeId);
    if (bridge === undefined) {
      call.input({ kind: 'refuse', status: 480, text: 'the alarm bridge was deleted' });
      return;
    }
    const facts = {
      bridge,
      fromUser: call.origin.user,
      calledParty: addressUserOf(request.uriText),
      sourceIp: flow.remoteAddress,
      deviceId: caller.kind === 'device' ? caller.deviceId : undefined,
      trunkId: caller.kind === 'trunk' ? caller.trunkId : undefined,
      isProven: caller.kind !== 'device' || provesItself(ports.tenant().byId(caller.deviceId)),
    };
    const receiver = new ReceiverCall(call, facts, {
      targets: (destination) => calls.targetsTo(call, destination),
      turn: (work) => calls.turn(work),
    });
    const speaks = protocolFor(bridge, dependencies.receiver().sender(bridge, facts), 'message');
    // Where nothing is provisioned, what the device has said before its call tells.
    const isOfNowIp =
      isNowIp(speaks) || (leavesChoice(bridge) && dependencies.nowip.waits(bridgeId, facts.fromUser));
    const takes = isOfNowIp ? nowip : speaks !== undefined && byMessage.includes(speaks) ? messages : tone;
    receiver.begin(takes);
  });

  // A number that a person has dialled wrongly is no alarm; a device of alarms whose call reaches no receiver may have
  // one.
  const reports = new ReportMemory();
  calls.unanswered.add((request, caller, flow) => {
    const tenant = ports.tenant();
    const sipFrom = addressUserOf(request.from.uriText);
    const called = addressUserOf(request.uriText);
    const device = caller.kind === 'device' ? tenant.byId(caller.deviceId) : tenant.byCli(cliKey(sipFrom));
    if (device === undefined || !isAlarmDevice(device)) return;
    if (!reports.report('noReceiver', `${device.deviceId} ${called}`, ports.clock.monoMs())) return;
    const reason = `a call of an alarm device to "${called}" found no receiver; provision an alarm bridge of its protocol whose destinationMatch finds "${called}"`;
    const errorDetails = { reason, sipFrom, sourceIp: flow.remoteAddress };
    const { deviceId } = device;
    dependencies.alarms.raise({ type: 'serviceAlarm', error: 'noReceiver', errorDetails, deviceId });
  });

  calls.claimedBy((request, caller) => {
    const fromUser = addressUserOf(request.from.uriText);
    const called = addressUserOf(request.uriText);
    const deviceId = caller.kind === 'device' ? caller.deviceId : undefined;
    const known = message.waiting(deviceId, fromUser);
    if (known === undefined) {
      const displaced = message.displaced(deviceId);
      if (displaced !== undefined)
        return { route: toBridge(displaced.facts.bridgeId), onlyFrom: [displaced.facts.sourceIp] };
      // BS 8521-2: message and call of an alarm have the same identity.
      const waits = ({ id }: { readonly id: string }) => dependencies.nowip.waits(id, fromUser);
      const its = dependencies.receiver().bridgeFor(called, 'call', { reads: waits });
      return (
        its && { route: toBridge(its.id), ...strictly(its.id, dependencies.nowip.sources(its.id, fromUser)) }
      );
    }
    const { emergencyDestination } = known.session.setting;
    const its =
      called === VOICE_BRIDGE ||
      dependencies.receiver().anyBridge(called, ({ id }) => id === known.facts.bridgeId) !== undefined ||
      (emergencyDestination !== undefined && called === addressUserOf(emergencyDestination));
    const near = voice.nearOf(known);
    const { bridgeId } = known.facts;
    const only = strictly(bridgeId, message.sources(deviceId, fromUser));
    return its ? { route: toBridge(bridgeId), near, ...only } : undefined;
  });

  /** The rule of a bridge for callers without a secret: `strict` lets in callers from the address of an alarm only. */
  function strictly(bridgeId: string, sources: readonly string[]): { readonly onlyFrom?: readonly string[] } {
    return ports.tenant().bridge(bridgeId)?.voiceCallSource === 'strict' ? { onlyFrom: sources } : {};
  }
}

const toBridge = (id: string) => ({ kind: 'receiver', id, user: '' }) as const;

const isNowIp = (protocol: string | undefined): boolean =>
  protocol === 'nowip' || protocol === 'nowipcontroller';
