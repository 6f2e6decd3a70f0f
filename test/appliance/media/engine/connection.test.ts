import { describe, expect, it } from 'vitest';
import { dbm0OfPower } from '#appliance/media/audio/index.ts';
import type { LegOpening } from '#appliance/media/control/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { must, type TestMedia, testMedia } from '#test/support/media.ts';
import type { Phone } from '#test/support/phone.ts';

async function join(net: TestMedia, leg: string, phone: Phone, opening: Partial<LegOpening> = {}) {
  const { port } = must(await net.media.openLeg({ leg, profile: 'ordinary', family: 4, ...opening }));
  must(await net.media.updateLeg(leg, phone.stream()));
  phone.talkTo(port);
  return port;
}

const level = (samples: Int16Array) =>
  dbm0OfPower(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length));

describe('connection', () => {
  it('lets two phones hear each other', async () => {
    const net = testMedia();
    const [a, b] = [
      net.phone({ host: '192.0.2.20', port: 4_000 }),
      net.phone({ host: '192.0.2.21', port: 4_002 }),
    ];
    await join(net, 'a', a);
    await join(net, 'b', b);
    must(await net.media.connect('a', 'b'));
    a.say(render([tone(1_000, 500, -10)]));
    net.advance(1_000);
    expect(level(b.heard.subarray(1_600, 3_200))).toBeCloseTo(-10, 0);
    expect(a.heard.length).toBeGreaterThan(7_000);
    expect(net.eventsOf('rtpStarted').map(({ leg }) => leg)).toEqual(['a', 'b']);
  });
});
