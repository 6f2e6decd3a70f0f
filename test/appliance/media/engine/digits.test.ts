import { describe, expect, it } from 'vitest';
import { render, stmf, tone } from '#appliance/media/dtmf/index.ts';
import { must, type TestMedia, testMedia } from '#test/support/media.ts';
import { caller, levelOf } from './sound.ts';

const LISTENING = { profile: 'ivr', digits: true, tones: [] } as const;
const ALL = '1234567890*#ABCD';

const ended = (net: TestMedia) =>
  net.eventsOf('digit').flatMap((event) => (event.edge === 'end' ? [event] : []));
const text = (digits: readonly { readonly digit: string }[]) => digits.map(({ digit }) => digit).join('');

describe('detection of digits', () => {
  it.each(['inband', 'rfc4733'] as const)('all sixteen, %s, with begin, end and length', async (by) => {
    const net = testMedia();
    const a = await caller(net, 'a');
    must(await net.media.listen('a', LISTENING));
    net.advance(200);
    a.press(ALL, { by, onMs: 80, offMs: 80 });
    net.advance(4_000);
    expect(text(ended(net))).toBe(ALL);
    const begun = net.eventsOf('digit').filter(({ edge }) => edge === 'begin');
    expect(text(begun)).toBe(ALL);
    for (const { source, durationMs = 0, levelDbm0, twistDb } of ended(net)) {
      expect(source).toBe(by);
      expect(Math.abs(durationMs - 80)).toBeLessThanOrEqual(by === 'inband' ? 5 : 0);
      expect(levelDbm0 === undefined).toBe(by === 'rfc4733');
      if (twistDb !== undefined) expect(twistDb).toBeCloseTo(2, 0);
    }
    const starts = ended(net).map(({ atMs }) => atMs);
    for (const [i, at] of starts.slice(1).entries()) {
      expect(Math.abs(at - (starts[i] ?? 0) - 160)).toBeLessThanOrEqual(20);
    }
  });

  it('gives both sources one clock', async () => {
    const net = testMedia();
    const a = await caller(net, 'a', { opening: { profile: 'alarm' } });
    must(await net.media.listen('a', LISTENING));
    net.advance(1_000);
    a.press('1', { by: 'inband' });
    net.advance(1_000);
    a.press('2', { by: 'rfc4733' });
    net.advance(1_000);
    const [first, second] = ended(net);
    expect(Math.abs((second?.atMs ?? 0) - (first?.atMs ?? 0) - 1_000)).toBeLessThanOrEqual(20);
  });

  it('gives a digit once that comes by event and by tone', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    must(await net.media.listen('a', LISTENING));
    net.advance(300);
    // A gateway that lets the first 60 ms of the tone through and sends the rest as an event.
    a.press('5', { by: 'inband', onMs: 60, offMs: 0 });
    net.advance(60);
    a.press('5', { by: 'rfc4733', onMs: 100 });
    net.advance(1_000);
    expect(text(ended(net))).toBe('5');
  });

  it('gives a digit once under a number without a description, also beside the tones of the same digits', async () => {
    const net = testMedia();
    const none = { eventType: null };
    const a = await caller(net, 'a', { phone: none, stream: { guessedEvents: [101] } });
    must(await net.media.listen('a', LISTENING));
    net.advance(200);
    a.press('1', { by: 'inband' });
    net.advance(500);
    a.press('159#', { by: 'rfc4733', onMs: 80, offMs: 80 });
    net.advance(1_500);
    a.press('5', { by: 'inband', onMs: 60, offMs: 0 });
    net.advance(60);
    a.press('5', { by: 'rfc4733', onMs: 100 });
    net.advance(1_000);
    expect(text(ended(net))).toBe('1159#5');
  });

  it.each([null, 97])(
    'under a number without a description reaches the other side, which has %s',
    async (eventType) => {
      const net = testMedia();
      const a = await caller(net, 'a', { phone: { eventType: null }, stream: { guessedEvents: [101] } });
      const b = await caller(net, 'b', { phone: { eventType } });
      must(await net.media.connect('a', 'b'));
      net.advance(200);
      a.press('5#', { by: 'rfc4733' });
      // A codec that was not agreed is no event.
      a.sendPayload(101, new Uint8Array(40));
      net.advance(1_500);
      const by = eventType === null ? 'inband' : 'rfc4733';
      expect(b.digits.map((one) => `${one.digit} ${one.by}`)).toEqual([`5 ${by}`, `# ${by}`]);
      expect(b.packets.filter(({ payload }) => payload.length === 40)).toEqual([]);
    },
  );

  it.each([101, 96])('under the number that we gave and under that of the peer: %d', async (eventType) => {
    const net = testMedia();
    const telephoneEvent = { send: 96, receive: 101, digits: ALL };
    const a = await caller(net, 'a', { phone: { eventType }, stream: { telephoneEvent } });
    must(await net.media.listen('a', LISTENING));
    net.advance(200);
    a.press('159#', { by: 'rfc4733', onMs: 80, offMs: 80 });
    net.advance(1_500);
    expect(text(ended(net))).toBe('159#');
    for (const { source, durationMs } of ended(net)) expect([source, durationMs]).toEqual(['rfc4733', 80]);
  });

  it('never under a number that stands for something else', async () => {
    const net = testMedia();
    const telephoneEvent = { send: 8, receive: 101, digits: ALL };
    const a = await caller(net, 'a', { phone: { eventType: 101 }, stream: { telephoneEvent } });
    const b = await caller(net, 'b');
    must(await net.media.connect('a', 'b'));
    a.say(render([tone(1_000, 600, -10)]));
    net.advance(600);
    expect(levelOf(b.received.subarray(-1_600))).toBeGreaterThan(-14);
  });

  it('reports flash as a signal and no digit', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    must(await net.media.listen('a', LISTENING));
    net.advance(100);
    for (const last of [0, 0, 0, 0x80]) a.sendPayload(101, Uint8Array.of(16, last | 10, 3, 0x20));
    net.advance(200);
    expect(net.eventsOf('signal')).toMatchObject([{ leg: 'a', code: 16, durationMs: 100 }]);
    expect(net.eventsOf('digit')).toEqual([]);
  });

  it('says nothing when digits are not wanted, and switches to in band when events are no longer agreed', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    a.press('1', { by: 'rfc4733' });
    net.advance(500);
    expect(net.eventsOf('digit')).toEqual([]);
    must(await net.media.listen('a', LISTENING));
    const { telephoneEvent: _, ...plain } = a.stream();
    must(await net.media.updateLeg('a', plain));
    a.press('23');
    net.advance(800);
    expect(text(ended(net))).toBe('23');
    must(await net.media.listen('a', null));
    a.press('4');
    net.advance(500);
    expect(text(ended(net))).toBe('23');
  });

  it('survive loss', async () => {
    const net = testMedia();
    const a = await caller(net, 'a', { opening: { profile: 'alarm' } });
    must(await net.media.listen('a', { profile: 'alarm', digits: true, tones: [] }));
    net.advance(300);
    let n = 0;
    net.network.carries = ({ fromHost }) => fromHost !== a.host || ++n % 25 !== 0;
    const digits = ALL.repeat(4);
    a.press(digits, { onMs: 100, offMs: 100 });
    net.advance(14_000);
    expect(text(ended(net))).toBe(digits);
  });
});

