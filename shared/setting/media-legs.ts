import { fail, ok, type Result } from '#shared/result.ts';

/** Legs that one media worker takes. */
export interface MediaLegs {
  /** New ordinary calls are taken up to here. */
  readonly ordinary: number;
  /** Alarms and the other side of running calls up to here. */
  readonly alarm: number;
  /** With fewer nothing is refused, whatever the processor does. */
  readonly sure: number;
}

/** Chosen split. */
export const DEFAULT_MEDIA_LEGS: MediaLegs = { ordinary: 500, alarm: 800, sure: 50 };

const MOST = 10_000;
const EXAMPLE = 'ordinary=500,alarm=800,sure=50';

export const mediaLegsText = ({ ordinary, alarm, sure }: MediaLegs): string =>
  `ordinary=${ordinary},alarm=${alarm},sure=${sure}`;

/** `ordinary=500,alarm=800,sure=50`: any of the three, each once; alarms must have room of their own. */
export function mediaLegs(written: string): Result<MediaLegs> {
  const legs = new Map<string, number>();
  for (const each of written.split(',')) {
    const [, name = '', count] = /^\s{0,9}(ordinary|alarm|sure)=(\d{1,5})\s{0,9}$/.exec(each) ?? [];
    const most = Number(count);
    if (name === '' || legs.has(name) || most < 1 || most > MOST)
      return wrong(`"${each}" is not a number of legs from 1 to ${MOST}, each word once`);
    legs.set(name, most);
  }
  const all: MediaLegs = { ...DEFAULT_MEDIA_LEGS, ...Object.fromEntries(legs) };
  const { ordinary, alarm, sure } = all;
  if (alarm <= ordinary)
    return wrong(`alarm=${alarm} must be more than ordinary=${ordinary}: alarms need room`);
  return sure > ordinary ? wrong(`sure=${sure} must not be more than ordinary=${ordinary}`) : ok(all);
}

const wrong = (reason: string) => fail('configurationWrong', `${reason}; write for example ${EXAMPLE}`);
