import type { Codec } from './description.ts';

/** Voice codecs we speak. */
export type CodecName = 'PCMA' | 'PCMU' | 'GSM';

/** Everything an m-line of ours may hold; all run at 8,000 Hz with one channel. */
export type FormatName = CodecName | 'CN' | 'telephone-event';

const CLOCK_RATE = 8_000;

/** Payload type in our own offers: static by RFC 3551 6, or where our dynamic number begins. */
const NUMBER: Readonly<Record<FormatName, number>> = {
  PCMU: 0,
  GSM: 3,
  PCMA: 8,
  CN: 13,
  'telephone-event': 101,
};
const NAMES = Object.keys(NUMBER) as FormatName[];
const BY_LOWER: ReadonlyMap<string, FormatName> = new Map(NAMES.map((name) => [name.toLowerCase(), name]));

/** Static payload types that may stand without `a=rtpmap` (RFC 3551 table 4). */
const STATIC: ReadonlyMap<number, readonly [name: string, clockRate: number]> = new Map([
  [0, ['PCMU', 8_000]],
  [3, ['GSM', 8_000]],
  [4, ['G723', 8_000]],
  [8, ['PCMA', 8_000]],
  [9, ['G722', 8_000]],
  [13, ['CN', 8_000]],
  [18, ['G729', 8_000]],
]);

const EVENT: FormatName = 'telephone-event';
const DYNAMIC_FIRST = 96;
const DYNAMIC_LAST = 127;

/** DTMF events we send and hear (RFC 4733 3.2): 0 to 9, *, #, A to D. */
const EVENTS = '0-15';
const DIGITS = '0123456789*#ABCD';

/** Encoding names compare without case (RFC 4855 3). */
export const canonicalName = (name: string): string => BY_LOWER.get(name.toLowerCase()) ?? name;

export const staticCodec = (payloadType: number): Codec | undefined => {
  const known = STATIC.get(payloadType);
  return known === undefined ? undefined : { payloadType, name: known[0], clockRate: known[1], channels: 1 };
};

/** Finds one of our formats in a peer's list. `telephone-event/16000` beside a wide band codec is another format. */
export const findFormat = (codecs: readonly Codec[], name: FormatName): Codec | undefined =>
  codecs.find((codec) => codec.name === name && codec.clockRate === CLOCK_RATE && codec.channels === 1);

/**
 * The meaning of a payload type that is described several times: one that we speak, else the first. Telephones with a wide band codec
 * describe events for both clocks under one number; ours is 8,000 Hz.
 */
export const meantOf = <C extends Codec>(maps: readonly C[], payloadType: number): C | undefined =>
  maps.find((map) => map.payloadType === payloadType && isSpoken(map)) ??
  maps.find((map) => map.payloadType === payloadType);

const isSpoken = ({ name, clockRate, channels }: Codec): boolean =>
  Object.hasOwn(NUMBER, name) && clockRate === CLOCK_RATE && channels === 1;

/**
 * Dynamic payload types of a description that may be those of telephone-events: without any mapping, or with one for another clock.
 * Nothing if events for our clock are described.
 */
export function guessedEventTypes(formats: readonly string[], codecs: readonly Codec[]): readonly number[] {
  if (findFormat(codecs, 'telephone-event') !== undefined) return [];
  return formats
    .map(Number)
    .filter((type) => type >= DYNAMIC_FIRST && type <= DYNAMIC_LAST)
    .filter((type) => (codecs.find(({ payloadType }) => payloadType === type)?.name ?? EVENT) === EVENT);
}

export const isVoice = (codec: Codec): codec is Codec & { readonly name: CodecName } =>
  (codec.name === 'PCMA' || codec.name === 'PCMU' || codec.name === 'GSM') &&
  codec.clockRate === CLOCK_RATE &&
  codec.channels === 1;

/**
 * Numbers for our own offer. A number once bound to a format stays so for the whole session (RFC 3264 8.3.2):
 * `bound` is what our description said before.
 */
export function numbered(names: readonly FormatName[], bound: readonly Codec[]): readonly Codec[] {
  const taken = new Set(bound.map(({ payloadType }) => payloadType));
  return names.map((name) => {
    const before = findFormat(bound, name);
    let payloadType = before?.payloadType ?? NUMBER[name];
    if (before === undefined && taken.has(payloadType)) {
      payloadType = DYNAMIC_FIRST;
      while (taken.has(payloadType) && payloadType < DYNAMIC_LAST) payloadType++;
    }
    taken.add(payloadType);
    return described(name, payloadType);
  });
}

export const described = (name: FormatName, payloadType: number): Codec => ({
  payloadType,
  name,
  clockRate: CLOCK_RATE,
  channels: 1,
  ...(name === 'telephone-event' ? { fmtp: EVENTS } : {}),
});

/** Digits a peer takes as events, of the sixteen (RFC 4733 2.4.1). Without fmtp: all but none are sure, so 0 to 15. */
export function digitsOf(fmtp: string | undefined): string {
  // Nearly every telephone says one of these.
  if (fmtp === undefined || fmtp === EVENTS || fmtp === '0-16') return DIGITS;
  const taken = new Set<number>();
  for (const range of fmtp.replace(/^events=/i, '').split(',')) {
    const [first = '', last = first] = range.trim().split('-');
    if (!/^\d{1,3}$/.test(first) || !/^\d{1,3}$/.test(last)) continue;
    for (let event = Number(first); event <= Math.min(Number(last), 15); event++) taken.add(event);
  }
  return [...DIGITS].filter((_, event) => taken.has(event)).join('');
}
