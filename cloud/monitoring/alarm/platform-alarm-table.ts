import { type PlatformTrouble, platformTroubleSchema } from '#shared/contract/site/index.ts';
import { type RandomBytes, ulid } from '#shared/id.ts';
import type { Log } from '#shared/log.ts';
import { gauge } from '#shared/metric/index.ts';

type Trouble = Pick<PlatformTrouble, 'error' | 'subject' | 'message'>;

export interface PlatformAlarmPort {
  readonly nowMs: () => number;
  readonly random: RandomBytes;
  readonly log: Log;
  /** Hears each alarm as it stands now. */
  readonly onChange?: (alarm: PlatformTrouble) => void;
}

const KEPT = 200;

/**
 * Alarms of the deployment itself, for whoever operates it: one per error and subject while it stands. Chosen: kept in
 * memory, the latest 200, beside a line in the log; the next run raises again each condition that lasts. Where there may be several
 * replicas, the others see them by rows (`SharedPlatformAlarms`).
 */
export class PlatformAlarmTable {
  /** Active alarms by error, so that an alert outside of this program can be made of each. */
  readonly family = gauge('carillon_deployment_alarms', 'Active alarms of the deployment', () =>
    platformTroubleSchema.shape.error.options.map((error) => [
      { error },
      this.#kept.filter((each) => each.status === 'active' && each.error === error).length,
    ]),
  );
  readonly #port: PlatformAlarmPort;
  #kept: PlatformTrouble[] = [];

  constructor(port: PlatformAlarmPort) {
    this.#port = port;
  }

  raise(trouble: Trouble): void {
    if (this.#raised(trouble) !== undefined) return;
    this.#add(trouble, 'active');
  }

  clear(what: Pick<Trouble, 'error' | 'subject'>): void {
    const raised = this.#raised(what);
    if (raised === undefined) return;
    const over = { ...raised, status: 'cleared' as const, clearedAt: this.#port.nowMs() };
    this.#kept = this.#kept.map((each) => (each === raised ? over : each));
    this.#port.onChange?.(over);
    this.#port.log('info', 'deployment_alarm.cleared', 'Cleared an alarm of the deployment', {
      error: what.error,
      subject: what.subject,
      reason: raised.message,
    });
  }

  /** Notes an event that has no end. */
  note(trouble: Trouble): void {
    this.#add(trouble, 'noted');
  }

  /** Newest first. */
  list(): readonly PlatformTrouble[] {
    return this.#kept;
  }

  #raised({ error, subject }: Pick<Trouble, 'error' | 'subject'>): PlatformTrouble | undefined {
    return this.#kept.find(
      (each) => each.status === 'active' && each.error === error && each.subject === subject,
    );
  }

  #add(trouble: Trouble, status: 'active' | 'noted'): void {
    const raisedAt = this.#port.nowMs();
    const alarmId = ulid(raisedAt, this.#port.random(10));
    const { error, subject, message } = trouble;
    this.#port.log('warn', 'deployment_alarm.raised', 'Raised an alarm of the deployment', {
      error,
      subject,
      status,
      reason: message,
    });
    const alarm = { alarmId, error, subject, status, raisedAt, message };
    this.#port.onChange?.(alarm);
    const all = [alarm, ...this.#kept];
    // Alarms that are over do not push out active ones.
    for (let at = all.length - 1; all.length > KEPT && at >= 0; at--)
      if (all[at]?.status !== 'active') all.splice(at, 1);
    this.#kept = all;
  }
}
