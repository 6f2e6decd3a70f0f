import {
  type ActiveCall,
  bridgeDialPlan,
  type CallControl,
  type PlacedCall,
} from '../../call/control/index.ts';
import type { CallProgress } from '../../call/session/index.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import { SessionTrace } from '../../kernel/session-trace.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { ActiveAlarm } from '../receiving/active-alarm.ts';
import type { DeviceReplyPath } from '../receiving/adapter/device-reply.ts';
import type { AlarmSessions } from '../receiving/alarm-sessions.ts';
import type { AlarmVoice } from './alarm-voice.ts';
import type { DeviceCallHandler } from './device-call.ts';
import { ReceiverCall } from './receiver-call.ts';

/** Chosen: a device answers by itself, at once; the session calls again after a while when it did not. */
const RING_MS = 30_000;

/** Calls devices that want to be called (SCAIP `cha`); who answers is the device, and its alarm has its call. */
export function placeCallbacks(
  ports: KernelPorts & TenantPorts,
  dependencies: {
    readonly calls: CallControl;
    readonly alarmSessions: AlarmSessions;
    readonly voice: AlarmVoice;
    readonly takes: (known: ActiveAlarm) => DeviceCallHandler;
    /** The way the latest request of a device came from this address. */
    readonly replyPathFrom: (
      user: string,
      address: string,
    ) => Pick<DeviceReplyPath, 'device' | 'flow'> | undefined;
  },
): void {
  const { calls, alarmSessions, voice, takes, replyPathFrom } = dependencies;

  voice.callDevicesBy((known, destination) => {
    const { conversation, bridge, facts } = known;
    if (bridge === undefined) {
      alarmSessions.input(conversation, { type: 'voiceFailed', reason: 'the alarm bridge was deleted' });
      return;
    }
    const plan = bridgeDialPlan(bridge, ports.tenant().byId(facts.deviceId ?? '')?.trunkGroupId);
    const user = facts.deviceId ?? facts.sipFrom;
    const { sourceIp: address } = facts;
    const replyPath = destination === undefined ? replyPathFrom(facts.sipFrom, address) : undefined;
    // The answer goes to where the alarm came from; by the number it is provisioned with, where nothing is registered there.
    const groups = calls.answering(user, { address, replyPath }, plan);
    const text = `${user} is not registered where its alarm came from, and the reply path of the alarm is closed`;
    const found =
      groups.length > 0 || destination === undefined
        ? { found: { groups, unreached: { status: 480, text } } }
        : {};
    let answered = false;
    const begin = (): void => {
      if (alarmSessions.caseOf(conversation) !== known) {
        call.input({ kind: 'hangUp' });
        return;
      }
      answered = true;
      // The appliance has called it where its alarm came from.
      const { calledParty, sourceIp } = facts;
      const called = { bridge, fromUser: user, calledParty, sourceIp, isProven: true };
      new ReceiverCall(
        call,
        { ...called, deviceId: facts.deviceId },
        { targets: (to) => calls.targetsTo(call, to), turn: (work) => calls.turn(work) },
      ).begin(takes(known), true);
    };
    const wanted: PlacedCall = {
      destination: destination ?? user,
      ...found,
      origin: originFor(known, ports.tenant().domain),
      plan,
      trace: new SessionTrace(facts.traceId, ports.traceMs),
      setting: { purpose: 'alarm', keepsCaller: true, endsSilent: false, ringMs: RING_MS },
      onProgress: (progress: CallProgress) => {
        if (progress.kind === 'attended') begin();
        else if (progress.kind === 'over' && !answered)
          alarmSessions.input(conversation, { type: 'voiceFailed', reason: progress.reason.text });
      },
    };
    const call: ActiveCall = calls.place(wanted);
  });
}

/** The device sees who called it as the receiver it sent its alarm to. */
const originFor = ({ facts }: ActiveAlarm, domain: string): PlacedCall['origin'] => ({
  display: '',
  user: facts.calledParty,
  host: domain,
  hidden: false,
  trusted: false,
  fields: [],
  hopsLeft: 70,
});
