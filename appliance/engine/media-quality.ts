import type { LegId, LegProfile, LegStatistics, Media, MediaEvent } from '../media/control/index.ts';

/** Upper edges of the histograms; values above them count under `+Inf`. `Chosen:` where a line begins to be felt. */
const EDGES = {
  loss_ratio: [0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2],
  jitter_seconds: [0.001, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2],
  round_trip_seconds: [0.01, 0.02, 0.05, 0.1, 0.15, 0.3, 0.6, 1],
  mos: [2, 2.5, 3, 3.5, 3.8, 4, 4.2, 4.4],
} as const;
type Measure = keyof typeof EDGES;

/** Events of the engine that say something about a line, and the counter of each. */
const EVENTS: Partial<Record<MediaEvent['kind'], string>> = {
  rtpTimeout: 'media_rtp_timeouts_total',
  rtpResumed: 'media_rtp_resumptions_total',
  ssrcChange: 'media_ssrc_changes_total',
  srtpFailed: 'media_srtp_failures_total',
  lost: 'media_workers_lost_total',
};

interface Histogram {
  readonly counts: number[];
  sum: number;
}

/**
 * The quality of the audio of all calls since the start, for `/metrics`: every leg counts when it is closed. Labels are
 * the profile and the codec of a leg and nothing else: no number, no name, no address is among them.
 *
 *   media_legs_total{profile,codec}             closed; a leg that never agreed on anything is none
 *   media_silent_legs_total{profile}            of these: not one packet came
 *   media_packets_{received,sent,lost,late,duplicate,reordered}_total{profile}
 *   media_packets_rejected_total{reason}        foreign, malformed, notAuthentic, replayed
 *   media_concealed_seconds_total{profile}
 *   media_leg_{loss_ratio,jitter_seconds,round_trip_seconds,mos}{profile}      histograms, a leg counts once
 *   media_{rtp_timeouts,rtp_resumptions,ssrc_changes,srtp_failures,workers_lost}_total
 */
export class MediaQuality {
  readonly #counters = new Map<string, number>(Object.values(EVENTS).map((name) => [name, 0]));
  readonly #histograms = new Map<string, Histogram>();

  /** A leg is closed. */
  add(profile: LegProfile, { codec, received, sent, roundTripMs, mos }: LegStatistics): void {
    if (codec === undefined) return;
    const of = `profile="${profile}"`;
    this.#count(`media_legs_total{${of},codec="${codec}"}`, 1);
    this.#count(`media_silent_legs_total{${of}}`, received.packets === 0 ? 1 : 0);
    const { packets, lost, late, duplicate, reordered } = received;
    const passed = { received: packets, sent: sent.packets, lost, late, duplicate, reordered };
    for (const [name, count] of Object.entries(passed))
      this.#count(`media_packets_${name}_total{${of}}`, count);
    const { foreign, malformed, srtpRejected: notAuthentic, srtpReplayed: replayed } = received;
    for (const [reason, count] of Object.entries({ foreign, malformed, notAuthentic, replayed }))
      this.#count(`media_packets_rejected_total{reason="${reason}"}`, count);
    this.#count(`media_concealed_seconds_total{${of}}`, received.concealedMs / 1_000);
    if (packets === 0) return;
    this.#observe('loss_ratio', of, lost / (packets + lost));
    this.#observe('jitter_seconds', of, received.jitterMs / 1_000);
    if (roundTripMs !== undefined) this.#observe('round_trip_seconds', of, roundTripMs / 1_000);
    this.#observe('mos', of, mos);
  }

  onMediaEvent(event: MediaEvent): void {
    const name = EVENTS[event.kind];
    if (name !== undefined) this.#count(name, 1);
  }

  /** Names with labels, without the product's prefix, and their values. */
  get figures(): Readonly<Record<string, number>> {
    const lines = [...this.#counters];
    for (const [key, { counts, sum }] of this.#histograms) {
      const [measure = '', of = ''] = key.split(' ');
      const name = `media_leg_${measure}`;
      let upto = 0;
      for (const [index, count] of counts.entries()) {
        upto += count;
        const edge = EDGES[measure as Measure][index] ?? '+Inf';
        lines.push([`${name}_bucket{${of},le="${edge}"}`, upto]);
      }
      lines.push([`${name}_sum{${of}}`, sum], [`${name}_count{${of}}`, upto]);
    }
    return Object.fromEntries(lines);
  }

  #count(name: string, by: number): void {
    this.#counters.set(name, (this.#counters.get(name) ?? 0) + by);
  }

  #observe(measure: Measure, of: string, value: number): void {
    const key = `${measure} ${of}`;
    const edges: readonly number[] = EDGES[measure];
    const known = this.#histograms.get(key) ?? { counts: Array<number>(edges.length + 1).fill(0), sum: 0 };
    const index = edges.findIndex((edge) => value <= edge);
    const bucket = index < 0 ? edges.length : index;
    known.counts[bucket] = (known.counts[bucket] ?? 0) + 1;
    known.sum += value;
    this.#histograms.set(key, known);
  }
}

/** The part of a media engine that `measured` stands before. */
type Measurable = Pick<Media, 'openLeg' | 'closeLeg' | 'events'>;

/**
 * A media engine that counts every leg in `quality`, and otherwise does what `media` does. The methods of `media` must be its
 * own properties.
 */
export function measured<M extends Measurable>(media: M, quality: MediaQuality): M {
  const profiles = new Map<LegId, LegProfile>();
  media.events.add((event) => {
    if (event.kind === 'lost') for (const leg of event.legs) profiles.delete(leg);
    quality.onMediaEvent(event);
  });
  const counting: Pick<Media, 'openLeg' | 'closeLeg'> = {
    async openLeg(opening) {
      const opened = await media.openLeg(opening);
      if (opened.ok) profiles.set(opening.leg, opening.profile);
      return opened;
    },
    async closeLeg(leg) {
      const profile = profiles.get(leg);
      profiles.delete(leg);
      const closed = await media.closeLeg(leg);
      if (closed.ok && profile !== undefined) quality.add(profile, closed.value);
      return closed;
    },
  };
  return { ...media, ...counting };
}
