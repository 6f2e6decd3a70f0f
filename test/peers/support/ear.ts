import type { MediaEvent } from '#appliance/media/control/index.ts';
import { tone } from '#appliance/media/dtmf/index.ts';
import type { Line, LineUser } from '#appliance/simulator/endpoint/telephone.ts';
import type { OpenTelephone } from '#appliance/simulator/io/open-telephone.ts';

/** Our side of a call: says its tone for as long as it lasts, and knows whether it hears the other's. */
export class Ear implements LineUser {
  readonly #media: OpenTelephone['media'];
  #line: Line | undefined;
  hears = false;
  silent = false;
  digits: [string, string][] = [];
  over: string | undefined;
  /** Tones that sound now, Hz. */
  readonly sounding = new Set<number>();

  /** Hz. */
  readonly #wanted: number;
  readonly #says: number;
  readonly #others: readonly number[];

  /** `others`: further tones that are listened to; Hz each. */
  constructor({ media }: OpenTelephone, wanted: number, says: number, others: readonly number[] = []) {
    this.#media = media;
    this.#wanted = wanted;
    this.#says = says;
    this.#others = others;
  }

  /** A call of ours has been answered and has not ended. */
  get isOnLine(): boolean {
    return this.#line !== undefined && this.over === undefined;
  }

  get line(): Line {
    if (this.#line === undefined) throw new Error('nobody is on the line');
    return this.#line;
  }

  begin(): void {
    this.hears = false;
    this.silent = false;
    this.digits = [];
    this.over = undefined;
    this.sounding.clear();
  }

  /** Presses keys instead of our tone, which is silent from then on. */
  press(digits: string): void {
    void this.#media.play(this.line.name, 'keys', {
      phrases: [{ kind: 'digits', digits, onMs: 150, offMs: 150 }],
      over: 'instead',
    });
  }

  readonly answered = (line: Line): void => {
    this.#line = line;
    const tones = [this.#wanted, ...this.#others].map((hz) => ({ hz }));
    void this.#media.listen(line.name, { profile: 'ivr', digits: true, tones });
    const segments = [tone(this.#says, 1_000)];
    void this.#media.play(line.name, 'our tone', {
      phrases: [{ kind: 'tone', segments }],
      loop: { pauseMs: 0 },
      over: 'instead',
    });
  };

  readonly mediaEvent = (_: Line, event: MediaEvent): void => {
    if (event.kind === 'digit' && event.edge === 'end') this.digits.push([event.digit, event.source]);
    if (event.kind !== 'tone') return;
    if (event.edge === 'begin') this.sounding.add(event.frequencyHz);
    else this.sounding.delete(event.frequencyHz);
    if (event.frequencyHz !== this.#wanted) return;
    if (event.edge === 'begin') this.hears = true;
    this.silent = event.edge === 'end';
  };

  readonly ended = (_: Line, reason: string): void => {
    this.over = reason;
  };
}
