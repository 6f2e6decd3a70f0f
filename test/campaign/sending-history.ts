import type { Verdict } from '#test/support/site-history.ts';

/** Requests, alarms that the receiver heard, and callbacks to the application. */
export interface SendingHistory {
  /** Session of each event, by its controller. */
  readonly taken: ReadonlyMap<string, string>;
  /** Events as the receiver counts them. `name`: of a protocol whose repeats carry one; a repeat has the same. */
  readonly received: readonly { readonly controllerId: string; readonly name: string | undefined }[];
  /** alarmSent and alarmSendFailure. */
  readonly reported: readonly {
    readonly outcome: string;
    readonly sessionId: string;
    readonly key: string;
    /** Set for a failure. */
    readonly reason?: string;
  }[];
}

/**
 * The promises: an event that was taken is at its receiver, as one event however often it was sent; its application hears once
 * what became of it, and a repeated callback has the same id.
 */
export function judgeSending({ taken, received, reported }: SendingHistory): Verdict {
  const names = new Map<string, (string | undefined)[]>();
  for (const { controllerId, name } of received)
    names.set(controllerId, [...(names.get(controllerId) ?? []), name]);
  const controllers = [...taken.keys()];
  const lost = controllers.filter((one) => !names.has(one));
  const twice = controllers.filter((one) => {
    const all = names.get(one) ?? [];
    return all.every((name) => name !== undefined) ? new Set(all).size > 1 : all.length > 1;
  });
  const of = (sessionId: string) => reported.filter((one) => one.sessionId === sessionId);
  const sessions = [...taken.values()];
  const unreported = sessions.filter((one) => of(one).length === 0);
  const isFailure = ({ outcome }: SendingHistory['reported'][number]) => outcome === 'alarmSendFailure';
  const failed = sessions.filter((one) => of(one).some(isFailure));
  const whyLost = (controllerId: string): string => {
    const reasons = of(taken.get(controllerId) ?? '').filter(isFailure);
    return [controllerId, ...reasons.map(({ reason }) => `(told as failed: ${reason})`)].join(' ');
  };
  const twoIds = sessions.filter((one) => new Set(of(one).map(({ key }) => key)).size > 1);
  return {
    figures: {
      taken: taken.size,
      'at the receiver': names.size,
      lost: lost.length,
      'heard again': received.length - names.size,
      'twice, other id': twice.length,
      'told as failed': failed.length,
      'told twice, other id': twoIds.length,
      'never told': unreported.length,
    },
    violations: [
      ...sentence('taken, but never at the receiver', lost.map(whyLost)),
      ...sentence('two events at the receiver', twice),
      ...sentence('told twice under different ids', twoIds),
      ...sentence('taken, and nothing told', unreported),
    ],
  };
}

const sentence = (fault: string, which: readonly string[]): string[] =>
  which.length === 0 ? [] : [`${which.length} ${fault}: ${which.slice(0, 5).join(' ')}`];
