import { describe, expect, it } from 'vitest';
import type { LegStream, VoiceCodec } from '#appliance/media/control/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { must, testMedia } from '#test/support/media.ts';
import { caller, extent, levelAt, levelOf } from './sound.ts';

const CODECS: readonly VoiceCodec[] = ['PCMA', 'PCMU', 'GSM'];

describe('connection', () => {
  it.each(CODECS.flatMap((a) => CODECS.map((b) => [a, b] as const)))('carries %s to %s', async (from, to) => {
    const net = testMedia();
    const a = await caller(net, 'a', { phone: { codec: from } });
    const b = await caller(net, 'b', { phone: { codec: to } });
    must(await net.media.connect('a', 'b'));
    a.say(render([tone(1_000, 600, -10)]));
    net.advance(1_000);
    const { from: begins } = extent(b.received);
    const detected = b.received.subarray(begins + 400, begins + 4_400);
    expect(levelAt(detected, 1_000)).toBeGreaterThan(-11);
    expect(levelAt(detected, 1_000)).toBeLessThan(-9);
    expect(levelOf(a.received)).toBeLessThan(-45);
    expect(a.packets.length).toBeGreaterThan(45);
  });

  it('is bit exact between equal laws on the slow path, too: what passes is what was said', async () => {
    const speech = render([tone(700, 400, -12), tone(1_900, 400, -20)]);
    const detected: Int16Array[] = [];
    for (const slow of [false, true]) {
      const net = testMedia();
      const a = await caller(net, 'a');
      const b = await caller(net, 'b');
      must(await net.media.connect('a', 'b'));
      // Watching for silence needs samples.
      if (slow) must(await net.media.watchSilence('b', 60_000));
      a.say(speech);
      net.advance(1_400);
      const { from } = extent(b.received);
      detected.push(b.received.slice(from - 1, from + speech.length - 1));
    }
    expect(detected[1]).toEqual(detected[0]);
  });

  it('has numbers and timestamps that never go back and one SSRC over both paths and a hold', async () => {
    const net = testMedia();
    await caller(net, 'a');
    const b = await caller(net, 'b');
    must(await net.media.connect('a', 'b'));
    net.advance(400);
    must(await net.media.watchSilence('b', 60_000));
    net.advance(400);
    must(await net.media.watchSilence('b', null));
    net.advance(400);
    must(await net.media.updateLeg('b', b.stream({ direction: 'recvonly' })));
    const before = b.packets.length;
    net.advance(400);
    expect(b.packets.length).toBe(before);
    must(await net.media.updateLeg('b', b.stream()));
    net.advance(400);
    expect(new Set(b.packets.map(({ ssrc }) => ssrc)).size).toBe(1);
    for (const [index, packet] of b.packets.entries()) {
      const last = b.packets[index - 1];
      if (last === undefined) continue;
      expect((packet.sequence - last.sequence) & 0xffff).toBe(1);
      const step = (packet.timestamp - last.timestamp) | 0;
      expect(step).toBeGreaterThan(0);
      expect(step).toBeLessThan(1_000 * 8);
    }
    expect(b.packets[before]?.marker).toBe(true);
    expect(b.packets[0]?.sequence).toBeLessThan(0x8000);
  });

  it('forwards in 5 ms at most, and sends silence when nothing comes to forward', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    const b = await caller(net, 'b');
    must(await net.media.connect('a', 'b'));
    net.advance(300);
    b.forget();
    a.sending = false;
    net.advance(400);
    expect(b.packets.length).toBeGreaterThan(13);
    expect(levelOf(b.received)).toBeLessThan(-60);
    a.sending = true;
    a.say(render([tone(1_000, 100, -10)]));
    b.forget();
    net.advance(100);
    expect(levelOf(b.received)).toBeGreaterThan(-15);
  });

  it.each<[LegStream['direction'], boolean, boolean]>([
    ['sendrecv', true, true],
    ['sendonly', true, false],
    ['recvonly', false, true],
    ['inactive', false, false],
  ])('keeps to %s', async (direction, hears, isDetected) => {
    for (const slow of [false, true]) {
      const net = testMedia();
      const a = await caller(net, 'a');
      const b = await caller(net, 'b', { stream: { direction } });
      must(await net.media.connect('a', 'b'));
      if (slow) must(await net.media.watchSilence('a', 60_000));
      a.say(render([tone(800, 500, -10)]));
      b.say(render([tone(1_600, 500, -10)]));
      net.advance(700);
      expect(b.packets.length > 0).toBe(hears);
      expect(levelOf(b.received) > -20).toBe(hears);
      expect(levelOf(a.received) > -20).toBe(isDetected);
      expect(a.packets.length).toBeGreaterThan(25);
    }
  });

  it('sends nothing before a description, to 0.0.0.0, or after null', async () => {
    const net = testMedia();
    const { port } = must(await net.media.openLeg({ leg: 'a', profile: 'ordinary', family: 4 }));
    const phone = net.phone({ host: '192.0.2.9', port: 4_000 });
    phone.talkTo(port);
    net.advance(200);
    const nowhere = { host: '0.0.0.0', port: 4_000, rtcpPort: 4_001 };
    must(await net.media.updateLeg('a', phone.stream({ remote: nowhere })));
    net.advance(6_000);
    must(await net.media.updateLeg('a', null));
    net.advance(200);
    expect(net.sent).toEqual([]);
  });

  it('sends silence to a peer that has not said a word', async () => {
    const net = testMedia();
    const phone = net.phone({ host: '192.0.2.9', port: 4_000 });
    must(await net.media.openLeg({ leg: 'a', profile: 'ordinary', family: 4 }));
    must(await net.media.updateLeg('a', phone.stream()));
    net.advance(200);
    expect(phone.packets.length).toBe(10);
    expect(new Set(phone.packets[0]?.payload)).toEqual(new Set([0xd5]));
  });

  it('packs as many milliseconds as the peer asks for', async () => {
    const net = testMedia();
    const a = await caller(net, 'a', { stream: { ptimeMs: 60 } });
    net.advance(1_200);
    expect(a.packets.length).toBe(20);
    expect(a.packets.every(({ payload }) => payload.length === 480)).toBe(true);
    const steps = a.packets.slice(1).map(({ timestamp }, i) => timestamp - (a.packets[i]?.timestamp ?? 0));
    expect(new Set(steps)).toEqual(new Set([480]));
  });

  it('switches the decoder with the payload type and drops what was not agreed', async () => {
    const net = testMedia();
    const both = [
      { payloadType: 8, codec: 'PCMA' },
      { payloadType: 0, codec: 'PCMU' },
    ] as const;
    const a = await caller(net, 'a', { stream: { receive: both } });
    const b = await caller(net, 'b', { phone: { codec: 'PCMU' } });
    must(await net.media.connect('a', 'b'));
    must(await net.media.watchSilence('a', 60_000));
    net.advance(200);
    a.sending = false;
    const { pcmu } = await import('#appliance/media/audio/index.ts');
    const samples = render([tone(1_000, 400, -10)]);
    for (let n = 0; n < 20; n++) {
      const payload = new Uint8Array(160);
      pcmu.encode(samples.subarray(n * 160, n * 160 + 160), payload, 0);
      a.sendPayload(n % 4 === 3 ? 97 : 0, payload);
      net.advance(20);
    }
    const { received } = must(await net.media.stats('a'));
    expect(received.malformed).toBe(5);
    expect(levelOf(b.received.subarray(-2_400))).toBeGreaterThan(-14);
  });

  it('refuses what cannot be', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    const { media } = net;
    expect(await media.connect('a', 'a')).toMatchObject({ error: { code: 'Refused' } });
    expect(await media.connect('a', 'x')).toMatchObject({ error: { code: 'Unknown' } });
    expect(await media.updateLeg('x', null)).toMatchObject({ error: { code: 'Unknown' } });
    expect(await media.updateLeg('a', a.stream({ receive: [] }))).toMatchObject({
      error: { code: 'Refused' },
    });
    expect(await media.disconnect('a')).toMatchObject({ ok: true });
    const send = { payloadType: 200, codec: 'PCMA' } as const;
    expect(await media.updateLeg('a', a.stream({ send }))).toMatchObject({ error: { code: 'Refused' } });
    expect(await media.openLeg({ leg: 'a', profile: 'alarm', family: 4 })).toMatchObject({
      error: { code: 'Refused' },
    });
  });

  it('leaves the old connection when a leg is connected again, and all when it is closed', async () => {
    const net = testMedia();
    const [a, b, c] = [await caller(net, 'a'), await caller(net, 'b'), await caller(net, 'c')];
    must(await net.media.connect('a', 'b'));
    must(await net.media.connect('a', 'c'));
    a.say(render([tone(1_000, 400, -10)]));
    b.say(render([tone(1_500, 400, -10)]));
    net.advance(600);
    expect(levelOf(c.received)).toBeGreaterThan(-20);
    expect(levelOf(b.received)).toBeLessThan(-60);
    expect(levelOf(a.received)).toBeLessThan(-60);
    must(await net.media.closeLeg('a'));
    c.forget();
    net.advance(300);
    expect(c.packets.length).toBeGreaterThan(10);
    expect(net.openLegs).toEqual(['b', 'c']);
  });

  it('echoes', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    must(await net.media.echo('a', true));
    a.say(render([tone(1_000, 400, -10)]));
    net.advance(700);
    const { from, to } = extent(a.received);
    expect(to - from).toBeGreaterThan(3_190);
    expect(levelAt(a.received.subarray(from, to), 1_000)).toBeGreaterThan(-11);
  });
});
