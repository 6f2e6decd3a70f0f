import { type Bs8521Fields, bs8521Alarm, bs8521Warnings, encodeBs8521 } from '#shared/alarm-event/index.ts';
import type { ProtocolEvent } from '../protocol/index.ts';
import type { NowIpCommand } from '../protocol/nowip/index.ts';
import type { CommandOutcome } from '../voice/index.ts';
import type { OrderDone } from './nowip-orders.ts';

export interface SchemePorts {
  readonly order: (command: NowIpCommand, done: OrderDone) => void;
  /** The unit listens: people may be joined. */
  readonly speech: () => void;
  /** Another unit waits: its alarm has to be stored; `stored` follows. */
  readonly nextUnit: (fields: Bs8521Fields) => void;
  readonly hangUp: () => void;
}

const NO_UNIT = /^0{12}$/;
const UNIT = /^(\d{4})(\d{3})(\d{2})(\d)(\d{2})$/;

/**
 * A call with the controller of a group scheme (BS 8521-2): its units one after the other.
 *
 *   begin --0RRRR--> speech --finish--> 9 --NN--> 0: D, the call ends
 *             ^                         |  ^
 *             |                         v  `--- the next finish
 *             +--- stored <--- nextUnit <--answer-- 10000 (NN > 0); zeros, or no answer: D
 *
 * A unit that does not confirm gets speech as well: a person waits there.
 */
export class NowIpScheme {
  readonly #ports: SchemePorts;
  #fields: Bs8521Fields;
  /** Units are asked for one by one, each in its time; the scheme ends the call when none is left. */
  clearing = false;

  constructor(fields: Bs8521Fields, ports: SchemePorts) {
    this.#fields = fields;
    this.#ports = ports;
  }

  /** The alarm of the unit is acknowledged, and the call is there. */
  begin(): void {
    this.clearing = false;
    this.#ports.order({ kind: 'selectUnit', unitId: this.#fields.unitId }, () => this.#ports.speech());
  }

  /** The speech with the unit is over; the function gets the result of its clear-down. */
  finish(onOutcome: (outcome: CommandOutcome) => void = () => {}): void {
    if (this.clearing) {
      onOutcome({ kind: 'done' });
      return;
    }
    this.clearing = true;
    this.#ports.order({ kind: 'clear' }, (outcome, digits) => {
      onOutcome(outcome);
      const left = Number(/^0000(\d\d)$/.exec(digits ?? '')?.[1] ?? 0);
      if (outcome.kind === 'done' && left > 0) this.#next();
      else this.#close();
    });
  }

  /** The alarm of the next unit is on the disk, or is not: then it stays in the scheme, which calls again. */
  stored(isStored: boolean): void {
    if (isStored) this.begin();
    else this.#close();
  }

  #next(): void {
    this.#ports.order({ kind: 'nextOutstanding' }, (_, digits = '') => {
      const [, unitId, event, location, priority, status] = UNIT.exec(digits) ?? [];
      if (NO_UNIT.test(digits) || unitId === undefined) {
        this.#close();
        return;
      }
      const unit = { unitId, event, location, priority, status } as Partial<Bs8521Fields>;
      this.#fields = { ...this.#fields, ...unit };
      this.#ports.nextUnit(this.#fields);
    });
  }

  #close(): void {
    this.#ports.order({ kind: 'clearDown' }, () => this.#ports.hangUp());
  }
}

/** The alarm of a unit that a controller named when it was asked for the next one. */
export function unitEvent(fields: Bs8521Fields): ProtocolEvent {
  const event = bs8521Alarm(fields);
  return {
    ordinal: 0,
    kind: 'first',
    event,
    source: {
      protocol: 'nowip',
      raw: encodeBs8521(fields),
      fields: { ...fields },
      check: { policy: 'none', result: 'notChecked' },
      warnings: bs8521Warnings(fields),
    },
    offer: { voice: event.audio !== 'none' },
  };
}