describe('detection of tones', () => {
  it('with frequency, edges and level', async () => {
    const net = testMedia();
    const a = await caller(net, 'a', { opening: { profile: 'alarm' } });
    const tones = [{ hz: 1_400 }, { hz: 2_300 }, { hz: 1_850 }];
    must(await net.media.listen('a', { profile: 'alarm', digits: false, tones }));
    net.advance(200);
    a.say(render([tone(1_400, 100, -10), { sines: [], ms: 100, rampMs: 0 }, tone(2_300, 200, -20)]));
    net.advance(1_000);
    const detected = net.eventsOf('tone').filter(({ edge }) => edge === 'end');
    expect(detected.map(({ frequencyHz }) => frequencyHz)).toEqual([1_400, 2_300]);
    const [first, second] = detected;
    expect(Math.abs((first?.durationMs ?? 0) - 100)).toBeLessThanOrEqual(5);
    expect(Math.abs((second?.atMs ?? 0) - (first?.atMs ?? 0) - 200)).toBeLessThanOrEqual(5);
    expect(second?.levelDbm0).toBeCloseTo(-20, 0);
  });

  it('STMF digits, tone by tone', async () => {
    const net = testMedia();
    const a = await caller(net, 'a', { opening: { profile: 'alarm' } });
    const tones = [697, 770, 852, 941, 1_209, 1_336, 1_477, 1_633].map((hz) => ({ hz }));
    must(await net.media.listen('a', { profile: 'alarm', digits: false, tones }));
    a.say(render(must(stmf('15'))));
    net.advance(1_000);
    const detected = net.eventsOf('tone').filter(({ edge }) => edge === 'end');
    expect(detected.map(({ frequencyHz }) => frequencyHz)).toEqual([697, 1_209, 770, 1_336]);
  });
});

