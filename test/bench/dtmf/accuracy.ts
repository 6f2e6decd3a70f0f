import { applyGain, levelOf, saturate } from '#appliance/media/audio/index.ts';
import { ALARM_PROFILE, IVR_PROFILE } from '#appliance/media/dtmf/index.ts';
import { digitsOnLine, LAWS, through } from '../../appliance/media/dtmf/digit-signal.ts';
import { compare, concealed, multimon, ours, type Sound, type Spandsp } from './ear.ts';
import { ROWS, type Row } from './table.ts';

const PROFILES = { alarm: ALARM_PROFILE, ivr: IVR_PROFILE } as const;
const LAW_NAMES = ['PCMA', 'PCMU'] as const;

/** Digits heard of those sent, and digits that were not sent; over both laws, the worse of both profiles for ours. */
export interface Detected {
  readonly row: Row;
  readonly sent: number;
  readonly ours: { readonly hits: number; readonly extra: number };
  readonly spandsp: { readonly hits: number; readonly extra: number };
  readonly multimon: { readonly hits: number; readonly extra: number };
}

/** Every row through both laws, by everybody. @param talking speech to lay under the digits */
export function hearRows(
  folder: string,
  spandsp: Spandsp,
  talking: Int16Array,
  setting: { readonly count: number; readonly seed: number },
): readonly Detected[] {
  return ROWS.map((row) => hearRow(row, folder, spandsp, talking, setting));
}

function hearRow(
  row: Row,
  folder: string,
  spandsp: Spandsp,
  talking: Int16Array,
  { count, seed }: { readonly count: number; readonly seed: number },
): Detected {
  const [mine, theirs, others] = [zero(), zero(), zero()];
  let total = 0;
  for (const law of LAW_NAMES) {
    const sent = digitsOnLine({ ...row.line, count, seed });
    const digits = sent.digits.map(({ digit }) => digit).join('');
    const clean = row.speechDb === undefined ? sent.samples : over(sent.samples, talking, row.speechDb);
    const line = through(LAWS[law], clean);
    const sound: Sound = row.loss === undefined ? { samples: line } : concealed(line, row.loss, seed);
    const both = Object.values(PROFILES).map((profile) => compare(digits, ours(profile, sound)));
    // The worse profile: fewest hits where digits are wanted, most where not.
    const hits = both.map((each) => each.hits);
    add(mine, {
      hits: row.must === 'reject' ? Math.max(...hits) : Math.min(...hits),
      extra: Math.max(...both.map((each) => each.extra)),
    });
    const [detected] = spandsp.hear([sound.samples]);
    add(theirs, compare(digits, detected?.digits ?? ''));
    add(others, compare(digits, multimon(folder, sound.samples)));
    total += digits.length;
  }
  return { row, sent: total, ours: mine, spandsp: theirs, multimon: others };
}

interface Count {
  hits: number;
  extra: number;
}
const zero = (): Count => ({ hits: 0, extra: 0 });
function add(sum: Count, more: Count): void {
  sum.hits += more.hits;
  sum.extra += more.extra;
}

/** Speech under digits of −10 dBm0 a tone, so many dB below the two together while it lasts. */
function over(samples: Int16Array, talking: Int16Array, belowDb: number): Int16Array {
  const speech = talking.slice(0, samples.length);
  applyGain(speech, 10 ** ((-7 - belowDb - levelOf(speech)) / 20));
  return samples.map((sample, i) => saturate(sample + (speech[i] ?? 0)));
}

/**
 * The fault of a row: a sentence, or undefined when all is well.
 *
 * @param chance share of the digits by which a row that only informs may lie below spandsp; with few digits each masks
 * others than the other hears
 */
export function faultOf({ row, sent, ours: mine, spandsp }: Detected, chance = 0): string | undefined {
  const said = `${row.name}: ${mine.hits} of ${sent} heard, ${mine.extra} extra; spandsp ${spandsp.hits}, ${spandsp.extra}`;
  if (row.must === 'accept') return mine.hits === sent && mine.extra === 0 ? undefined : said;
  if (row.must === 'reject') return mine.hits + mine.extra === 0 ? undefined : said;
  return mine.hits >= spandsp.hits - chance * sent && mine.extra <= spandsp.extra ? undefined : said;
}

export function lineOf({ row, sent, ours: mine, spandsp, multimon: others }: Detected): string {
  const share = ({ hits, extra }: Count) =>
    `${((100 * hits) / sent).toFixed(1)}${extra > 0 ? ` +${extra}` : ''}`.padStart(11);
  return `${row.must.padEnd(7)} ${row.name.padEnd(34)} ${share(mine)} ${share(spandsp)} ${share(others)}`;
}
