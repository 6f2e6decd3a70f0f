import { fail, type Result } from '#shared/result.ts';
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
  readonly request: PlayRequest;
  readonly phrases: number;
  readonly faults: PhraseFault[];
  readonly sources: PhraseSource[];
  readonly stop: AbortController;
}

/** The phrase that loops beneath all other phrases. */
interface Beneath {
  readonly request: BackgroundRequest;
  readonly stop: AbortController;
  readonly id: PlayId;
}

/**
 * Phrases on legs.
 *
 *   play ─▶ plan ─▶ Media.play ─▶ (each awaited phrase in order: prepare ─▶ supply) ─▶ played ─▶ onPlayed, once
 *                                                                leg ended, stop ───┘ interrupted
 *   background ─▶ Media.play in a loop, beneath: mixed under phrases and softer while one plays
 */
export class PhrasePlayer {
  readonly #dependencies: SoundDependencies;
  readonly #playing = new Map<PlayId, Playing>();
  readonly #beneath = new Map<LegId, Beneath>();
  #plays = 0;

  constructor(dependencies: SoundDependencies) {
    this.#dependencies = dependencies;
  }

  play(leg: LegId, request: PlayRequest): Playback {
    return this.#begin(leg, request, this.#planOf(request));
  }

  playTogether(
    requests: readonly { readonly leg: LegId; readonly request: PlayRequest }[],
  ): readonly Playback[] {
    const ready = requests.map(({ leg, request }) => ({ leg, request, plan: this.#planOf(request) }));
    const given = new AbortController();
    const begun: (Playback | undefined)[] = ready.map(() => undefined);
    const stopped = new Set<number>();
    const { run, turn } = this.#dependencies;
    const sources = ready.flatMap(({ plan }) => plan.awaited.map(({ source }) => source));
    // The cache holds each prepared phrase; a failed one fails again, at once or as late as it did.
    const all = Promise.all(sources.map((source) => this.#prepared(source, given.signal)));
    run(
      all.then(() =>
        turn(() => {
          for (const [index, { leg, request, plan }] of ready.entries()) {
            if (stopped.has(index)) request.onPlayed(nothingOf(plan));
            else begun[index] = this.#begin(leg, request, plan);
          }
        }),
      ),
    );
    return ready.map((_, index) => ({
      stop: () => {
        stopped.add(index);
        begun[index]?.stop();
        if (stopped.size === ready.length) given.abort();
      },
    }));
  }

  background(leg: LegId, request: BackgroundRequest | null): void {
    const before = this.#beneath.get(leg);
    if (before !== undefined && request !== null && isSame(before.request, request)) return;
    this.#endBackground(leg);
    if (request === null) return;
    const { phrase, repeatPause = 0, lang, ducking } = request;
    const { plan, awaited } = this.#planOf(
      { phrases: [phrase], ...(lang !== undefined && { lang }) },
      repeatPause * 1_000,
    );
    const beneath: Beneath = { request, stop: new AbortController(), id: this.#newId() };
    this.#beneath.set(leg, beneath);
    const { media, run, turn } = this.#dependencies;
    const loop: PlayPlan = { ...plan, over: 'beneath', ...(ducking !== undefined && { duckingDb: ducking }) };
    run(media.play(leg, beneath.id, loop));
    run(
      this.#bring(leg, beneath.id, awaited, beneath.stop.signal, ({ phrase: index }, fault) => {
        if (fault !== undefined) turn(() => beneath.request.onFault?.(faultOf(index, fault)));
      }),
    );
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

  onMediaEvent(event: MediaEvent): void {
    if (event.kind === 'played') this.#ended(event.play, event.results);
    else if (event.kind === 'lost') {
      for (const leg of event.legs) this.#beneath.delete(leg);
      for (const [id, { leg }] of this.#playing) if (event.legs.includes(leg)) this.#ended(id);
    }
  }

  #planOf(
    { phrases, lang = DEFAULT_LANG }: Pick<PlayRequest, 'phrases' | 'lang'>,
    pauseMs?: number,
  ): PhrasePlan {
    const loop = pauseMs === undefined ? {} : { loop: { pauseMs } };
    return phrasePlan(phrases, { lang, ...loop });
  }

  /** The place of a named file is looked up now, so that a file of a moment ago is found. */
  async #prepared(
    source: AwaitedPhrase['source'],
    signal: AbortSignal,
  ): Promise<Result<Prepared, PromptFault>> {
    if (!source.ok) return source;
    const { prompts, locate } = this.#dependencies;
    if (source.value.kind !== 'named') return await prompts.prepare(source.value, signal);
    const { fileName, revision } = source.value;
    const located = await locate({ fileName, ...(revision !== undefined && { revision }) }, signal);
    if (!located.ok) return located;
    const { path, release } = located.value;
    const prepared = await prompts.prepare({ kind: 'file', path }, signal);
    await release?.();
    if (prepared.ok) return prepared;
    // An application knows names; places on the disk of a host are no part of the interface.
    const { code, reason } = prepared.error;
    return fail(code, reason.replaceAll(path, fileName));
  }

  #begin(leg: LegId, request: PlayRequest, { plan, awaited }: PhrasePlan): Playback {
    const id = this.#newId();
    const playing: Playing = {
      leg,
      request,
      phrases: plan.phrases.length,
      faults: [],
      sources: [],
      stop: new AbortController(),
    };
    this.#playing.set(id, playing);
    const { media, run, turn } = this.#dependencies;
    const { over = 'instead', shared } = request;
    run(
      media.play(leg, id, { ...plan, over, ...(shared && { shared }) }).then((begun) => {
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
      const prepared = await this.#prepared(each.source, signal);
      if (signal.aborted) return;
      if (prepared.ok) tell(each, undefined, prepared.value);
      else tell(each, prepared.error);
      await this.#dependencies.media.supply(leg, id, each.name, prepared.ok ? prepared.value.prompt : null);
    }
  }

  #stop(id: PlayId, { leg, stop }: Playing): void {
    stop.abort();
    const { media, run, turn } = this.#dependencies;
    // A leg that has ended brings no `played` any more.
    run(media.stop(leg, id).then((stopped) => stopped.ok || turn(() => this.#ended(id))));
  }

  #ended(id: PlayId, results?: readonly PhraseResult[]): void {
    const playing = this.#playing.get(id);
    if (playing === undefined) return;
    this.#playing.delete(id);
    playing.stop.abort();
    const { request, faults, sources, phrases } = playing;
    request.onPlayed({ results: results ?? Array(phrases).fill('interrupted'), faults, sources });
  }

  #endBackground(leg: LegId): void {
    const beneath = this.#beneath.get(leg);
    this.#beneath.delete(leg);
    if (beneath === undefined) return;
    beneath.stop.abort();
    this.#dependencies.run(this.#dependencies.media.stop(leg, beneath.id));
  }

  #newId(): PlayId {
    return `sound-${++this.#plays}`;
  }
}

const isSame = (one: BackgroundRequest, other: BackgroundRequest): boolean =>
  JSON.stringify([one.phrase, one.lang, one.repeatPause, one.ducking]) ===
  JSON.stringify([other.phrase, other.lang, other.repeatPause, other.ducking]);

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
