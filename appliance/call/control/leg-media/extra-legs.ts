import type { LegId, Media } from '../../../media/control/index.ts';
import { type Agreement, type LegPlan, parseSdp, type Stream } from '../../../sip/sdp/index.ts';

/** Chosen: a recording session has so many streams at most. */
const MOST_LEGS = 16;

/** Parts that an extra leg is made with, and the way of a stream to it. */
export interface ExtraLegsDependencies {
  readonly media: Pick<Media, 'openLeg' | 'closeLeg'>;
  readonly run: (work: Promise<unknown>) => void;
  readonly family: 4 | 6;
  readonly update: (leg: LegId, stream: Stream | undefined) => void;
}

/**
 * Media legs beside the first one of a peer that has several audio streams: a recording session (RFC 7866 7.1), offered by it
 * or by us. Each keeps its place in the description for as long as the session lives.
 */
export class ExtraLegs {
  readonly #first: LegId;
  readonly #dependencies: ExtraLegsDependencies;
  readonly #legs: { readonly leg: LegId; readonly port: number }[] = [];
  #closed = false;

  constructor(first: LegId, dependencies: ExtraLegsDependencies) {
    this.#first = first;
    this.#dependencies = dependencies;
  }

  /** Whether an offer has more audio than there are legs. */
  lacks(sdp: Uint8Array | undefined): boolean {
    return this.#wantedBy(sdp) > this.#legs.length;
  }

  /** Opens what an offer needs; a leg that cannot be had leaves its stream rejected. */
  async open(sdp: Uint8Array | undefined): Promise<void> {
    await this.have(this.#wantedBy(sdp));
  }

  /** Opens so many; streams of ours for which none can be had are not offered. */
  async have(wanted: number): Promise<void> {
    while (this.#legs.length < wanted && !this.#closed) {
      const leg = `${this.#first}+${this.#legs.length + 1}`;
      const { media, family } = this.#dependencies;
      const opened = await media.openLeg({ leg, profile: 'ordinary', family, near: this.#first });
      if (!opened.ok) return;
      this.#legs.push({ leg, port: opened.value.port });
    }
    if (this.#closed) this.close();
  }

  /** The plans of all of them: as the first one's, each with its own port and, where there are `labels`, its label. */
  plans(first: LegPlan, [, ...labels]: readonly string[] = []): readonly LegPlan[] {
    return this.#legs.map(({ port }, index) => {
      const label = labels[index];
      return { ...first, port, ...(label !== undefined && { label }) };
    });
  }

  serve({ streams }: Agreement): void {
    for (const [index, { leg }] of this.#legs.entries())
      this.#dependencies.update(leg, streams.find((stream) => stream?.leg === index + 1) ?? undefined);
  }

  /** Name of the leg that serves a stream. */
  legOf(stream: Stream): LegId | undefined {
    return stream.leg === 0 ? this.#first : this.#legs[stream.leg - 1]?.leg;
  }

  close(): void {
    this.#closed = true;
    for (const { leg } of this.#legs.splice(0))
      this.#dependencies.run(this.#dependencies.media.closeLeg(leg));
  }

  #wantedBy(sdp: Uint8Array | undefined): number {
    const offer = sdp && parseSdp(sdp);
    if (!offer?.ok) return 0;
    const audio = offer.value.media.filter(({ kind }) => kind === 'audio').length;
    return Math.min(MOST_LEGS, audio) - 1;
  }
}
