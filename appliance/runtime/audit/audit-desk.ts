import { type AuditRecordingReady, CALLBACK_PATH } from '#shared/contract/callback/index.ts';
import { uuid } from '#shared/id.ts';
import { type VconFacts, type VconParty, vconOf } from '../../media/recording/index.ts';
import type { CaseFacts } from '../alarm-case.ts';
import type { AlarmDesk } from '../alarm-desk.ts';
import { bridgeDestination, type DeliveryDesk } from '../delivery-desk.ts';
import type { PlatformAlarmDesk } from '../platform-alarm-desk.ts';
import type { RuntimePorts } from '../port.ts';
import type { EndedRecording, LiveRecording, Sound } from '../sound/index.ts';
import type { AlarmVoiceDesk, DeviceCall, DeviceCallDesk, DeviceCallUser } from '../voice/index.ts';
import { AuditRecording, CENTRE, DEVICE } from './audit-recording.ts';

export interface AuditParts {
  /** Absent: this appliance records nothing. */
  readonly sound: Pick<Sound, 'record'> | undefined;
  readonly desk: AlarmDesk;
  readonly voice: AlarmVoiceDesk;
  readonly delivery: DeliveryDesk;
  readonly alarms: PlatformAlarmDesk;
}

/** A call that is being recorded. */
interface Audit {
  readonly call: DeviceCall;
  readonly recording: AuditRecording;
  readonly live: LiveRecording;
  /** Of the first alarm of the call. */
  facts: CaseFacts | undefined;
  /** Whom the device was joined with last. */
  centre: string | undefined;
}

/**
 * Records calls of alarms for audit (`auditRecording` of a bridge): from the answer to the end, the device on one channel and
 * the people on the other, with every digit that passed. `/auditRecordingReady` follows once the file is there.
 */
export class AuditDesk {
  readonly #ports: RuntimePorts;
  readonly #parts: AuditParts;

  constructor(ports: RuntimePorts, parts: AuditParts) {
    this.#ports = ports;
    this.#parts = parts;
  }

  /** Whoever takes calls, with those recorded whose bridge asks for it. */
  recorded(takes: DeviceCallDesk): DeviceCallDesk {
    return {
      incoming: (call) => {
        const user = takes.incoming(call);
        return call.bridge.auditRecording ? this.#watched(call, user) : user;
      },
    };
  }

  #watched(call: DeviceCall, user: DeviceCallUser): DeviceCallUser {
    let audit: Audit | undefined;
    const then = <Given extends readonly unknown[]>(
      tell: (...given: Given) => void,
      work: (audit: Audit, ...given: Given) => void,
    ) => {
      return (...given: Given): void => {
        tell(...given);
        if (audit === undefined) return;
        audit.facts ??= this.#factsOf(call);
        work(audit, ...given);
      };
    };
    return {
      answered: () => {
        audit = this.#begin(call);
        user.answered();
      },
      heard: (event) => {
        if (audit !== undefined) audit.recording.heard(event, this.#ports.clock.wallMs());
        user.heard(event);
        if (audit !== undefined) audit.facts ??= this.#factsOf(call);
      },
      joined: then(
        () => user.joined(),
        (of) => {
          of.centre = call.peerAddress;
          of.live.change([[call.leg], call.peer === undefined ? [] : [call.peer]]);
        },
      ),
      left: then(
        (reason: string) => user.left(reason),
        ({ live }) => live.change([[call.leg], []]),
      ),
      ended: (reason) => {
        if (audit !== undefined) audit.facts ??= this.#factsOf(call);
        audit?.live.stop();
        user.ended(reason);
      },
    };
  }

