/** How the start of one call went, until the device had its acknowledge or nothing could be read. */
export interface Handshake {
  readonly protocol: string;
  /** `first`: the first string was taken and at most one request was needed; `retried`: more; `failed`: none was taken. */
  readonly result: 'first' | 'retried' | 'failed';
  readonly requests: number;
  /** Strings that were no valid ones. */
  readonly badStrings: number;
  /** In-band digits measured, and their means. */
  readonly digits: number;
  /** Digits that came as events of RFC 4733. */
  readonly events?: number;
  /** How our tones went out. */
  readonly saidAs?: '2833' | 'inaudio';
  readonly levelDbm0?: number;
  /** High group over low group, dB. */
  readonly twistDb?: number;
  /** Level of the noise under the tones. */
  readonly noiseDbm0?: number;
  /** Policy learn: check methods that fit its string. */
  readonly checkMethods?: readonly string[];
}

export interface DigitMeasure {
  readonly levelDbm0?: number | undefined;
  readonly twistDb?: number | undefined;
  readonly noiseDbm0?: number | undefined;
}

/** Counts and measures one call. Levels are averaged in dB: what an installer reads off a meter. */
export class HandshakeMeter {
  #requests = 0;
  #badStrings = 0;
  #digits = 0;
  #events = 0;
  #level = 0;
  #twist = 0;
  #noise = 0;
  #noisy = 0;
  #isOver = false;
  #checkMethods: readonly string[] = [];

  asked(): void {
    this.#requests++;
  }

  badString(): void {
    this.#badStrings++;
  }

  learned(methods: readonly string[]): void {
    this.#checkMethods = methods;
  }

  digit({ levelDbm0, twistDb, noiseDbm0 }: DigitMeasure): void {
    if (this.#isOver) return;
    if (levelDbm0 === undefined || twistDb === undefined) {
      this.#events++;
      return;
    }
    this.#digits++;
    this.#level += levelDbm0;
    this.#twist += twistDb;
    if (noiseDbm0 === undefined) return;
    this.#noisy++;
    this.#noise += noiseDbm0;
  }

  /** @returns undefined when the call was reported already: later strings of a call are no handshakes */
  over(protocol: string, taken: boolean): Handshake | undefined {
    if (this.#isOver) return undefined;
    this.#isOver = true;
    const first = this.#requests <= 1 && this.#badStrings === 0;
    const digits = this.#digits;
    return {
      protocol,
      result: !taken ? 'failed' : first ? 'first' : 'retried',
      requests: this.#requests,
      badStrings: this.#badStrings,
      digits,
      ...(this.#events > 0 && { events: this.#events }),
      ...(digits > 0 && { levelDbm0: tenth(this.#level / digits), twistDb: tenth(this.#twist / digits) }),
      ...(this.#noisy > 0 && { noiseDbm0: tenth(this.#noise / this.#noisy) }),
      ...(taken && this.#checkMethods.length > 0 && { checkMethods: this.#checkMethods }),
    };
  }
}

const tenth = (value: number): number => Math.round(value * 10) / 10;
