import type { AlarmEvent } from '#shared/alarm-event/index.ts';
import { fail, ok } from '#shared/result.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { LegId } from '../../media/control/index.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { ReceiverBridge } from '../receiver/index.ts';
import type { ActiveAlarm } from '../receiving/active-alarm.ts';
import type { Forward, ForwardDecision, ForwardOutcome } from '../receiving/alarm-forward.ts';
import type { AlarmSessions } from '../receiving/alarm-sessions.ts';
import { VOICE_BRIDGE } from '../receiving/current-receiver.ts';
import type { EventForwarding } from '../receiving/event-forwarding.ts';
import type { SupervisionChange } from '../receiving/heartbeat-supervision.ts';
import { shapedIdentity } from '../sender/index.ts';
import type { SessionEffect } from '../session/index.ts';
import type { AlarmVoice, DeviceCall } from '../voice/index.ts';
import type { MappingFaults } from './mapping-faults.ts';
import { mappedEvent } from './order/mapped-event.ts';
import type { SendOrder } from './order/send-order.ts';
import { identityOf } from './order/send-target.ts';
import type { SendingInfo } from './session/active-sending.ts';
import type { SendingOutcome } from './session/sending-port.ts';
import type { SendingSessions } from './session/sending-sessions.ts';
import type { SpeechRelays } from './speech/speech-relays.ts';
import type { TalkDevice } from './speech/talk-device.ts';

type Ports = KernelPorts & TenantPorts;

type Stored = SessionEffect & { readonly type: 'store' };

export interface ForwardingDependencies {
  readonly sending: SendingSessions;
  readonly talks: SpeechRelays;
  readonly alarmSessions: AlarmSessions;
  readonly voice: AlarmVoice;
  readonly alarms: PlatformAlarms;
  readonly faults: Pick<MappingFaults, 'report'>;
}

const NOTHING = { writes: [], begin: () => undefined, targetProtocol: undefined } as const;

/**
 * Sends alarms of devices on, by the event sender of their bridge (provisioning document 2.3, `alarmHandling`): the receiver
 * decides what becomes of the device, as an application would.
 */
export class Forwarding implements EventForwarding {
  readonly #ports: Ports;
  readonly #dependencies: ForwardingDependencies;
  /** Callers that wait for the outcome of a sending session. */
  readonly #waiting = new Map<string, (decision: ForwardOutcome) => void>();
  /** Conversations whose people are at the receiver. */
  readonly #joins = new Set<string>();
  #orders = 0;