describe('digits sent', () => {
  it.each([
    ['rfc4733', 'rfc4733'],
    ['inband', 'inband'],
    ['auto', 'rfc4733'],
  ] as const)('%s', async (mode, by) => {
    const net = testMedia();
    const a = await caller(net, 'a');
    net.advance(100);
    must(await net.media.sendDigits('a', 's', { digits: ALL, mode, onMs: 80, offMs: 60 }));
    net.advance(ALL.length * 140 - 40);
    expect(net.eventsOf('digitsSent')).toEqual([]);
    net.advance(200);
    expect(net.eventsOf('digitsSent')).toEqual([{ kind: 'digitsSent', leg: 'a', play: 's' }]);
    expect(text(a.digits)).toBe(ALL);
    expect(a.digits.every((digit) => digit.by === by && Math.abs(digit.ms - 80) <= 5)).toBe(true);
  });

  it('auto is in band without telephone-event; what cannot be sent is refused', async () => {
    const net = testMedia();
    const a = await caller(net, 'a', { phone: { eventType: null } });
    const timing = { onMs: 80, offMs: 80 };
    must(await net.media.sendDigits('a', 's', { digits: '1a', mode: 'auto', ...timing }));
    net.advance(800);
    expect(a.digits.map(({ digit, by }) => digit + by)).toEqual(['1inband', 'Ainband']);
    const asEvents = await net.media.sendDigits('a', 't', { digits: '1', mode: 'rfc4733', ...timing });
    expect(asEvents).toMatchObject({ error: { code: 'Refused' } });
    const wrong = await net.media.sendDigits('a', 't', { digits: '1x', mode: 'auto', ...timing });
    expect(wrong).toMatchObject({ error: { code: 'Refused', reason: expect.stringContaining('"X"') } });
  });

  it('come one string after the other, with nothing mixed in', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    const b = await caller(net, 'b');
    must(await net.media.connect('a', 'b'));
    b.say(render([tone(440, 4_000, -6)]));
    net.advance(200);
    const sending = { mode: 'inband', onMs: 80, offMs: 80 } as const;
    must(await net.media.sendDigits('a', 'one', { digits: '123', ...sending }));
    must(await net.media.sendDigits('a', 'two', { digits: '456', ...sending }));
    net.advance(1_500);
    expect(text(a.digits)).toBe('123456');
    expect(net.eventsOf('digitsSent').map(({ play }) => play)).toEqual(['one', 'two']);
  });

  it('stop at a command', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    must(
      await net.media.sendDigits('a', 's', { digits: '1234567890', mode: 'rfc4733', onMs: 80, offMs: 80 }),
    );
    net.advance(400);
    must(await net.media.stop('a', 's'));
    net.advance(2_000);
    expect(a.digits.length).toBeLessThan(5);
    expect(net.eventsOf('digitsSent')).toHaveLength(1);
  });
});

