import { describe, expect, it } from 'vitest';
import { NoiseSource } from '#appliance/media/audio/index.ts';
import type { ParticipantSetting } from '#appliance/media/control/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { Conference, type Member } from '#appliance/media/engine/mix/conference.ts';
import { must, testMedia } from '#test/support/media.ts';
import { caller, levelAt, levelOf } from '../sound.ts';

const HZ: Readonly<Record<string, number>> = { a: 500, b: 900, c: 1_300, d: 1_700 };

/** Four legs that hum, each its own frequency. */
async function room(settings: Readonly<Record<string, ParticipantSetting>>, { beep = false } = {}) {
  const net = testMedia();
  must(await net.media.createConference({ conference: 'k', beep }));
  const phones = new Map<string, Awaited<ReturnType<typeof caller>>>();
  for (const leg of ['a', 'b', 'c', 'd']) {
    const phone = await caller(net, leg);
    phone.say(render([tone(HZ[leg] ?? 0, 60_000, -20)]));
    phones.set(leg, phone);
  }
  for (const [leg, setting] of Object.entries(settings)) must(await net.media.join('k', leg, setting));
  net.advance(400);
  return {
    net,
    phones,
    /** The listeners of each speaker. */
    heard(leg: string): string {
      const phone = phones.get(leg);
      phone?.forget();
      net.advance(400);
      const samples = phone?.received ?? new Int16Array(0);
      return Object.keys(HZ)
        .filter((other) => levelAt(samples, HZ[other] ?? 0) > -26)
        .join('');
    },
  };
}

describe('conference', () => {
  it('lets everybody hear all others', async () => {
    const { heard: detected } = await room({ a: {}, b: {}, c: {}, d: {} });
    expect(['a', 'b', 'c', 'd'].map(detected)).toEqual(['bcd', 'acd', 'abd', 'abc']);
  });

  it('is an exchange of frames between two', async () => {
    const { heard: detected } = await room({ a: {}, b: {} });
    expect(['a', 'b', 'c'].map(detected)).toEqual(['b', 'a', '']);
  });

  it('mutes, holds, whispers and monitors', async () => {
    const { net, heard: detected } = await room({ a: { mute: true }, b: { hold: true }, c: {}, d: {} });
    expect(['a', 'b', 'c', 'd'].map(detected)).toEqual(['cd', '', 'd', 'c']);
    must(await net.media.change('k', 'a', { mute: false, whisperTo: 'd' }));
    must(await net.media.change('k', 'b', { hold: false }));
    expect(['a', 'b', 'c', 'd'].map(detected)).toEqual(['bcd', 'cd', 'bd', 'abc']);
    must(await net.media.change('k', 'a', { whisperTo: null }));
    must(await net.media.change('k', 'd', { monitor: true }));
    expect(['a', 'b', 'c', 'd'].map(detected)).toEqual(['bc', 'ac', 'ab', 'abc']);
  });

  it('lets a monitor hear whispers and prompts, and no participant the monitor', async () => {
    const {
      net,
      phones,
      heard: detected,
    } = await room({ a: { whisperTo: 'b' }, b: {}, c: {}, d: { monitor: true } });
    expect(['a', 'b', 'c', 'd'].map(detected)).toEqual(['bc', 'ac', 'b', 'abc']);
    const phrases = [{ kind: 'tone', segments: [tone(2_500, 30_000, -20)] }] as const;
    must(await net.media.play('c', 'p', { phrases, over: 'instead' }));
    for (const phone of phones.values()) phone.forget();
    net.advance(400);
    const hears = (leg: string) => levelAt(phones.get(leg)?.received ?? new Int16Array(0), 2_500) > -26;
    expect(['a', 'b', 'c', 'd'].map(hears)).toEqual([false, false, true, true]);
  });

  it('keeps circles apart, and a monitor hears them all', async () => {
    const { net, heard: detected } = await room({
      a: {},
      b: { circle: 'x' },
      c: { circle: 'x' },
      d: { monitor: true },
    });
    expect(['a', 'b', 'c', 'd'].map(detected)).toEqual(['', 'c', 'b', 'abc']);
    must(await net.media.change('k', 'a', { circle: 'x' }));
    expect(['a', 'b', 'c', 'd'].map(detected)).toEqual(['bc', 'ac', 'ab', 'abc']);
    must(await net.media.change('k', 'b', { circle: 'y', whisperTo: 'a' }));
    expect(['a', 'b', 'c', 'd'].map(detected)).toEqual(['c', '', 'a', 'abc']);
  });

  it('beeps for no one in a circle, and has room for circles beside its own', async () => {
    const net = testMedia();
    must(await net.media.createConference({ conference: 'k', beep: true, maxParticipants: 1 }));
    const [one, other] = [await caller(net, 'a'), await caller(net, 'b')];
    must(await net.media.join('k', 'a', {}));
    net.advance(400);
    for (const phone of [one, other]) phone.forget();
    must(await net.media.join('k', 'b', { circle: 'x' }));
    net.advance(400);
    expect([one, other].map((phone) => levelOf(phone.received) > -60)).toEqual([false, false]);
  });

  it('has room for so many, monitors aside', async () => {
    const net = testMedia();
    must(await net.media.createConference({ conference: 'k', beep: false, maxParticipants: 2 }));
    for (const leg of ['a', 'b', 'c', 'd']) await caller(net, leg);
    must(await net.media.join('k', 'a', {}));
    must(await net.media.join('k', 'd', { monitor: true }));
    must(await net.media.join('k', 'b', {}));
    expect(await net.media.join('k', 'c', {})).toMatchObject({ error: { code: 'Refused' } });
    must(await net.media.leave('k', 'b'));
    must(await net.media.join('k', 'c', {}));
    expect(await net.media.leave('k', 'b')).toMatchObject({ error: { code: 'Unknown' } });
    expect(await net.media.createConference({ conference: 'k', beep: false })).toMatchObject({
      error: { code: 'Refused' },
    });
  });

  it('beeps when a party comes or goes, but not for a monitor', async () => {
    const { net, phones } = await room({ a: {} }, { beep: true });
    const beeps = () => {
      phones.get('a')?.forget();
      net.advance(300);
      return levelAt(phones.get('a')?.received ?? new Int16Array(0), 1_000) > -30;
    };
    expect(beeps()).toBe(false);
    must(await net.media.join('k', 'b', {}));
    expect(beeps()).toBe(true);
    expect(beeps()).toBe(false);
    must(await net.media.join('k', 'd', { monitor: true }));
    expect(beeps()).toBe(false);
    must(await net.media.leave('k', 'b'));
    expect(beeps()).toBe(true);
  });

  it('ends: its legs hear no other and stay open', async () => {
    const { net, heard: detected } = await room({ a: {}, b: {}, c: {}, d: {} });
    must(await net.media.endConference('k'));
    expect(['a', 'b'].map(detected)).toEqual(['', '']);
    expect(net.openLegs).toHaveLength(4);
    expect(await net.media.endConference('k')).toMatchObject({ error: { code: 'Unknown' } });
  });

  it('takes a leg out of its connection and the reverse', async () => {
    const { net, heard: detected } = await room({ a: {}, b: {} });
    must(await net.media.connect('b', 'c'));
    expect(['a', 'b', 'c'].map(detected)).toEqual(['', 'c', 'b']);
    must(await net.media.join('k', 'b', {}));
    expect(['a', 'b', 'c'].map(detected)).toEqual(['b', 'a', '']);
    must(await net.media.closeLeg('b'));
    expect(detected('a')).toBe('');
  });
});

