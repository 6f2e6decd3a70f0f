import { type AuditRecordingReady, CALLBACK_PATH } from '#shared/contract/callback/index.ts';
import { uuid } from '#shared/id.ts';
import type { EndedRecording, LiveRecording, Sound } from '../../call/sound/index.ts';
import { bridgeDestination, type DeliveryService } from '../../delivery/delivery-service.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { MediaEvent } from '../../media/control/index.ts';
import { type VconInfo, type VconParty, vconOf } from '../../media/recording/index.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { AlarmInfo } from '../receiving/active-alarm.ts';
import type { AlarmSessions } from '../receiving/alarm-sessions.ts';
import type { CallAudit, DeviceCall, DeviceCallHandler, DeviceCallUser } from '../voice/index.ts';
import { AuditRecording, CENTRE, DEVICE } from './audit-recording.ts';

type Ports = KernelPorts & TenantPorts & JournalPorts;

export interface AlarmAuditDependencies {
  /** Absent: this appliance records nothing. */
  readonly sound: Pick<Sound, 'record'> | undefined;
  readonly alarmSessions: AlarmSessions;
  readonly delivery: DeliveryService;
  readonly alarms: PlatformAlarms;
}

/** The recording of one alarm: of a call with several, each has its own (runtime API document 3). */
interface Audit {
  readonly call: DeviceCall;
  readonly recording: AuditRecording;
  readonly live: LiveRecording;
  /** The alarm; undefined until the device has said it. */
  conversation: string | undefined;
  facts: AlarmInfo | undefined;
  /** Whom the device was joined with last. */
  centre: string | undefined;
}

/**
 * Records calls of alarms for audit (`auditRecording` of a bridge): from the answer to the end, the device on one channel and
 * the people on the other, with every digit that passed. `/auditRecordingReady` follows once the file is there, for each alarm
 * of the call.
 */
export class AlarmAudit implements CallAudit {
  readonly #ports: Ports;
  readonly #dependencies: AlarmAuditDependencies;

  constructor(ports: Ports, dependencies: AlarmAuditDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
  }

  /** Wraps a handler of calls: those are recorded whose bridge asks for it. */
  recorded(takes: DeviceCallHandler): DeviceCallHandler {
    return {
      incoming: (call) => (call.bridge.auditRecording ? this.#watched(call, takes) : takes.incoming(call)),
    };
  }

  #watched(call: DeviceCall, takes: DeviceCallHandler): DeviceCallUser {
    let audit: Audit | undefined;
    let alarm: string | undefined;
    call.alarm.add((conversation) => {
      const before = alarm;
      alarm = conversation;
      if (audit !== undefined && before !== undefined && before !== conversation) {
        audit.live.stop();
        audit = this.#begin(call);
      }
      if (audit !== undefined) audit.conversation = conversation;
    });
    call.said.add((tones, form) => audit?.recording.said(tones, form, this.#ports.clock.wallMs()));
    const user = takes.incoming(call);
    const then = <Given extends readonly unknown[]>(
      tell: (...given: Given) => void,
      work: (audit: Audit) => void = () => undefined,
    ) => {
      return (...given: Given): void => {
        tell(...given);
        if (audit === undefined) return;
        this.#look(audit);
        work(audit);
      };
    };
    return {
      answered: () => {
        audit = this.#begin(call);
        if (audit !== undefined) audit.conversation = alarm;
        user.answered();
      },
      mediaEvent: (event) => {
        audit?.recording.onMediaEvent(event, this.#ports.clock.wallMs());
        then((said: MediaEvent) => user.mediaEvent(said))(event);
      },
      joined: then(
        () => user.joined(),
        (of) => {
          of.centre = call.peerAddress;
          of.live.change([[call.leg], call.peer === undefined ? [] : [call.peer]]);
        },
      ),
      left: then(
        (reason: string, hasHungUp: boolean) => user.left(reason, hasHungUp),
        ({ live }) => live.change([[call.leg], []]),
      ),
      ended: (reason, isCutOff) => {
        if (audit !== undefined) this.#look(audit);
        audit?.live.stop();
        user.ended(reason, isCutOff);
      },
    };
  }

  /** While the alarm runs, its session is found by its name; afterwards it is found no more. */
  #look(audit: Audit): void {
    if (audit.conversation !== undefined)
      audit.facts ??= this.#dependencies.alarmSessions.caseOf(audit.conversation)?.facts;
  }

  #begin(call: DeviceCall): Audit | undefined {
    const startMs = this.#ports.clock.wallMs();
    const recording = new AuditRecording(call.leg, startMs);
    const recordingId = uuid(this.#ports.random(16));
    let audit: Audit | undefined;
    const begun = this.#dependencies.sound?.record({
      recordingId,
      fileName: `audit-${recordingId}.wav`,
      channels: [[call.leg], []],
      layout: 'perSide',
      of: 'heard',
      speakers: ['device', 'people'],
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
    const { isTranscribed } = begun.value;
    call.trace.add('recorded', {
      fileName: `audit-${recordingId}.wav`,
      ...(isTranscribed && { transcribed: true }),
    });
    audit = {
      call,
      recording,
      live: begun.value,
      conversation: undefined,
      facts: undefined,
      centre: undefined,
    };
    return audit;
  }

  #ended(audit: Audit, ended: EndedRecording): void {
    this.#look(audit);
    const { call, facts } = audit;
    const [file] = ended.files;
    if (ended.event === 'recordingFailed') this.#failed(call, facts, wordsOf(ended.reason));
    // The part of a recording that broke off is worth having.
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
    const { delivery } = this.#dependencies;
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
  ): VconInfo {
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
          ...(file.sha512 === undefined
            ? { sha256: Buffer.from(file.sha256, 'hex') }
            : { sha512: Buffer.from(file.sha512, 'hex') }),
          digits: recording.digits,
          transcript: ended.transcript,
        },
      ],
    };
  }

  /** A person who must be able to prove what was said has to know that the proof is missing. */
  #failed(call: DeviceCall, facts: AlarmInfo | undefined, reason: string): void {
    call.trace.add('note', { text: `the audit recording failed: ${reason}` });
    this.#dependencies.alarms.raise(
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

/** Codes of a recording that ended early, for a person. */
const WORDS: Readonly<Record<string, string>> = {
  diskFailed: 'the disk refused to write',
  diskFull: 'the disk is full',
  diskPressure: 'the disk is nearly full',
  diskSlow: 'the disk did not keep up',
  exists: 'a recording has this name already',
  interrupted: 'the program was stopped meanwhile',
  mediaServerError: 'the audio of the call was lost with its media worker',
  overload: 'this host was overloaded',
};

function wordsOf(code: string | undefined): string {
  const words = code === undefined ? undefined : WORDS[code];
  return words === undefined ? 'the recorder met a defect; its log says which' : `${words} (${code})`;
}
