import { defectDetail } from '../../../kernel/defect.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import type { MediaEvent } from '../../../media/control/index.ts';
import type { SipResponse } from '../../../sip/message/index.ts';
import type { Attempt } from '../../../sip/trunk/index.ts';
import type { ActiveCall } from './active-call.ts';

/** The events of the media engine, as inputs of the calls they concern. */
export function tellCalls(event: MediaEvent, callOf: (leg: string) => ActiveCall | undefined): void {
  if (event.kind === 'lost') {
    for (const leg of event.legs)
      callOf(leg)?.input({
        kind: 'broken',
        leg,
        status: 500,
        text: 'the audio of this call was lost with its media worker',
      });
    return;
  }
  if (event.kind === 'overload' || event.kind === 'late') return;
  const call = callOf(event.leg);
  if (call === undefined) return;
  if (event.kind === 'rtpTimeout') {
    const { leg, aliveBy } = event;
    const seen =
      aliveBy === undefined ? '' : aliveBy === 'reports' ? '; its reports come' : ' since comfort noise';
    call.trace.add('note', { text: `no audio from ${leg} for 10 s${seen}` });
    call.input({ kind: 'silent', leg, hadAudio: call.audibleLegs.has(leg), ...(aliveBy && { aliveBy }) });
  } else if (event.kind === 'reportsEnded') {
    call.trace.add('note', { text: `no audio from ${event.leg}, and no reports any more` });
    call.input({ kind: 'silent', leg: event.leg, hadAudio: call.audibleLegs.has(event.leg) });
  } else if (event.kind === 'measured') call.measured(event.leg, event.windows);
  else if (event.kind === 'rtpStarted') call.audibleLegs.add(event.leg);
  else if (event.kind === 'rtpResumed') call.input({ kind: 'heard', leg: event.leg });
  call.onMedia(event);
}

/** How an attempt to reach a target ended, as its trunk judges it. */
export function attemptOf(status: number, response: SipResponse | undefined): Attempt {
  if (response !== undefined) {
    const retryAfterS = Number.parseInt(response.header('Retry-After') ?? '', 10);
    return { kind: 'answered', status, ...(retryAfterS >= 0 && { retryAfterS }) };
  }
  if (status === 408) return { kind: 'timeout' };
  return status === 503 ? { kind: 'unreachable' } : { kind: 'answered', status };
}

/** The session of a call is over; that of an alarm or a service has an end of its own. */
export function endTrace({ trace, end, answeredMs }: ActiveCall): void {
  if (trace.kind !== 'call' && trace.kind !== 'recording') return;
  const reason =
    end === undefined ? 'the call went on in another call' : `${end.protocol} ${end.cause} ${end.text}`;
  trace.add('sessionEnded', {
    outcome: end === undefined ? 'moved' : 'ended',
    answered: answeredMs !== undefined,
    reason,
    ...(end !== undefined && { protocol: end.protocol, cause: end.cause }),
  });
}

export function logDefect(cause: unknown, log: KernelPorts['log']): void {
  log('error', 'call.defect_caught', 'Caught a defect in a call', defectDetail(cause));
}
