import { uuid } from '#shared/id.ts';
import { LegTap } from './leg-tap.ts';
import type { SoundDependencies } from './port.ts';
import type { Hearing, HearRequest } from './sound.ts';

const NO_RECOGNISER = 'this host has no recogniser; name a file of recognisers in CARILLON_RECOGNISERS';

type Dependencies = Pick<SoundDependencies, 'media' | 'random' | 'run' | 'speech' | 'turn'>;

/** The speech of legs to the thread that recognises it. */
export class LegHearings {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  hear({ leg, onEvent, ...wish }: HearRequest): Hearing {
    const { speech, random, run, turn } = this.#dependencies;
    if (speech === undefined) {
      onEvent({ kind: 'ended', result: { reason: 'error', error: NO_RECOGNISER } });
      return { stop: () => undefined };
    }
    const hearing = uuid(random(16));
    const tap = new LegTap(this.#dependencies, `speech ${hearing}`, [[leg]], 'said');
    const [input] = tap.rings;
    if (input === undefined) throw new Error('a tap of one channel has one ring');
    tap.begin();
    speech.start({ hearing, input, wish }, (event) =>
      turn(() => {
        if (event.kind === 'ended') run(tap.end());
        onEvent(event);
      }),
    );
    return {
      stop: () => {
        run(tap.end());
        speech.stop(hearing);
      },
    };
  }
}
