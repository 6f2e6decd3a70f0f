import type { LegId, Media } from '../../media/control/index.ts';

/** Whose audio it is, and the legs by which it goes on. */
export interface CopiedStream {
  /** undefined: no participant speaks on it now. */
  readonly source: LegId | undefined;
  readonly sinks: readonly LegId[];
}

type Mixing = Pick<Media, 'createConference' | 'endConference' | 'join' | 'leave'>;

/**
 * Audio of a leg to any number of others, none of which is heard: a conference for each stream, in which those that get the
 * copy listen in (media 13). Recordings and streams of the leg are not concerned.
 */
export class Copying {
  readonly #media: Mixing;
  readonly #run: (work: Promise<unknown>) => void;
  readonly #name: string;
  /** Members by label of the stream. */
  readonly #rooms = new Map<string, ReadonlySet<LegId>>();

  /** @param name unique among all of them */
  constructor(
    dependencies: { readonly media: Mixing; readonly run: (work: Promise<unknown>) => void },
    name: string,
  ) {
    this.#media = dependencies.media;
    this.#run = dependencies.run;
    this.#name = name;
  }

  /** How it is to be from now on, by label; a leg that left meanwhile is no failure. */
  wire(wanted: ReadonlyMap<string, CopiedStream>): void {
    for (const label of [...this.#rooms.keys()]) if (!wanted.has(label)) this.#end(label);
    for (const [label, { source, sinks }] of wanted) {
      const before = this.#rooms.get(label);
      const next = new Set(source === undefined ? sinks : [source, ...sinks]);
      const conference = this.#roomOf(label);
      if (before === undefined) this.#run(this.#media.createConference({ conference, beep: false }));
      for (const leg of before ?? []) if (!next.has(leg)) this.#run(this.#media.leave(conference, leg));
      for (const leg of next)
        if (before?.has(leg) !== true)
          this.#run(this.#media.join(conference, leg, leg === source ? {} : { monitor: true }));
      this.#rooms.set(label, next);
    }
  }

  #end(label: string): void {
    this.#rooms.delete(label);
    this.#run(this.#media.endConference(this.#roomOf(label)));
  }

  #roomOf(label: string): string {
    return `${this.#name} stream ${label}`;
  }
}
