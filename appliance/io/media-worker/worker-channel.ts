import { ringMemory } from '../../media/audio/index.ts';
import type { ConferenceId, DigitRelay, LegId, ParticipantSetting } from '../../media/control/index.ts';
import type { LinkEnd, LinkId } from '../../media/engine/index.ts';
import type { CommandResult } from './message.ts';
import type { Slot } from './slot.ts';

/** Something that is on one worker. */
export interface Placed {
  readonly id: string;
  readonly slot: Slot;
}

interface Channel {
  readonly link: LinkId;
  readonly legs: readonly LegId[];
  readonly conference?: ConferenceId;
  readonly slots: readonly [Slot, Slot];
}

/** As `connect` takes it. */
export interface Relays {
  readonly aToB?: DigitRelay;
  readonly bToA?: DigitRelay;
}

const TRANSPARENT: DigitRelay = { as: 'transparent' };

/**
 * Joins legs of one worker with legs and conferences of another: two rings, and the ends that must hear when it is over.
 *
 * ```
 *   connect(a, b)   link at a's worker, link at b's       ┐  leg joined again, closed or lost; conference
 *   join(k, a)      admit at k's worker, link at a's      ┘  ended; a worker died  ──> unlink at both
 * ```
 */
export class WorkerChannels {
  readonly #channels = new Map<LinkId, Channel>();
  #made = 0;

  /** Each hears the other. Their former connections are over. */
  async connect(
    a: Placed,
    b: Placed,
    { aToB = TRANSPARENT, bToA = TRANSPARENT }: Relays = {},
  ): Promise<CommandResult> {
    const [atA, atB] = this.#ends(false);
    await this.cut(a.id, b.id);
    this.#keep({ link: atA.link, legs: [a.id, b.id], slots: [a.slot, b.slot] });
    const [one, other] = await Promise.all([
      a.slot.command(['link', a.id, { ...atA, relay: { out: aToB, in: bToA } }]),
      b.slot.command(['link', b.id, { ...atB, relay: { out: bToA, in: aToB } }]),
    ]);
    if (!one.ok || !other.ok) await this.#end(atA.link);
    return one.ok ? other : one;
  }

  /** The leg takes part in a conference of another worker. */
  async join(conference: Placed, leg: Placed, participant: ParticipantSetting): Promise<CommandResult> {
    const [atConference, atLeg] = this.#ends(true);
    const admitted = await conference.slot.command([
      'admit',
      conference.id,
      leg.id,
      atConference,
      participant,
    ]);
    if (!admitted.ok) return admitted;
    await this.cut(leg.id);
    this.#keep({
      link: atLeg.link,
      legs: [leg.id],
      conference: conference.id,
      slots: [conference.slot, leg.slot],
    });
    const linked = await leg.slot.command(['link', leg.id, atLeg]);
    if (!linked.ok) await this.#end(atLeg.link);
    return linked;
  }

  /** The conference of another worker that a leg is in. */
  conferenceOf(leg: LegId): ConferenceId | undefined {
    for (const { legs, conference } of this.#channels.values()) if (legs.includes(leg)) return conference;
    return undefined;
  }

  /** These go their own way. */
  async cut(...legs: readonly LegId[]): Promise<void> {
    await this.#endAll((channel) => channel.legs.some((leg) => legs.includes(leg)));
  }

  async cutConference(id: ConferenceId): Promise<void> {
    await this.#endAll(({ conference }) => conference === id);
  }

  /** A worker died: those on others are alone, and hear silence. */
  lose(slot: Slot): void {
    void this.#endAll(({ slots }) => slots.includes(slot));
  }

  async #endAll(concerns: (channel: Channel) => boolean): Promise<void> {
    const links = [...this.#channels.values()].filter(concerns).map(({ link }) => link);
    await Promise.all(links.map((link) => this.#end(link)));
  }

  async #end(link: LinkId): Promise<void> {
    const channel = this.#channels.get(link);
    this.#channels.delete(link);
    await Promise.all((channel?.slots ?? []).map((slot) => slot.command(['unlink', link])));
  }

  #keep(channel: Channel): void {
    this.#channels.set(channel.link, channel);
  }

  #ends(prompts: boolean): readonly [LinkEnd, LinkEnd] {
    const link = `link ${++this.#made}`;
    const [one, other] = [ringMemory(), ringMemory()];
    const both = { link, ...(prompts && { prompts: ringMemory() }) };
    return [
      { ...both, says: one, hears: other },
      { ...both, says: other, hears: one },
    ];
  }
}
