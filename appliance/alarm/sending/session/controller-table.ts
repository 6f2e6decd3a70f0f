import { decodeBs8521, isBs8521Group } from '#shared/alarm-event/index.ts';
import { BoundedMap } from '#shared/bounded-map.ts';
import { type DataSubject, subjectMatcher } from '#shared/matching/index.ts';
import { type JournalPorts, type SessionRow, sessionRank } from '../../../delivery/outbox/index.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import type { SendRoute } from '../../sender/index.ts';
import type { AttemptPlan } from '../attempt/attempt.ts';
import { type FormProfiles, type NativeForm, nativeForm } from '../order/native-form.ts';
import type { SendOrder, SendReference } from '../order/send-order.ts';
import { addressOf, targetOf } from '../order/send-target.ts';
import { numbersOf } from '../speech/talk-relay.ts';
import { CONTROLLER_KEY, isControllerRow } from './active-sending.ts';

/** A controller that we have spoken for: what its last event went out with, as provisioned now. */
export type KnownController = Pick<AttemptPlan, 'order' | 'reference' | 'target' | 'address' | 'form'> & {
  /** Address that its centre was last reached at; undefined: by a call. */
  readonly remote: string | undefined;
};

/** Plain JSON, stored under its number. */
interface Entry {
  readonly version: 'controller 1';
  readonly order: SendOrder;
  readonly reference: SendReference;
  readonly way: SendRoute;
  readonly remote?: string;
}

interface Kept {
  readonly entry: Entry;
  /** Wall clock of the row on the disk. */
  readonly writtenMs: number;
  /** When an event went out from the number last; of an earlier life or another host: when that was written. */
  readonly usedMs: number;
}

/** `Chosen:` numbers of controllers that are known; the one that was used longest ago goes. */
const MOST_NUMBERS = 1_000;
const HOUR_MS = 3_600_000;
/** A row is written again this often, so that it lives on as long as its controller is used. */
const REFRESH_MS = 24 * HOUR_MS;
/** Rows are read for so long; the journal removes them with the alarms of their time. */
const KEPT_MS = 3_650 * REFRESH_MS;

/**
 * Numbers that events of a scheme went out from: whoever calls one calls its controller. In the journal, so that a centre is
 * answered after a restart, and by the host that takes over, as before.
 */
export class ControllerTable {
  readonly #ports: JournalPorts & Pick<KernelPorts, 'clock' | 'run' | 'log'> & TenantPorts;
  readonly #profiles: FormProfiles;
  /** By number; oldest first. */
  readonly #known = new BoundedMap<string, Kept>(MOST_NUMBERS);

  constructor(
    ports: JournalPorts & Pick<KernelPorts, 'clock' | 'run' | 'log'> & TenantPorts,
    profiles: FormProfiles,
  ) {
    this.#ports = ports;
    this.#profiles = profiles;
  }

  /** An event goes out: from now on its controller is known by its numbers. */
  sent({ order, reference, address, form }: Omit<KnownController, 'remote'>, route: SendRoute): void {
    if (!isOfScheme(form) || order.selfTest === true) return;
    const { alarmSessionId: _, voice, ...rest } = order;
    const { transparent, tones } = voice;
    const said: Entry = {
      version: 'controller 1',
      order: { ...rest, voice: { transparent, tones } },
      reference,
      way: route,
    };
    for (const number of numbersOf({ address, order })) {
      const before = this.#known.get(number);
      const remote = before?.entry.way === route ? before.entry.remote : undefined;
      this.#keep(number, remote === undefined ? said : { ...said, remote });
    }
  }

  /** Where messages of the centre come from that this one was sent to. */
  reached({ order, address, form }: Omit<KnownController, 'remote' | 'target'>, remote: string): void {
    if (!isOfScheme(form)) return;
    for (const number of numbersOf({ address, order })) {
      const entry = this.#known.get(number)?.entry;
      if (entry !== undefined && entry.remote !== remote) this.#keep(number, { ...entry, remote });
    }
  }

  has(called: string): boolean {
    return this.#known.has(called.toLowerCase());
  }

