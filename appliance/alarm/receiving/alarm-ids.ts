import { BoundedMap } from '#shared/bounded-map.ts';
import { ulid } from '#shared/id.ts';
import type { BytePorts, KernelPorts } from '../../kernel/port.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { EventName } from '../protocol/index.ts';

/** Where an event was said: the same name in another place is another event. */
interface Place {
  readonly bridgeId: string;
  /** User part of From, and its source: the identity it has proved, else its address. */
  readonly sender: string;
}

/**
 * Ids of alarms. A host may die with an alarm on its own disk alone, not yet acknowledged: the device repeats it to
 * another host, and once the dead one is back both deliver it. So what a device names has the same ids on every host,
 * made from that name, and the application knows the one for a repeat of the other.
 *
 * One host never gives an id twice: whoever repeats here is known by its exchange, and what is let through is new.
 * Chosen: the name holds within one of the periods (`withinMs`) that begin with 1970, so that a device that uses its
 * reference again after a period never gets the old id. A device that repeats across their border gets a second id here;
 * `twinOf` then tells the returning host that its row is this one.
 */
export class AlarmIds {
  readonly #ports: Pick<KernelPorts, 'clock' | 'random'> &
    Pick<TenantPorts, 'tenant'> &
    Pick<BytePorts, 'sha256Hex'>;
  /** Given lately: perhaps not on the disk yet. */
  readonly #given = new BoundedMap<string, true>(MOST_GIVEN);
  /** Given for what could not be stored: its device says it again, and it is the same alarm then. */
  readonly #refused = new BoundedMap<string, Refused>(MOST_GIVEN);
  /**
   * Callbacks given since another host asked for a twin, by their id: the ids that others would give are worked out
   * from then on.
   */
  readonly #callbacks = new BoundedMap<string, GivenCallback>(MOST_GIVEN);
  /** Ids that another host would have given across the border of a period, and ours. */
  readonly #twins = new BoundedMap<string, Twin>(MOST_GIVEN);

  constructor(
    ports: Pick<KernelPorts, 'clock' | 'random'> & Pick<TenantPorts, 'tenant'> & Pick<BytePorts, 'sha256Hex'>,
  ) {
    this.#ports = ports;
  }

  /** `isKnown`: the journal has something under this id. Without a name the id is unique. */
  of(
    what: 'session' | 'callback',
    name: EventName | undefined,
    place: Place,
    isKnown: (id: string) => boolean,
  ): string {
    const { clock, random } = this.#ports;
    const wallMs = clock.wallMs();
    const named = name && this.#named(what, name, place, wallMs);
    const refused = named === undefined ? undefined : this.#refused.get(named);
    if (named !== undefined && refused?.isFree === true) {
      refused.isFree = false;
      return named;
    }
    if (named === undefined || this.#given.has(named) || isKnown(named)) return ulid(wallMs, random(10));
    this.#given.set(named, true);
    if (name !== undefined && what === 'callback') this.#callbacks.set(named, { name, place, atMs: wallMs });
    return named;
  }

  /** The alarm with this id could not be stored, and its device was not answered. */
  refuse(id: string): void {
    if (!this.#given.has(id)) return;
    const tellings = (this.#refused.get(id)?.tellings ?? 0) + 1;
    this.#refused.set(id, { tellings, isFree: true });
  }

  /** How often what has this id was refused before. */
  tellingsOf(id: string): number {
    return this.#refused.get(id)?.tellings ?? 0;
  }

  /** Our id for the event that another host calls `id` and heard at `atMs` (epoch ms). */
  twinOf(id: string, atMs: number): string | undefined {
    const given = [...this.#callbacks];
    this.#callbacks.clear();
    for (const [own, { name, place, atMs: givenMs }] of given) {
      const { withinMs } = name;
      for (const otherMs of [givenMs - withinMs, givenMs + withinMs]) {
        const other = this.#named('callback', name, place, otherMs);
        this.#twins.set(other, { id: own, atMs: givenMs, withinMs });
      }
    }
    const twin = this.#twins.get(id);
    return twin !== undefined && Math.abs(twin.atMs - atMs) <= twin.withinMs ? twin.id : undefined;
  }

  #named(what: string, { text, withinMs }: EventName, { bridgeId, sender }: Place, wallMs: number): string {
    const { tenant, sha256Hex } = this.#ports;
    const beginMs = wallMs - (wallMs % withinMs);
    const words = JSON.stringify([what, tenant().domain, bridgeId, sender, text, beginMs]);
    return ulid(beginMs, Buffer.from(sha256Hex(words), 'hex'));
  }
}

interface Refused {
  readonly tellings: number;
  /** It was not said again since. */
  isFree: boolean;
}

interface GivenCallback {
  readonly name: EventName;
  readonly place: Place;
  /** Epoch ms. */
  readonly atMs: number;
}

interface Twin {
  readonly id: string;
  /** When we heard it, epoch ms. */
  readonly atMs: number;
  readonly withinMs: number;
}

/** More than are ever on their way to the disk. */
const MOST_GIVEN = 10_000;