  #begin(call: DeviceCall): Audit | undefined {
    const startMs = this.#ports.clock.wallMs();
    const recording = new AuditRecording(call.leg, startMs);
    const recordingId = uuid(this.#ports.random(16));
    let audit: Audit | undefined;
    const begun = this.#parts.sound?.record({
      recordingId,
      fileName: `audit-${recordingId}.wav`,
      channels: [[call.leg], []],
      layout: 'perSide',
      of: 'heard',
      report: { sessionId: call.id, connectionId: recordingId, traceId: call.trace.traceId },
      onEnded: (ended) => {
        if (audit !== undefined) this.#ended(audit, ended);
      },
    });
    if (begun?.ok !== true) {
      const reason = begun?.error.reason ?? 'this appliance records nothing';
      this.#failed(call, undefined, reason);
      return undefined;
    }
    call.onSaid = (tones, form) => recording.said(tones, form, this.#ports.clock.wallMs());
    audit = { call, recording, live: begun.value, facts: undefined, centre: undefined };
    return audit;
  }

  /** The alarm of the call, while it runs. */
  #factsOf(call: DeviceCall): CaseFacts | undefined {
    const { desk, voice } = this.#parts;
    for (const { conversation, facts } of desk.running) if (voice.callOf(conversation) === call) return facts;
    return undefined;
  }

  #ended(audit: Audit, ended: EndedRecording): void {
    const { call, facts } = audit;
    const [file] = ended.files;
    if (ended.event === 'recordingFailed') this.#failed(call, facts, ended.reason ?? 'failed');
    // What there is of a recording that broke off is worth having.
    if (file === undefined || call.bridge.callbackBaseUrl === undefined) return;
    const { place, tenant, random, run, journal } = this.#ports;
    const { domain } = tenant();
    const traceId = facts?.traceId ?? call.trace.traceId;
    const sessionId = facts?.sessionId ?? call.id;
    const body: AuditRecordingReady = {
      sessionId,
      ivrServer: place.address,
      domain,
      event: 'auditRecordingReady',
      vCon: vconOf(this.#vcon(audit, ended, file, sessionId)) as unknown as AuditRecordingReady['vCon'],
      traceId,
      httpTransactionId: uuid(random(16)),
    };
    const { delivery } = this.#parts;
    const row = delivery.row({
      lane: 'svc',
      dest: bridgeDestination(call.bridge.id),
      orderKey: sessionId,
      type: 'auditRecordingReady',
      call: {
        traceId,
        path: CALLBACK_PATH.auditRecordingReady,
        headers: {},
        body: JSON.stringify(body),
        eventSeq: 1,
        shape: 'default',
      },
      state: 'new',
      late: false,
    });
    run(journal.commit([{ kind: 'outbox', row }]).finally(() => delivery.queued(row)));
  }

  #vcon(
    { call, recording, facts, centre }: Audit,
    ended: EndedRecording,
    file: EndedRecording['files'][number],
    sessionId: string,
  ): VconFacts {
    const { place, random, tenant } = this.#ports;
    const { domain } = tenant();
    const name = facts?.deviceId ?? call.fromUser;
    const device: VconParty = {
      name,
      uuid: uuid(random(16)),
      type: 'device',
      sip: `sip:${call.fromUser}@${domain}`,
    };
    const people: VconParty = {
      name: centre ?? call.calledParty,
      uuid: uuid(random(16)),
      type: 'operator',
      sip: sipOf(centre ?? call.calledParty, domain),
    };
    const base = place.siteBaseUrl.replace(/\/+$/, '');
    return {
      uuid: uuid(random(16)),
      subject: `alarm session ${sessionId}`,
      createdAtMs: this.#ports.clock.wallMs(),
      parties: [device, people],
      dialogs: [
        {
          uuid: ended.recordingId,
          startMs: recording.startMs,
          durationMs: ended.durationMs,
          parties: [DEVICE, CENTRE],
          originator: call.side === 'caller' ? DEVICE : CENTRE,
          label: ended.degraded || ended.event === 'recordingFailed' ? 'incomplete' : 'audit',
          file: file.fileName,
          url: `${base}/mediaservice/${domain}/promptfile/${encodeURIComponent(file.fileName)}`,
          sha256: Buffer.from(file.sha256, 'hex'),
          digits: recording.digits,
        },
      ],
    };
  }

  /** Whoever must be able to prove what was said has to know that he cannot. */
  #failed(call: DeviceCall, facts: CaseFacts | undefined, reason: string): void {
    call.trace.add('note', { text: `the audit recording failed: ${reason}` });
    this.#parts.alarms.raise(
      {
        type: 'serviceAlarm',
        error: 'auditRecordingFailed',
        errorDetails: { reason: `the call of ${call.fromUser} is not recorded, or not all of it: ${reason}` },
        alarmBridgeId: call.bridge.id,
        ...(facts !== undefined && { sessionId: facts.sessionId }),
      },
      facts?.traceId ?? call.trace.traceId,
    );
  }
}

const sipOf = (destination: string, domain: string): string =>
  /^sips?:/i.test(destination) ? destination : `sip:${destination.replace(/^tel:/i, '')}@${domain}`;