describe('digits relayed', () => {
  async function pair({ aEvents = true, bEvents = true }, relay?: 'transparent' | 'rfc4733' | 'inband') {
    const net = testMedia();
    const a = await caller(net, 'a', { phone: { eventType: aEvents ? 101 : null } });
    const b = await caller(net, 'b', { phone: { eventType: bEvents ? 96 : null } });
    must(await net.media.connect('a', 'b', relay && { aToB: { as: relay } }));
    net.advance(200);
    return { net, a, b };
  }

  it('are passed on undecoded under the number of the peer, too', async () => {
    const net = testMedia();
    const telephoneEvent = { send: 97, receive: 101, digits: ALL };
    const a = await caller(net, 'a', { phone: { eventType: 97 }, stream: { telephoneEvent } });
    const b = await caller(net, 'b', { phone: { eventType: 96 } });
    must(await net.media.connect('a', 'b'));
    net.advance(200);
    a.press('5#', { by: 'rfc4733', onMs: 100, offMs: 100 });
    net.advance(1_200);
    expect(b.digits.map(({ digit, by }) => `${digit} ${by}`)).toEqual(['5 rfc4733', '# rfc4733']);
  });

  it.each([
    // relay, pressed, a has events, b has events, heard by b
    [undefined, 'rfc4733', true, true, 'rfc4733'],
    [undefined, 'inband', true, true, 'inband'],
    ['transparent', 'rfc4733', true, false, 'inband'],
    ['transparent', 'inband', false, true, 'inband'],
    ['rfc4733', 'rfc4733', true, true, 'rfc4733'],
    ['rfc4733', 'inband', false, true, 'rfc4733'],
    ['rfc4733', 'inband', true, true, 'rfc4733'],
    ['rfc4733', 'inband', false, false, 'inband'],
    ['rfc4733', 'rfc4733', true, false, 'inband'],
    ['inband', 'rfc4733', true, true, 'inband'],
    ['inband', 'inband', true, true, 'inband'],
  ] as const)(
    '%s: pressed %s (a events %s, b events %s), detected %s',
    async (as, by, aEvents, bEvents, detected) => {
      for (const onMs of [60, 200, 480]) {
        const { net, a, b } = await pair({ aEvents, bEvents }, as);
        a.press('5#9', { by, onMs, offMs: 120 });
        net.advance(3 * (onMs + 120) + 700);
        const digits = b.digits.filter((digit) => digit.by === detected);
        expect(text(digits)).toBe('5#9');
        for (const { ms } of digits) expect(Math.abs(ms - onMs)).toBeLessThanOrEqual(6);
      }
    },
  );

  it('leave nothing sounding when the connection ends in mid-digit', async () => {
    const { net, a, b } = await pair({ bEvents: false }, 'inband');
    a.press('5', { by: 'rfc4733', onMs: 2_000 });
    net.advance(300);
    must(await net.media.disconnect('a'));
    net.advance(1_000);
    expect(text(b.digits)).toBe('5');
    expect(b.digits[0]?.ms).toBeLessThan(400);
  });

  it('are reported to the one that listens, too', async () => {
    const { net, a, b } = await pair({}, 'rfc4733');
    must(await net.media.listen('a', LISTENING));
    a.press('77', { by: 'inband', onMs: 100, offMs: 100 });
    net.advance(1_500);
    expect(text(ended(net))).toBe('77');
    expect(text(b.digits.filter(({ by }) => by === 'rfc4733'))).toBe('77');
  });
});
