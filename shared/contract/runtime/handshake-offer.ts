import { z } from 'zod';

/** A proposed value of a setting, because of how calls began. */
export const handshakeOfferSchema = z
  .object({
    setting: z.enum(['tones', 'protocol', 'check', 'line']).meta({
      description:
        'tones: toneSettings of the alarm bridge; protocol: that of the bridge or device; check: check.method of its profile; line: the telephone line, without a setting',
    }),
    value: z.string().optional().meta({ description: 'Suggested value; absent for line' }),
    reason: z.string().meta({ description: 'Counted reason for the suggestion' }),
  })
  .meta({ id: 'HandshakeOffer', description: 'A setting that may suit better' });

export type HandshakeOffer = z.output<typeof handshakeOfferSchema>;

/** Counts that an offer is judged by. */
export interface HandshakeCounts {
  readonly calls: number;
  readonly firstTry: number;
  readonly retried: number;
  readonly failed: number;
  readonly requests: number;
  readonly digits: number;
  readonly events?: number | undefined;
  readonly saidAsEvents?: number | undefined;
  readonly protocols?: Readonly<Record<string, number>> | undefined;
  readonly checkMethods?: Readonly<Record<string, number>> | undefined;
  readonly levelDbm0?: number | undefined;
  readonly twistDb?: number | undefined;
  readonly noiseDbm0?: number | undefined;
}

/** `Chosen:` fewer calls tell nothing; nine of ten are to begin at the first try; nearly all is 95 %. */
const LEAST_CALLS = 20;
const GOOD_SHARE = 0.9;
const NEARLY_ALL = 0.95;
/** Levels that receivers of digits are made for (dBm0), and what of twist and noise they bear (dB). */
const LEVEL = { least: -25, most: -3 } as const;
const MOST_TWIST_DB = 6;
const LEAST_ABOVE_NOISE_DB = 15;

/** Proposes changes where calls begin badly, and the check digits that fit; nothing after a few calls. */
export function handshakeOffers(counts: HandshakeCounts): HandshakeOffer[] {
  if (counts.calls < LEAST_CALLS) return [];
  const isBad = counts.firstTry / counts.calls < GOOD_SHARE;
  return [
    ...checkOffers(counts),
    ...(isBad ? [...toneOffers(counts), ...protocolOffers(counts), ...lineHints(counts)] : []),
  ];
}

function checkOffers({ firstTry, retried, checkMethods = {} }: HandshakeCounts): HandshakeOffer[] {
  const taken = firstTry + retried;
  if (taken < LEAST_CALLS) return [];
  return Object.entries(checkMethods)
    .filter(([, fits]) => fits / taken >= NEARLY_ALL)
    .map(([value, fits]) => ({
      setting: 'check',
      value,
      reason: `the check digits of ${fits} of ${taken} strings match the method ${value}, so they can be verified`,
    }));
}

function toneOffers({
  calls,
  firstTry,
  digits,
  events = 0,
  saidAsEvents = 0,
}: HandshakeCounts): HandshakeOffer[] {
  const said = `${calls - firstTry} of ${calls} calls did not begin at the first try`;
  if (saidAsEvents > calls / 2)
    return [
      {
        setting: 'tones',
        value: 'inaudio',
        reason: `${said}, and the platform sends tones as RFC 4733 events: the device may hear tones in the audio only`,
      },
    ];
  if (events > digits)
    return [
      {
        setting: 'tones',
        value: '2833',
        reason: `${said}; the device sends digits as RFC 4733 events, and the tones of the platform are in the audio and may be lost on the line`,
      },
    ];
  return [];
}

function protocolOffers({ calls, failed, requests, protocols = {} }: HandshakeCounts): HandshakeOffer[] {
  if (failed >= calls / 2)
    return [
      {
        setting: 'protocol',
        value: 'multiprotocol',
        reason: `no string was read in ${failed} of ${calls} calls: the devices may speak another protocol, and multiprotocol detects it`,
      },
    ];
  const all = Object.values(protocols).reduce((sum, count) => sum + count, 0);
  const [most] = Object.entries(protocols).toSorted(([, a], [, b]) => b - a);
  if (most === undefined || all < LEAST_CALLS || most[1] / all < NEARLY_ALL || requests < 2 * calls)
    return [];
  return [
    {
      setting: 'protocol',
      value: most[0],
      reason: `${most[1]} of ${all} strings were of ${most[0]}, found after ${Math.round((requests / calls) * 10) / 10} requests of each call`,
    },
  ];
}

function lineHints({
  levelDbm0: level,
  twistDb: twist,
  noiseDbm0: noise,
}: HandshakeCounts): HandshakeOffer[] {
  if (level === undefined) return [];
  const hints = [
    level < LEVEL.least ? `the tones arrive with ${level} dBm0: too faint` : undefined,
    level > LEVEL.most ? `the tones arrive with ${level} dBm0: too loud, they may be clipped` : undefined,
    twist !== undefined && Math.abs(twist) > MOST_TWIST_DB
      ? `the two tones of a digit differ by ${twist} dB: the line favours one of them`
      : undefined,
    noise !== undefined && level - noise < LEAST_ABOVE_NOISE_DB
      ? `the noise of ${noise} dBm0 is too loud for tones of ${level} dBm0`
      : undefined,
  ];
  return hints.flatMap((reason) => (reason === undefined ? [] : [{ setting: 'line', reason }]));
}