  /** @returns undefined when the number is of no controller, or its event sender was removed */
  find(called: string): KnownController | undefined {
    const entry = this.#known.get(called.toLowerCase())?.entry;
    if (entry === undefined) return undefined;
    const { order, reference, way, remote } = entry;
    const target = targetOf(order, this.#ports.tenant());
    const form = target.ok ? nativeForm(target.value, order, reference, this.#profiles) : undefined;
    if (!target.ok || form?.ok !== true || !isOfScheme(form.value)) return undefined;
    const address = addressOf(target.value, way);
    return { order, reference, target: target.value, address, form: form.value, remote };
  }

  /**
   * Takes back the controllers that an earlier run knew, or another host. A newer entry replaces the one that is known
   * here.
   */
  restore(): void {
    const { journal, clock, log } = this.#ports;
    const found = new Map(this.#known);
    for (const { id, body, updatedMs } of journal.dedupeAnswers(clock.wallMs()).filter(isControllerRow)) {
      const number = id.slice(CONTROLLER_KEY.length);
      const entry = read(body);
      if (entry === undefined)
        log('error', 'controller.read_failed', 'Could not read the stored state of a controller', {
          id,
          reason: 'its text is no state of this version',
        });
      else if ((found.get(number)?.usedMs ?? 0) < updatedMs)
        found.set(number, { entry, writtenMs: updatedMs, usedMs: updatedMs });
    }
    const byAge = [...found].toSorted(([, a], [, b]) => a.usedMs - b.usedMs);
    this.#known.clear();
    for (const [number, kept] of byAge) this.#known.set(number, kept);
  }

  /** The data of a person is erased: entries that name the person are forgotten (control plane, section 12). */
  forget(subject: DataSubject): void {
    const { isIn } = subjectMatcher(subject);
    for (const [number, { entry }] of this.#known)
      if (isIn(bodyOf(number, entry))) this.#known.delete(number);
  }

  #keep(number: string, entry: Entry): void {
    const before = this.#known.get(number);
    const nowMs = this.#ports.clock.wallMs();
    const isFresh = before !== undefined && nowMs - before.writtenMs < REFRESH_MS;
    const isKept = isFresh && identity(before.entry) === identity(entry);
    this.#known.set(number, { entry, writtenMs: isKept ? before.writtenMs : nowMs, usedMs: nowMs });
    if (isKept) return;
    const row = this.#row(number, entry, nowMs);
    this.#ports.run(this.#ports.journal.commit([{ kind: 'session', row }]));
  }

  /** One state of a row that is replaced, of whichever host wrote last: by the term, then by the hour. */
  #row(number: string, entry: Entry, nowMs: number): SessionRow {
    return {
      id: `${CONTROLLER_KEY}${number}`,
      traceId: '',
      protocol: 'sending',
      dedupeKey: `${CONTROLLER_KEY}${number}`,
      dedupeUntilMs: nowMs + KEPT_MS,
      body: bodyOf(number, entry),
      createdMs: nowMs,
      updatedMs: nowMs,
      closed: true,
      rank: sessionRank(this.#ports.place.epoch, Math.floor(nowMs / HOUR_MS)),
    };
  }
}

/** An event of a controller whose units its centre selects. */
export function isOfScheme(form: NativeForm): boolean {
  if (form.kind === 'tt') return form.form.unit !== undefined;
  if (form.kind === 'bs8521') return isBs8521Group(form.fields);
  const fields = form.kind === 'nowip' && form.form.type === '1' ? decodeBs8521(form.form.data) : undefined;
  return fields?.ok === true && isBs8521Group(fields.value);
}

/** The part of an entry whose change is written to the disk: the controller, and how its centre is reached. */
function identity({ order, way, remote }: Entry): string {
  const { event, mapperId, direct, sipFrom, callingParty } = order;
  return JSON.stringify([event.controllerId, mapperId, direct, sipFrom, callingParty, way, remote]);
}

/** With its number, so that whoever is looked for by that is found. */
const bodyOf = (number: string, entry: Entry): string => JSON.stringify({ ...entry, number });

function read(body: string): Entry | undefined {
  try {
    const entry = JSON.parse(body) as Entry;
    return entry.version === 'controller 1' ? entry : undefined;
  } catch {
    return undefined;
  }
}
