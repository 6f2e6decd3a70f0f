import { ok, type Result } from '#shared/result.ts';
import type { LegId, MediaEvent, PhraseResult, PlayId, PlayPlan } from '../../media/control/index.ts';
import { CADENCES, cadence } from '../../media/dtmf/index.ts';
import {
  type AwaitedPhrase,
  type PhrasePlan,
  type Prepared,
  type PromptFault,
  phrasePlan,
} from '../../media/prompt/index.ts';
import type { SoundDependencies } from './port.ts';
import type { BackgroundRequest, PhraseFault, PhraseSource, Playback, PlayRequest } from './sound.ts';

const DEFAULT_LANG = 'en';
/** Chosen: where a country's tone is not in the table. */
const DEFAULT_COUNTRY = 'SE';

interface Playing {
  readonly leg: LegId;
  readonly wish: PlayRequest;
  readonly phrases: number;
  readonly faults: PhraseFault[];
  readonly sources: PhraseSource[];
  readonly stop: AbortController;
}

/** What loops beneath; it begins when nothing plays above it, so that it is the lowest layer. */
interface Beneath {
  readonly wish: BackgroundRequest;
  readonly plan: PhrasePlan;
  readonly stop: AbortController;
  id: PlayId | undefined;
}

/**
 * Phrases on legs.
 *
 *   play ─▶ plan ─▶ Media.play ─▶ (each awaited phrase in order: prepare ─▶ supply) ─▶ played ─▶ onPlayed, once
 *                                                                 leg gone, stop ───┘ interrupted
 *   background ─▶ nothing plays: Media.play in a loop; else when the last playback of the leg is over
 */
export class PhrasePlayer {
  readonly #dependencies: SoundDependencies;
  readonly #playing = new Map<PlayId, Playing>();
  readonly #beneath = new Map<LegId, Beneath>();
  #plays = 0;

  constructor(dependencies: SoundDependencies) {
    this.#dependencies = dependencies;
  }

  play(leg: LegId, wish: PlayRequest): Result<Playback> {
    const planned = this.#planOf(wish);
    return planned.ok ? ok(this.#begin(leg, wish, planned.value)) : planned;
  }

  playTogether(
    wishes: readonly { readonly leg: LegId; readonly wish: PlayRequest }[],
  ): Result<readonly Playback[]> {
    const ready: { leg: LegId; wish: PlayRequest; plan: PhrasePlan }[] = [];
    for (const { leg, wish } of wishes) {
      const planned = this.#planOf(wish);
      if (!planned.ok) return planned;
      ready.push({ leg, wish, plan: planned.value });
    }
    const given = new AbortController();
    const begun: (Playback | undefined)[] = ready.map(() => undefined);
    const stopped = new Set<number>();
    const { prompts, run, turn } = this.#dependencies;
    const sources = ready.flatMap(({ plan }) => plan.awaited.map(({ source }) => source));
    // What was prepared is in the cache; what failed fails again, at once or as late as it did.
    const all = Promise.all(sources.map((source) => prompts.prepare(source, given.signal)));
    run(
      all.then(() =>
        turn(() => {
          for (const [index, { leg, wish, plan }] of ready.entries()) {
            if (stopped.has(index)) wish.onPlayed(nothingOf(plan));
            else begun[index] = this.#begin(leg, wish, plan);
          }
        }),
      ),
    );
    return ok(
      ready.map((_, index) => ({
        stop: () => {
          stopped.add(index);
          begun[index]?.stop();
          if (stopped.size === ready.length) given.abort();
        },
      })),
    );
  }

  background(leg: LegId, wish: BackgroundRequest | null): Result<undefined> {
    const before = this.#beneath.get(leg);
    if (before !== undefined && wish !== null && isSame(before.wish, wish)) return ok(undefined);
    if (wish === null) {
      this.#endBackground(leg);
      return ok(undefined);
    }
    const { phrase, repeatPause = 0, lang } = wish;
    const planned = this.#planOf(
      { phrases: [phrase], ...(lang !== undefined && { lang }) },
      repeatPause * 1_000,
    );
    if (!planned.ok) return planned;
    this.#endBackground(leg);
    this.#beneath.set(leg, { wish, plan: planned.value, stop: new AbortController(), id: undefined });
    this.#beginBackground(leg);
    return ok(undefined);
  }

