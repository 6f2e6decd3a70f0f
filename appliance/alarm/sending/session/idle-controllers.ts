import type { WaitingCall } from '#shared/alarm-event/index.ts';
import { uuid } from '#shared/id.ts';
import type { ActiveCall, CallControl } from '../../../call/control/index.ts';
import type { BytePorts, KernelPorts } from '../../../kernel/port.ts';
import { SessionTrace } from '../../../kernel/session-trace.ts';
import type { SipRequest } from '../../../sip/message/index.ts';
import { type Atm, decodeAtm, isAsked, meaningOf } from '../../protocol/nowip/index.ts';
import { decodeContent } from '../../protocol/xml-message/index.ts';
import type { Attempt, AttemptUser } from '../attempt/attempt.ts';
import { type Attempts, plainUser } from '../attempt/attempts.ts';
import type { ControllerTable, KnownController } from './controller-table.ts';
import type { SendingArrivals } from './sending-arrival.ts';

export interface IdleControllersDependencies {
  readonly calls: Pick<CallControl, 'turn'>;
  readonly turn: (work: () => void) => void;
  readonly attempts: Pick<Attempts, 'make'>;
  readonly controllers: Pick<ControllerTable, 'has' | 'find'>;
  /** Events that wait for their receiver. */
  readonly arrivals: Pick<SendingArrivals, 'asked' | 'units'>;
}

const NOTHING_WAITS = 'nothing waits for ';

/** Centres that call a controller we speak for, or ask it by message, while no attempt of ours is under way. */
export class IdleControllers {
  readonly #ports: Pick<KernelPorts, 'random' | 'traceMs'> & Pick<BytePorts, 'inflate'>;
  readonly #dependencies: IdleControllersDependencies;
  /** Calls in which messages are said, by number; the latest one. */
  readonly #inCall = new Map<string, Attempt>();
  #made = 0;

  constructor(
    ports: Pick<KernelPorts, 'random' | 'traceMs'> & Pick<BytePorts, 'inflate'>,
    dependencies: IdleControllersDependencies,
  ) {
    this.#ports = ports;
    this.#dependencies = dependencies;
  }

  /** Name under which a call to this number arrives; undefined: it is no controller's. */
  called(number: string): string | undefined {
    return this.#dependencies.controllers.find(number) === undefined
      ? undefined
      : `${NOTHING_WAITS}${number}`;
  }

  /** False: the call is for a session. */
  arrived(id: string, call: ActiveCall): boolean {
    if (!id.startsWith(NOTHING_WAITS)) return false;
    const number = id.slice(NOTHING_WAITS.length).toLowerCase();
    const known = this.#dependencies.controllers.find(number);
    if (known === undefined) {
      const text = 'its event sender was deleted';
      this.#dependencies.calls.turn(() => call.input({ kind: 'refuse', status: 480, text }));
    } else this.#answer(number, known, call);
    return true;
  }

  /**
   * `from`: address of the flow; absent: the sender has proven its identity.
   * @returns false when the request is to no controller of ours
   */
  take(request: SipRequest, from?: string): boolean {
    const number = plainUser(request.to.uriText)?.toLowerCase();
    if (number === undefined || !this.#dependencies.controllers.has(number)) return false;
    const read = decodeContent(request.body, request.header('Content-Encoding'), this.#ports.inflate);
    const atm = read.ok ? decodeAtm(read.value) : undefined;
    if (atm?.ok !== true || !isAsked(atm.value)) return false;
    const known = this.#dependencies.controllers.find(number);
    if (known?.form.kind !== 'nowip' || (from !== undefined && known.remote !== from)) return false;
    const { value } = atm;
    const kind = commandIn(value);
    const inCall = this.#inCall.get(number);
    const { arrivals, turn } = this.#dependencies;
    const units = inCall === undefined ? arrivals.units(number) : [];
    // A unit that waits is selected in the call of its event: this is what is left of a call that is over.
    if (units.length > 0 && kind === 'selectUnit') return false;
    turn(() => {
      if (inCall !== undefined) inCall.onMessage?.(value);
      else this.#tell(known, value, units);
      if (units.length > 0 && kind === 'nextOutstanding') arrivals.asked(number);
    });
    return true;
  }

  #answer(number: string, known: KnownController, arrived: ActiveCall): void {
    const { trace } = arrived;
    trace.add('note', { text: 'a centre calls a controller for which no alarm waits' });
    const done = (): void => {
      if (this.#inCall.get(number) === attempt) this.#inCall.delete(number);
    };
    const plan = { ...known, id: `idle ${++this.#made}`, trace };
    const attempt: Attempt = this.#dependencies.attempts.make(plan, { ...NO_USER, done }, arrived, []);
    if (known.form.kind === 'nowip') this.#inCall.set(number, attempt);
    attempt.begin();
  }

  /** Without a call: what is said is answered, and forgotten. */
  #tell(known: KnownController, atm: Atm, units: readonly WaitingCall[]): void {
    const trace = new SessionTrace(uuid(this.#ports.random(16)), this.#ports.traceMs);
    const plan = { ...known, id: `asked ${++this.#made}`, trace };
    const attempt = this.#dependencies.attempts.make(plan, NO_USER, undefined, units);
    attempt.onMessage?.(atm);
    attempt.abandon();
  }
}

function commandIn(atm: Atm): string | undefined {
  const meaning = meaningOf(atm);
  return meaning.ok && meaning.value.kind === 'command' ? meaning.value.command.kind : undefined;
}

/** No event is sent here, so that none has a result. */
const NO_USER: AttemptUser = {
  acknowledged: () => undefined,
  queued: () => undefined,
  passes: () => false,
  failed: () => undefined,
  speech: () => undefined,
  command: () => undefined,
  lineOver: () => undefined,
  shows: () => Promise.resolve(),
  signOfLife: () => undefined,
  done: () => undefined,
};
