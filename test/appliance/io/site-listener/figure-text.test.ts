import { expect, it } from 'vitest';
import { HandshakeTable } from '#appliance/alarm/handshake/handshake-table.ts';
import { MediaQuality } from '#appliance/engine/media-quality.ts';
import { familyOf, figureText, namedFigures } from '#appliance/io/site-listener/figure-text.ts';

it('every family has its head once, before its samples, and a histogram is one family', () => {
  const text = figureText({
    calls: 2,
    'media_leg_mos_bucket{profile="alarm",le="4"}': 1,
    'media_leg_mos_bucket{profile="alarm",le="+Inf"}': 3,
    'media_legs_total{profile="alarm",codec="PCMA"}': 3,
    'media_leg_mos_sum{profile="alarm"}': 11.5,
    'media_leg_mos_count{profile="alarm"}': 3,
  });
  expect(text).toBe(`# HELP carillon_calls Calls that run
# TYPE carillon_calls gauge
carillon_calls 2
# HELP carillon_media_leg_mos Estimated quality of speech of a leg, 1 to 5
# TYPE carillon_media_leg_mos histogram
carillon_media_leg_mos_bucket{profile="alarm",le="4"} 1
carillon_media_leg_mos_bucket{profile="alarm",le="+Inf"} 3
carillon_media_leg_mos_sum{profile="alarm"} 11.5
carillon_media_leg_mos_count{profile="alarm"} 3
# HELP carillon_media_legs_total Legs that are closed
# TYPE carillon_media_legs_total counter
carillon_media_legs_total{profile="alarm",codec="PCMA"} 3
`);
});

it('every figure of audio and of tones has a text', () => {
  const quality = new MediaQuality();
  const packets = { packets: 5, lost: 1, late: 0, duplicate: 0, reordered: 0 };
  const refused = { foreign: 0, malformed: 0, srtpRejected: 0, srtpReplayed: 0 };
  quality.add('alarm', {
    codec: 'PCMA',
    received: { ...packets, ...refused, jitterMs: 1, concealedMs: 0 },
    sent: { packets: 5 },
    roundTripMs: 4,
    mos: 4,
  } as never);
  const tones = new HandshakeTable();
  const handshake = { protocol: 'bs8521', result: 'first', requests: 1, badStrings: 0, digits: 26 };
  tones.add(
    { deviceId: 'unit-17', deviceType: 'alarmUnit', number: '+461', trunkId: 'pstn', bridgeId: 'b' },
    { ...handshake, levelDbm0: -10, twistDb: 1, noiseDbm0: -50 } as never,
    1,
  );
  const figures = { ...quality.figures, ...tones.figures };
  const names = Object.keys(figures).map((figure) => familyOf(figure).name);
  expect(names.length).toBeGreaterThan(25);
  expect(names.filter((name) => !namedFigures().has(name))).toEqual([]);
  // Neither a device nor a number: a collector keeps labels for years.
  expect(figureText(figures)).not.toMatch(/unit-17|461/);
});
