import { fail, ok } from '#shared/result.ts';
import type { ConferenceId, LegId, ParticipantSetting } from '../control/index.ts';
import { FarMember, FarPartner } from './leg/far.ts';
import type { Leg } from './leg/leg.ts';
import type { Conference } from './mix/conference.ts';
import type { LinkCommands, LinkEnd, LinkId } from './packet/link.ts';

/** Frames lost by links that are over, and by those that run. */
interface Losing {
  readonly lost: number;
}

/** The ends that this worker has of what joins workers. */
export class Links {
  readonly #partners = new Map<LinkId, { readonly leg: Leg; readonly partner: FarPartner }>();
  readonly #members = new Map<LinkId, FarMember>();
  #lostBefore = 0;

  /** Frames other workers were too slow for. */
  get lost(): number {
    let sum = this.#lostBefore;
    for (const { partner } of this.#partners.values()) sum += partner.lost;
    for (const { lost } of this.#members.values()) sum += lost;
    return sum;
  }

  get size(): number {
    return this.#partners.size + this.#members.size;
  }

  join(leg: Leg, end: LinkEnd): void {
    const partner = new FarPartner(leg, end);
    leg.far = partner;
    this.#partners.set(end.link, { leg, partner });
  }

  /** The leg goes its own way: what it had with another worker is over here. */
  leave(leg: Leg): void {
    const partner = leg.far;
    if (partner === null) return;
    for (const [link, one] of this.#partners) if (one.partner === partner) this.#partners.delete(link);
    this.#over(partner);
    partner.end();
    leg.far = null;
  }

  admit(
    leg: LegId,
    conference: Conference,
    end: LinkEnd,
    participant: ParticipantSetting,
  ): ReturnType<LinkCommands['admit']> {
    const { conference: id } = conference.setting;
    if (!conference.hasRoom(participant)) return fail('Refused', `The conference ${id} is full.`);
    const member = new FarMember(leg, conference, end);
    this.#members.set(end.link, member);
    conference.join(member, participant);
    return ok(undefined);
  }

  /** Answers the leg that is alone now, or the conference that is smaller. */
  end(link: LinkId): { readonly leg?: Leg; readonly conference?: Conference } {
    const leg = this.#partners.get(link)?.leg;
    if (leg !== undefined) this.leave(leg);
    const member = this.#members.get(link);
    this.#members.delete(link);
    if (member === undefined) return leg === undefined ? {} : { leg };
    this.#over(member);
    member.conference.leave(member.id);
    return { conference: member.conference };
  }

  endConference(id: ConferenceId): void {
    for (const [link, { conference }] of this.#members)
      if (conference.setting.conference === id) this.end(link);
  }

  /** Before the conferences of a slice are mixed. */
  hear(part: number): void {
    for (const member of this.#members.values()) if (member.part === part) member.pull();
  }

  /** After everybody here has spoken. */
  speak(part: number): void {
    for (const member of this.#members.values()) if (member.part === part) member.push();
  }

  #over({ lost }: Losing): void {
    this.#lostBefore += lost;
  }
}