  constructor(ports: Ports, dependencies: ForwardingDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    dependencies.sending.settled.add((facts, outcome) => this.#outcome(facts, outcome));
    dependencies.voice.joinReceiversBy({
      join: (conversation, call, destination) => this.#join(conversation, call, destination),
      legOf: (sessionId) => dependencies.talks.receiverLeg(sessionId),
    });
    dependencies.voice.deviceLost.add((conversation) => this.#deviceLost(conversation));
  }

  /** Whether events of this bridge are sent on, and their devices wait for the receiver. */
  forwards(bridge: ReceiverBridge): boolean {
    const { alarmEventMapperId: id } = bridge;
    return id !== undefined && this.#ports.tenant().mapper(id)?.alarmHandling !== 'callback';
  }

  /** @returns undefined when the bridge has no event sender, or when its application gets the event (`callback`) */
  prepare(known: ActiveAlarm, stored: Stored): Forward | undefined {
    const { bridge } = known;
    if (bridge === undefined || !this.forwards(bridge)) return undefined;
    const mapper = this.#ports.tenant().mapper(bridge.alarmEventMapperId ?? '');
    if (mapper === undefined)
      return this.#lost(known, `the alarm event mapper of ${bridge.name} was deleted`);
    if (mapper.alarmHandling === 'drop') return decided({ action: 'drop' });
    const voiceOnly = mapper.alarmHandling === 'voiceOnly';
    if (voiceOnly && stored.event.audio === 'none')
      return this.#lost(
        known,
        'the event sender only speaks (voiceOnly), and this event comes without speech',
      );
    const protocol = voiceOnly ? 'voicecall' : mapper.targetEndpoint?.protocol;
    if (protocol === undefined)
      return this.#lost(known, `the alarm event mapper ${mapper.name} has no target`);
    const { facts, trace } = known;
    const { faults } = this.#dependencies;
    const subject = {
      event: this.#sendable(known, stored.event),
      source: stored.source,
      targetProtocol: protocol,
      sipFrom: facts.sipFrom,
      domain: this.#ports.tenant().domain,
      traceId: facts.traceId,
    };
    const mapped = mappedEvent(mapper, subject, (fault) => {
      trace.add('note', { text: `mappingRules were not applied: ${fault.reason}` });
      faults.report(fault, facts.traceId);
    });
    if (mapped.kind === 'drop') {
      trace.add('note', { text: 'mappingRules drop the event: it is not sent' });
      return decided({ action: 'drop' });
    }
    const prepared = this.#dependencies.sending.prepare(this.#order(known, stored, mapped.event, voiceOnly), {
      traceId: facts.traceId,
    });
    if (!prepared.ok) return this.#lost(known, prepared.error.reason);
    const { sessionId } = prepared.value.facts;
    trace.add('note', { text: `the event goes on to ${mapper.name} by ${protocol} as session ${sessionId}` });
    let settled: ForwardOutcome | undefined;
    this.#waiting.set(sessionId, (decision) => {
      settled = decision;
    });
    return {
      writes: prepared.value.writes,
      begin: () => prepared.value.begin(),
      decided: (tell) => {
        if (settled === undefined) this.#waiting.set(sessionId, tell);
        else tell(settled);
      },
      targetProtocol: protocol,
    };
  }

  /** A supervised device fell silent or came back: the receiver of its alarms gets an event. */
  supervised({ bridgeId, deviceId, event, source }: SupervisionChange, traceId: string): void {
    const tenant = this.#ports.tenant();
    const bridge = tenant.bridge(bridgeId);
    const mapper = tenant.mapper(bridge?.alarmEventMapperId ?? '');
    if (mapper?.alarmHandling !== 'forward' || mapper.targetEndpoint === undefined) return;
    const { domain } = tenant;
    const targetProtocol = mapper.targetEndpoint.protocol;
    const subject = { event, source, targetProtocol, sipFrom: deviceId, domain, traceId };
    const mapped = mappedEvent(mapper, subject, (fault) => this.#dependencies.faults.report(fault, traceId));
    if (mapped.kind === 'drop') return;
    const order: SendOrder = {
      event: shapedIdentity(mapped.event, identityOf(mapper)),
      source,
      bridgeId,
      mapperId: mapper.id,
      callingParty: deviceId,
      deviceId,
      voice: { transparent: false, tones: { towardsReceiver: 'inaudio', towardsDevice: 'inaudio' } },
    };
    this.#ports.run(
      this.#dependencies.sending.accept(order, { traceId }).then((taken) => {
        if (!taken.ok) this.#notSent(taken.error.reason, { alarmBridgeId: bridgeId, deviceId }, traceId);
      }),
    );
  }

  /** The event cannot be said: the device of a forwarded alarm is joined with this person. False: no device waits. */
  callInstead({ sessionId }: SendingInfo, destination: string): boolean {
    const resolve = this.#waiting.get(sessionId);
    this.#waiting.delete(sessionId);
    resolve?.(ok({ action: 'callEmergencyCenter', destination }));
    return resolve !== undefined;
  }

  /** Audio of the device of an alarm, when it is on the line. */
  readonly deviceLeg = (alarmSessionId: string | undefined): LegId | undefined => {
    const { alarmSessions, voice } = this.#dependencies;
    const known = alarmSessionId === undefined ? undefined : alarmSessions.bySession(alarmSessionId);
    return known && voice.callOf(known.conversation)?.leg;
  };

  readonly command = (alarmSessionId: string, command: Parameters<TalkDevice['command']>[0]): void => {
    const known = this.#dependencies.alarmSessions.bySession(alarmSessionId);
    const id = `receiver ${++this.#orders}`;
    if (known !== undefined)
      this.#dependencies.alarmSessions.input(known.conversation, { type: 'command', id, command });
  };

  #order(known: ActiveAlarm, { source }: Stored, event: AlarmEvent, voiceOnly: boolean): SendOrder {
    const { facts, bridge } = known;
    const tenant = this.#ports.tenant();
    const mapper = tenant.mapper(bridge?.alarmEventMapperId ?? '');
    const settings = bridge !== undefined && 'toneSettings' in bridge ? bridge.toneSettings : undefined;
    const voiceDestination = tenant.byId(facts.deviceId ?? '')?.serviceData?.alarmBridge?.voiceDestination;
    const both = settings?.dtmfSendType ?? 'inaudio';
    return {
      event: shapedIdentity(event, identityOf(mapper)),
      source,
      bridgeId: facts.bridgeId,
      ...(mapper !== undefined && { mapperId: mapper.id }),
      ...(voiceOnly && { voiceOnly }),
      callingParty: facts.sipFrom,
      ...(facts.deviceId !== undefined && { deviceId: facts.deviceId }),
      voice: {
        ...(voiceDestination !== undefined && { destination: voiceDestination }),
        transparent: false,
        tones: {
          towardsReceiver: settings?.calleeDtmfSendType ?? both,
          towardsDevice: settings?.callerDtmfSendType ?? both,
        },
      },
      alarmSessionId: facts.sessionId,
    };
  }

  /** A value that a person has set for the device is sent in the target's words, and not in the device's own. */
  #sendable({ facts }: ActiveAlarm, event: AlarmEvent): AlarmEvent {
    const set = this.#ports.tenant().byId(facts.deviceId ?? '')?.serviceData
      ?.alarmBridge?.overrideInAlarmEvent;
    const fields = ['deviceType', 'statusCode', 'location', 'deviceComponent', 'systemConfig'] as const;
    const changed = fields.flatMap((field) =>
      set?.[field] === undefined || event[field] === undefined
        ? []
        : [[field, { ...event[field], native: null }]],
    );
    return { ...event, ...Object.fromEntries(changed) };
  }

  /** Nothing can be sent: the device's fallback acts, and a person is notified. */
  #lost({ facts }: ActiveAlarm, reason: string): Forward {
    return {
      ...NOTHING,
      begin: () => {
        const { sessionId, bridgeId: alarmBridgeId, deviceId } = facts;
        this.#notSent(reason, { sessionId, alarmBridgeId, ...(deviceId && { deviceId }) }, facts.traceId);
      },
      decided: (tell) => tell(fail('notForwarded', reason)),
    };
  }

  #notSent(
    reason: string,
    whose: { readonly sessionId?: string; readonly alarmBridgeId: string; readonly deviceId?: string },
    traceId: string,
  ): void {
    const body = { type: 'serviceAlarm', error: 'alarmNotSent', errorDetails: { reason }, ...whose } as const;
    this.#dependencies.alarms.raise(body, traceId);
  }

  #outcome({ sessionId }: SendingInfo, outcome: SendingOutcome): void {
    const resolve = this.#waiting.get(sessionId);
    this.#waiting.delete(sessionId);
    if (outcome.kind === 'failed')
      resolve?.(fail('notForwarded', `the receiver did not take it: ${outcome.reason}`));
    else if (outcome.speech.kind === 'none' || outcome.speech.kind === 'await')
      resolve?.(ok({ action: 'drop' }));
    else
      resolve?.(
        ok({
          action: 'callEmergencyCenter',
          destination: `sip:${VOICE_BRIDGE}@${this.#ports.tenant().domain}`,
        }),
      );
  }

  /** The device is on the line: its people are at the receiver. */
  #join(conversation: string, call: DeviceCall, destination: string): boolean {
    const known = this.#dependencies.alarmSessions.caseOf(conversation);
    // Our own voice bridge is not called: the receiver that has taken the alarm stands behind it.
    if (known === undefined || destination !== this.#bridge) return false;
    const { voice, talks, sending } = this.#dependencies;
    const { facts } = known;
    const device: TalkDevice = {
      leg: call.leg,
      protocol: facts.protocol,
      command: () => undefined,
      joined: () => voice.joined(conversation),
      left: (reason, hasHungUp) => voice.left(conversation, reason, hasHungUp),
      clear: () => undefined,
    };
    this.#joins.add(conversation);
    sending.turn(() => {
      if (!talks.join(facts.sessionId, device))
        voice.unreached(conversation, 'the receiver that has taken the alarm is not on the line any more');
    });
    return true;
  }

  get #bridge(): string {
    return `sip:${VOICE_BRIDGE}@${this.#ports.tenant().domain}`;
  }

  #deviceLost(conversation: string): void {
    if (!this.#joins.delete(conversation)) return;
    const known = this.#dependencies.alarmSessions.caseOf(conversation);
    const id = known?.facts.sessionId;
    if (id !== undefined) this.#dependencies.sending.turn(() => this.#dependencies.talks.deviceLost(id));
  }
}

const decided = (decision: ForwardDecision): Forward => ({
  ...NOTHING,
  decided: (tell) => tell(ok(decision)),
});
