import type { PlatformTrouble } from '#shared/contract/site/index.ts';
import type { Log } from '#shared/log.ts';
import { foreignDeploymentAlarms, putDeploymentAlarm, type Store } from '../../store/index.ts';
import type { PlatformAlarmTable } from './platform-alarm-table.ts';

export interface SharedPlatformAlarmsPort {
  readonly store: Store;
  readonly replica: string;
  /** Alarms of this replica. */
  readonly own: Pick<PlatformAlarmTable, 'list'>;
  readonly log: Log;
}

const SHOWN = 200;

/** The alarms of the deployment as all replicas see them: each writes its own to rows, and shows those of the others too. */
export class SharedPlatformAlarms {
  readonly #port: SharedPlatformAlarmsPort;
  /** By id; the database may be away while an alarm is raised. */
  readonly #unwritten = new Map<string, PlatformTrouble>();
  #work: Promise<void> = Promise.resolve();

  constructor(port: SharedPlatformAlarmsPort) {
    this.#port = port;
  }

  write(alarm: PlatformTrouble): Promise<void> {
    this.#unwritten.set(alarm.alarmId, alarm);
    return this.writeAll();
  }

  /** Writes the alarms that have not been written yet. */
  writeAll(): Promise<void> {
    this.#work = this.#work.then(() => this.#written());
    return this.#work;
  }

  /** Newest first; one that several replicas raised stands once. */
  async list(): Promise<readonly PlatformTrouble[]> {
    const { store, replica, own } = this.#port;
    const foreign = (await foreignDeploymentAlarms(store, replica, SHOWN)).flatMap(({ alarm, isLive }) =>
      // Its condition may be over; if it lasts, a replica that lives raises it.
      alarm.status === 'active' && !isLive ? [] : [alarm],
    );
    const active = new Set<string>();
    const once = [...own.list(), ...foreign].toSorted(oldestFirst).filter(({ status, error, subject }) => {
      const key = `${error} ${subject}`;
      if (status !== 'active') return true;
      const isNew = !active.has(key);
      active.add(key);
      return isNew;
    });
    return once.toReversed().slice(0, SHOWN);
  }

  async #written(): Promise<void> {
    const { store, replica, log } = this.#port;
    for (const [id, alarm] of [...this.#unwritten])
      try {
        await store.withTx((tx) => putDeploymentAlarm(tx, replica, alarm));
        // A later state of it may have come meanwhile.
        if (this.#unwritten.get(id) === alarm) this.#unwritten.delete(id);
      } catch (cause) {
        log('warn', 'deployment_alarm.write_failed', 'Could not write an alarm of the deployment', {
          error: alarm.error,
          cause: String(cause),
        });
        return;
      }
  }
}

const oldestFirst = (a: PlatformTrouble, b: PlatformTrouble): number =>
  a.raisedAt - b.raisedAt || (a.alarmId < b.alarmId ? -1 : 1);
