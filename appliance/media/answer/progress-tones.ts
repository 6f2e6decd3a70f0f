import { dbm0OfPower, SILENCE_DBM0 } from '../audio/index.ts';
import { CADENCES, type CadencePart } from '../dtmf/index.ts';
import { type CadenceFrame, CadenceWatch } from './cadence-watch.ts';
import { ToneSet } from './tone-set.ts';

/**
 * `Chosen:` the tone holds so much of the energy of a frame; 425 Hz that are 10 Hz off still do, with noise 12 dB below them, and
 * a vowel does for a frame at most.
 */
const SHARE = 0.8;
/** `Chosen:` a pause is so far below its tone, dB; the line may have noise. */
const PAUSE_BELOW_DB = 10;
/** Between these two a frame may hold a tone of the table (350 to 650 Hz). */
const LOWEST_HZ = 350;
const HIGHEST_HZ = 650;

/**
 * Busy and ringback in band, by the table of the countries (`dtmf/cadence.codes.ts`: the list of ITU-T E.180, and SIN 350 of GB).
 * `Chosen:` those of every country are heard, since a number says nothing about where its call is forwarded to.
 */
export class ProgressTones {
  readonly #sets: readonly ToneSet[];
  readonly #watches: readonly CadenceWatch[];
  /** Level of the last frame with a tone. */
  #toneDbm0 = SILENCE_DBM0;
  /** The last frame was one of them. */
  isTone = false;

  constructor() {
    kinds ??= tonesOfCountries();
    this.#sets = kinds.map(({ set }) => set);
    this.#watches = kinds.map(({ busy, ringback }) => new CadenceWatch(busy, ringback));
  }

  /** The next 20 ms. @param hz of its strongest sine @param energy of its samples @param isQuiet it is no sound of the callee */
  push(frame: Int16Array, hz: number, energy: number, isQuiet: boolean): 'busy' | 'ringback' | undefined {
    let found: 'busy' | 'ringback' | undefined;
    this.isTone = false;
    const dbm0 = dbm0OfPower(energy / frame.length);
    const isPause = isQuiet || dbm0 < this.#toneDbm0 - PAUSE_BELOW_DB;
    const mayBe = !isQuiet && hz >= LOWEST_HZ && hz <= HIGHEST_HZ;
    for (let index = 0; index < this.#watches.length; index++) {
      const isOn = mayBe && (this.#sets[index]?.share(frame, energy) ?? 0) >= SHARE;
      if (isOn) this.isTone = true;
      const seen: CadenceFrame = isOn ? 'on' : isPause ? 'off' : 'other';
      found = this.#watches[index]?.push(seen) ?? found;
    }
    if (this.isTone) this.#toneDbm0 = dbm0;
    return found;
  }
}

interface ToneKind {
  readonly set: ToneSet;
  readonly busy: CadencePart[][];
  readonly ringback: CadencePart[][];
}

/** Made with the first call that is listened to, for all of them: a set has 160 sines for each axis. */
let kinds: readonly ToneKind[] | undefined;

function tonesOfCountries(): readonly ToneKind[] {
  const found = new Map<string, ToneKind>();
  const put = (what: 'busy' | 'ringback', period: readonly CadencePart[]): void => {
    const hz = period[0]?.hz ?? [];
    const kind = found.get(hz.join(' ')) ?? { set: new ToneSet(hz), busy: [], ringback: [] };
    kind[what].push([...period]);
    found.set(hz.join(' '), kind);
  };
  for (const { busy, ringback } of Object.values(CADENCES)) {
    put('busy', busy);
    put('ringback', ringback);
  }
  return [...found.values()];
}
