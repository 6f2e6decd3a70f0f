import { receivedForm } from '#shared/alarm-event/index.ts';
import { ALARM_QUEUED, type AlarmQueuedData } from '#shared/contract/alarm-queue/index.ts';
import { type CallbackPorts, makeReplyId } from '../../delivery/callback/index.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import { cloudRow } from '../../delivery/site-report.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import { recordIdOf } from '../../kernel/session-trace.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { EmergencyList } from '../emergency-list/index.ts';
import type { ActiveAlarm } from '../receiving/active-alarm.ts';

type Ports = KernelPorts & TenantPorts & JournalPorts & Pick<CallbackPorts, 'signReply'>;

/**
 * Tells the alarm queue of the control plane about an alarm that waits there: an event of lane `alarm`, on the disk until the
 * control plane has it.
 */
export class QueueReport {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  send(known: ActiveAlarm, reason: string): void {
    const { log, journal, run } = this.#ports;
    const row = cloudRow(this.#ports, {
      ...{ lane: 'alarm', type: ALARM_QUEUED, body: JSON.stringify(this.#dataOf(known, reason)) },
    });
    const stored = journal.commit([{ kind: 'outbox', row }]);
    run(
      stored.catch((cause: unknown) =>
        log('error', 'alarm_queue.report_failed', 'Could not store a report for the alarm queue', {
          ...{ traceId: known.trace.traceId, cause: String(cause) },
        }),
      ),
    );
  }

  #dataOf({ session, facts, bridge }: ActiveAlarm, reason: string): AlarmQueuedData {
    const { clock, place, tenant, signReply } = this.#ports;
    const { sessionId, traceId, createdMs, protocol, deviceId, customerSiteId } = facts;
    const event = session.first === null ? undefined : receivedForm(session.first.event);
    const { list, outcome } = session;
    const claims = {
      ...{ domain: tenant().domain, host: place.hostId, epoch: place.epoch, session: sessionId },
      ...{ refers: 'alarm', iat: Math.floor(clock.wallMs() / 1_000) },
    };
    return {
      ...{ sessionId, traceId, protocol, since: createdMs, reason: reason.slice(0, 1_000) },
      recordId: facts.recordId ?? recordIdOf(traceId, createdMs),
      replyId: makeReplyId(claims, signReply),
      call: callOf(list),
      hasVoice: session.offer.voice,
      isDeviceHere: session.voiceHere,
      called: list?.made ?? 0,
      ...(outcome !== null && { outcome }),
      ...(bridge?.name !== undefined && { receiver: bridge.name }),
      ...(deviceId !== undefined && { deviceId }),
      ...(customerSiteId !== undefined && { customerSiteId }),
      ...(event?.controllerId !== undefined && { controllerId: event.controllerId }),
      ...(event?.statusCode !== undefined && { statusCode: event.statusCode }),
      ...(event?.location !== undefined && { location: event.location }),
    };
  }
}

function callOf(list: EmergencyList | undefined): AlarmQueuedData['call'] {
  if (list === undefined || list.phase === 'ended') return 'ended';
  if (list.phase === 'talking') return 'talking';
  return list.attempts.length > 0 ? 'ringing' : 'none';
}