describe('the sum of a conference', () => {
  it('is that of 32 bits minus the own share, saturated once', () => {
    const conference = new Conference({ conference: 'k', beep: false }, 0);
    const members = Array.from({ length: 5 }, (_, index): Member => {
      const frame = new Int16Array(160);
      new NoiseSource(index + 1).fill(frame, 1);
      return { id: `${index}`, part: 0, frame, speaking: true, prompt: frame, prompting: false };
    });
    for (const member of members) conference.join(member, {});
    conference.mix();
    let clipped = 0;
    for (const member of members) {
      const detected = conference.hear(member.id);
      for (let i = 0; i < 160; i++) {
        const sum = members.reduce(
          (total, other) => total + (other === member ? 0 : (other.frame[i] ?? 0)),
          0,
        );
        const wanted = Math.max(-32_768, Math.min(32_767, sum));
        if (wanted !== sum) clipped++;
        expect(detected?.[i]).toBe(wanted);
      }
    }
    expect(clipped).toBeGreaterThan(20);
  });

  it('leaves out who belongs to another slice, and is silence for one who is alone', () => {
    const conference = new Conference({ conference: 'k', beep: false }, 0);
    const frame = new Int16Array(160).fill(1_000);
    const member = (id: string, part: number): Member => ({
      id,
      part,
      frame,
      speaking: true,
      prompt: frame,
      prompting: false,
    });
    conference.join(member('a', 0), {});
    conference.join(member('b', 3), {});
    conference.mix();
    expect(conference.hear('a')).toBeNull();
    conference.join(member('c', 0), {});
    conference.mix();
    expect(levelOf(conference.hear('a') ?? new Int16Array(0))).toBeGreaterThan(-30);
  });
});
