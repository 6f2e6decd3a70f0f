import type { ArcCall, ArcCallUser } from '#appliance/alarm/sending/attempt/arc-call.ts';
import type { AttemptPlan, AttemptUser } from '#appliance/alarm/sending/attempt/attempt.ts';
import type { EndReason } from '#appliance/call/session/index.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';

/** The neighbours of an attempt: they write down each request and each report, in order. */
export function attemptRoom() {
  const done: string[] = [];
  const user: AttemptUser = {
    acknowledged: (id, text) => void done.push(`acknowledged ${id} ${text}`),
    queued: (id) => void done.push(`queued ${id}`),
    failed: (id, { warning, onward }) => void done.push(`failed ${id} ${warning} ${onward}`),
    speech: (id, { kind }) => void done.push(`speech ${id} ${kind}`),
    command: (id, command) => void done.push(`command ${id} ${JSON.stringify(command)}`),
    lineOver: (id, _reason, hasHungUp) =>
      void done.push(`line over ${id}${hasHungUp ? ', the centre has hung up' : ''}`),
    passes: () => false,
    shows: async () => undefined,
    done: () => void done.push('done'),
    signOfLife: (answered) => void done.push(answered ? 'way answers' : 'way is silent'),
  };
  const call = {
    id: 'call',
    leg: 'leg',
    hasHungUp: false,
    isOver: false,
    hangUp: () => void done.push('hang up'),
  };
  let line: ArcCallUser | undefined;
  return {
    done,
    user,
    call,
    place: (_plan: AttemptPlan, its: ArcCallUser): ArcCall => {
      done.push('place');
      line = its;
      return call as unknown as ArcCall;
    },
    /** Events of the call that the attempt has placed. */
    line: (): ArcCallUser => {
      if (line === undefined) throw new Error('no call was placed');
      return line;
    },
    turn: (work: () => void): void => work(),
    /** The effects of one step. */
    effects(step: () => unknown): string {
      done.length = 0;
      step();
      return done.join(', ') || 'nothing';
    },
  };
}

export type AttemptRoom = ReturnType<typeof attemptRoom>;

export const sip = (cause: number, text = ''): EndReason => ({ protocol: 'SIP', cause, text });
export const CLEARED: EndReason = { protocol: 'Q.850', cause: 16, text: 'Normal call clearing' };

/** A plan of the session `s`, or of another one. */
export const planOf = (fields: Readonly<Record<string, unknown>> = {}, id = 's'): AttemptPlan =>
  ({
    id,
    order: { event: { audio: 'duplex' }, voice: { tones: {} } },
    target: { protocol: 'bs8521', headers: [] },
    address: { destination: 'sip:arc@example.com', from: { user: 'unit' }, login: undefined },
    reference: { sequence: '0007', atMs: 5, ref: 'abcd' },
    trace: new SessionTrace('t', () => 0),
    ...fields,
  }) as unknown as AttemptPlan;
