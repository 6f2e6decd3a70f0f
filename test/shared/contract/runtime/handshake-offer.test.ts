import { describe, expect, it } from 'vitest';
import { type HandshakeCounts, handshakeOffers } from '#shared/contract/runtime/index.ts';

const GOOD: HandshakeCounts = {
  calls: 100,
  firstTry: 98,
  retried: 1,
  failed: 1,
  requests: 101,
  digits: 2_700,
  levelDbm0: -12,
  twistDb: 2,
  noiseDbm0: -50,
};
const BAD: HandshakeCounts = { ...GOOD, firstTry: 60, retried: 30, failed: 10, requests: 150 };

const offers = (counts: HandshakeCounts) =>
  handshakeOffers(counts).map(({ setting, value }) =>
    value === undefined ? setting : `${setting} ${value}`,
  );

describe('an offer by the begins of calls', () => {
  it.each<[string, HandshakeCounts, string[]]>([
    ['well', GOOD, []],
    ['well, by events', { ...GOOD, saidAsEvents: 100, events: 9_000 }, []],
    ['badly, and nothing tells why', BAD, []],
    ['badly, after a few calls', { ...BAD, calls: 19, firstTry: 0, saidAsEvents: 19 }, []],
    ['badly, our tones being events', { ...BAD, saidAsEvents: 51 }, ['tones inaudio']],
    ['badly, as many of our tones in the audio', { ...BAD, saidAsEvents: 50 }, []],
    ["badly, the device's digits being events", { ...BAD, events: 2_701 }, ['tones 2833']],
    [
      'mostly without a string',
      { ...BAD, firstTry: 30, retried: 20, failed: 50 },
      ['protocol multiprotocol'],
    ],
    [
      'after many requests, always in one protocol',
      { ...BAD, requests: 400, protocols: { tt92: 88, ttnew: 2 } },
      ['protocol tt92'],
    ],
    [
      'after many requests, in several protocols',
      { ...BAD, requests: 400, protocols: { tt92: 80, ttnew: 10 } },
      [],
    ],
    ['after few requests, always in one protocol', { ...BAD, protocols: { tt92: 90 } }, []],
    ['badly, and too faint', { ...BAD, levelDbm0: -26 }, ['line']],
    [
      'badly, and too loud, twisted, noisy',
      { ...BAD, levelDbm0: -2, twistDb: -7, noiseDbm0: -16 },
      ['line', 'line', 'line'],
    ],
    [
      'well, with check digits that a method makes',
      { ...GOOD, checkMethods: { sumMod100: 95, luhn: 12 } },
      ['check sumMod100'],
    ],
    ['well, with check digits that no method makes always', { ...GOOD, checkMethods: { sumMod100: 90 } }, []],
    [
      'well, few strings of many calls',
      { ...BAD, firstTry: 10, retried: 0, failed: 90, checkMethods: { luhn: 10 } },
      ['protocol multiprotocol'],
    ],
  ])('%s', (_, counts, expected) => {
    expect(offers(counts)).toEqual(expected);
  });

  it('says what was counted', () => {
    expect(handshakeOffers({ ...BAD, saidAsEvents: 100 })[0]?.reason).toContain('40 of 100 calls');
    expect(handshakeOffers({ ...GOOD, checkMethods: { luhn: 99 } })[0]?.reason).toContain('99 of 99 strings');
  });
});