  ringback(leg: LegId, country = DEFAULT_COUNTRY): Playback {
    const tones = CADENCES[country.toUpperCase()] ?? CADENCES[DEFAULT_COUNTRY];
    const id = this.#newId();
    const plan: PlayPlan = {
      phrases: [{ kind: 'tone', segments: cadence(tones?.ringback ?? []) }],
      loop: { pauseMs: 0 },
      over: 'instead',
    };
    this.#dependencies.run(this.#dependencies.media.play(leg, id, plan));
    return { stop: () => this.#dependencies.run(this.#dependencies.media.stop(leg, id)) };
  }

  silence(leg: LegId): void {
    this.#endBackground(leg);
    for (const [id, playing] of this.#playing) if (playing.leg === leg) this.#stop(id, playing);
  }

  heard(event: MediaEvent): void {
    if (event.kind === 'played') this.#ended(event.play, event.results);
    else if (event.kind === 'lost') {
      for (const leg of event.legs) this.#beneath.delete(leg);
      for (const [id, { leg }] of this.#playing) if (event.legs.includes(leg)) this.#ended(id);
    }
  }

  #planOf(
    { phrases, lang = DEFAULT_LANG }: Pick<PlayRequest, 'phrases' | 'lang'>,
    pauseMs?: number,
  ): Result<PhrasePlan> {
    const loop = pauseMs === undefined ? {} : { loop: { pauseMs } };
    return phrasePlan(phrases, { lang, pathOf: this.#dependencies.pathOf, ...loop });
  }

  #begin(leg: LegId, wish: PlayRequest, { plan, awaited }: PhrasePlan): Playback {
    const id = this.#newId();
    const playing: Playing = {
      leg,
      wish,
      phrases: plan.phrases.length,
      faults: [],
      sources: [],
      stop: new AbortController(),
    };
    this.#playing.set(id, playing);
    const { media, run, turn } = this.#dependencies;
    run(
      media.play(leg, id, plan).then((begun) => {
        if (!begun.ok) turn(() => this.#ended(id));
      }),
    );
    run(
      this.#bring(leg, id, awaited, playing.stop.signal, ({ phrase }, fault, found) => {
        if (fault !== undefined) playing.faults.push(faultOf(phrase, fault));
        else if (found !== undefined) playing.sources.push(sourceOf(phrase, found));
      }),
    );
    return { stop: () => this.#stop(id, playing) };
  }

  /** One after the other: while a phrase plays the next is prepared. */
  async #bring(
    leg: LegId,
    id: PlayId,
    awaited: readonly AwaitedPhrase[],
    signal: AbortSignal,
    tell: (phrase: AwaitedPhrase, fault?: PromptFault, found?: Prepared) => void,
  ): Promise<void> {
    for (const each of awaited) {
      const prepared = await this.#dependencies.prompts.prepare(each.source, signal);
      if (signal.aborted) return;
      if (prepared.ok) tell(each, undefined, prepared.value);
      else tell(each, prepared.error);
      await this.#dependencies.media.supply(leg, id, each.name, prepared.ok ? prepared.value.prompt : null);
    }
  }

  #stop(id: PlayId, { leg, stop }: Playing): void {
    stop.abort();
    const { media, run, turn } = this.#dependencies;
    // Of a leg that is gone nobody says `played` any more.
    run(media.stop(leg, id).then((stopped) => stopped.ok || turn(() => this.#ended(id))));
  }

  #ended(id: PlayId, results?: readonly PhraseResult[]): void {
    const playing = this.#playing.get(id);
    if (playing === undefined) return;
    this.#playing.delete(id);
    playing.stop.abort();
    const { leg, wish, faults, sources, phrases } = playing;
    this.#beginBackground(leg);
    wish.onPlayed({ results: results ?? Array(phrases).fill('interrupted'), faults, sources });
  }

  #beginBackground(leg: LegId): void {
    const beneath = this.#beneath.get(leg);
    if (beneath === undefined || beneath.id !== undefined) return;
    for (const playing of this.#playing.values()) if (playing.leg === leg) return;
    const id = this.#newId();
    beneath.id = id;
    const { media, run, turn } = this.#dependencies;
    run(media.play(leg, id, beneath.plan.plan));
    run(
      this.#bring(leg, id, beneath.plan.awaited, beneath.stop.signal, ({ phrase }, fault) => {
        if (fault !== undefined) turn(() => beneath.wish.onFault?.(faultOf(phrase, fault)));
      }),
    );
  }

  #endBackground(leg: LegId): void {
    const beneath = this.#beneath.get(leg);
    this.#beneath.delete(leg);
    beneath?.stop.abort();
    if (beneath?.id !== undefined) this.#dependencies.run(this.#dependencies.media.stop(leg, beneath.id));
  }

  #newId(): PlayId {
    return `sound-${++this.#plays}`;
  }
}

const isSame = (one: BackgroundRequest, other: BackgroundRequest): boolean =>
  JSON.stringify([one.phrase, one.lang, one.repeatPause]) ===
  JSON.stringify([other.phrase, other.lang, other.repeatPause]);

const nothingOf = ({ plan }: PhrasePlan) => ({
  results: plan.phrases.map(() => 'interrupted' as const),
  faults: [],
  sources: [],
});

const faultOf = (phrase: number, { code, reason }: PromptFault): PhraseFault => ({
  phrase,
  alarm: code === 'Late' ? 'phraseRemoteCacheTimeout' : 'phraseError',
  reason,
});

const sourceOf = (phrase: number, { cacheHit, stale, spoken }: Prepared): PhraseSource => ({
  phrase,
  cacheHit,
  ...(stale && { stale }),
  ...(spoken && { engine: spoken.engine, firstSoundMs: spoken.firstSoundMs }),
});
