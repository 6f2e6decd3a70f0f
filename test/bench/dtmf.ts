import { ALARM_PROFILE, IVR_PROFILE } from '#appliance/media/dtmf/index.ts';
import { digitsOnLine, LAWS, through } from '../appliance/media/dtmf/digit-signal.ts';
import { faultOf, hearRows, lineOf } from './dtmf/accuracy.ts';
import { multimon, ours, Spandsp } from './dtmf/ear.ts';
import { talk } from './dtmf/talk.ts';
import type { DtmfSetting, DtmfTurn } from './process/dtmf-hearing.ts';
import type { Bench, BenchContext, BenchResult, Figure } from './support/bench.ts';
import { startChild } from './support/child-process.ts';
import { median } from './support/figure.ts';
import { inPlace, type Place } from './support/place.ts';

/**
 * Row 11: what the DTMF detector hears and must not hear, and the processor time it takes, against spandsp and multimon-ng
 * on the same files.
 */
export const dtmf: Bench = { row: 11, name: 'dtmf', run };

const HOURS = 2.7;

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  return await inPlace(async (place) => {
    const folder = place.folder();
    const spandsp = new Spandsp(folder);
    const seconds = quick ? 280 : HOURS * 3_600;
    say(`${(seconds / 3_600).toFixed(2)} h of speech by 14 voices`);
    const spoken = await talk(seconds);

    const [under = { samples: new Int16Array(0) }] = spoken;
    const rows = hearRows(folder, spandsp, under.samples, { count: quick ? 60 : 400, seed: 21 });
    say('heard %, +digits nobody sent                       ours     spandsp   multimon');
    for (const row of rows) say(lineOf(row));
    const faults = rows.map((row) => faultOf(row, quick ? 0.05 : 0)).filter((fault) => fault !== undefined);

    let [wrong, theirs, others] = [0, 0, 0];
    for (const { name, samples } of spoken) {
      const line = through(LAWS.PCMA, samples);
      const mine = [ALARM_PROFILE, IVR_PROFILE].map((profile) => ours(profile, { samples: line }));
      const [detected] = spandsp.hear([line]);
      const them = multimon(folder, line);
      wrong += Math.max(...mine.map(({ length }) => length));
      theirs += detected?.digits.length ?? 0;
      others += them.length;
      say(`talk ${name.padEnd(20)} ${mine.join('/') || '-'} | ${detected?.digits || '-'} | ${them.length}`);
    }

    const speech = spoken.flatMap(({ samples }) => [...samples.subarray(0, 8_000 * 6)]);
    const digits = digitsOnLine({ count: 800 }).samples;
    const rounds = quick ? 3 : 9;
    const speechCost = await cost(place, spandsp, through(LAWS.PCMA, Int16Array.from(speech)), rounds);
    const digitCost = await cost(place, spandsp, through(LAWS.PCMA, digits), rounds);
    for (const fault of faults) say(`MISSED ${fault}`);
    return {
      figures: [
        {
          ...limit,
          what: 'rows of the table that miss',
          unit: 'rows',
          ours: faults.length,
          judged: faults.length,
        },
        { ...limit, what: 'digits heard in speech', unit: 'digits', ours: wrong, judged: wrong },
        costed('processor time for a second of speech; peer spandsp', speechCost),
        costed('processor time for a second of digits without pause; peer spandsp', digitCost),
      ],
      notes: [
        `${rows.length} rows of ${rows[0]?.sent ?? 0} digits, both laws together, ours: the worse of both profiles`,
        `${(seconds / 3_600).toFixed(2)} h of speech, A-law: spandsp heard ${theirs} digits, multimon-ng ${others}`,
        `processor time: rounds in turn, ${rounds} of them, median; each the fastest of ten; one profile, no tones beside it`,
      ],
    };
  });
}

const limit = { row: 11, gate: 0, ambition: 0, wanted: 'most' } as const;

interface Cost {
  readonly ours: number;
  readonly peer: number;
  readonly ratio: number;
}

const costed = (what: string, { ours: mine, peer, ratio }: Cost): Figure => ({
  ...{ row: 11, what, unit: 'µs', ours: mine, peer, judged: ratio, gate: 2, ambition: 1.4, wanted: 'most' },
});

/** Microseconds per second of sound, ours in a process of its own. */
async function cost(place: Place, spandsp: Spandsp, samples: Int16Array, rounds: number): Promise<Cost> {
  const child = await place.keep(
    startChild<DtmfSetting, null, DtmfTurn, number>(hearing, { samples: samples.slice() }),
  );
  const seconds = samples.length / 8_000;
  const turns: { readonly ours: number; readonly peer: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const mine = (await child.ask({ rounds: 10 })) / 1_000 / seconds;
    const [theirs] = spandsp.hear([samples], 10);
    turns.push({ ours: mine, peer: (theirs?.ns ?? Number.NaN) / 1_000 / seconds });
  }
  return {
    ours: median(turns.map((turn) => turn.ours)),
    peer: median(turns.map((turn) => turn.peer)),
    ratio: median(turns.map((turn) => turn.ours / turn.peer)),
  };
}

const hearing = new URL('./process/dtmf-hearing.ts', import.meta.url);
