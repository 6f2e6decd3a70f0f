import { describe, expect, it } from 'vitest';
import { type CapturedMessage, Intake, type Share, type TakenMessage } from '#appliance/capture/index.ts';
import { DEVICE, firstLine, request, response } from './sip-text.ts';

class Rings {
  readonly intake = new Intake();
  readonly kept: Record<Share, CapturedMessage[]> = { known: [], stranger: [] };

  pass(...messages: readonly TakenMessage[]): this {
    for (const message of messages) this.intake.take(message);
    return this.at(1_000);
  }

  at(nowMs: number): this {
    // The bytes are those of the queue, which uses them again.
    this.intake.drain(nowMs, (share, message) =>
      this.kept[share].push({ ...message, bytes: new Uint8Array(message.bytes) }),
    );
    return this;
  }

  lines(share: Share): string[] {
    return this.kept[share].map(firstLine);
  }
}

const PING = '<mrq><ref>r1</ref><cid>c</cid><mty>PI</mty></mrq>';
const stranger = { ...DEVICE, remoteAddress: '203.0.113.9' };
/** The host has accepted something of this device. */
const met = (): Rings => new Rings().pass(request('MESSAGE', 'first'), response(200, 'MESSAGE', 'first'));

describe('routine exchanges', () => {
  it.each(['REGISTER', 'OPTIONS'])('%s that succeeds is counted and not kept', (method) => {
    const rings = met().pass(
      request(method, 'r'),
      response(401, method, 'r'),
      request(method, 'r'),
      response(200, method, 'r'),
    );
    expect(rings.lines('known')).toHaveLength(2);
    expect(rings.intake.counts.routine[method === 'REGISTER' ? 'register' : 'options']).toBe(1);
  });

  it('an OPTIONS of ours that is answered is counted', () => {
    const rings = new Rings().pass(
      request('OPTIONS', 'probe', { direction: 'out' }),
      response(200, 'OPTIONS', 'probe', { direction: 'in' }),
    );
    expect(rings.kept).toEqual({ known: [], stranger: [] });
    expect(rings.intake.counts.routine.options).toBe(1);
  });

  it('a heartbeat of SCAIP is counted with the message that answers it', () => {
    const rings = met().pass(
      request('MESSAGE', 'hb', {}, PING),
      response(200, 'MESSAGE', 'hb'),
      request('MESSAGE', 'answer', { direction: 'out' }, '<mrs><ref>r1</ref><snu>0</snu></mrs>'),
      response(200, 'MESSAGE', 'answer', { direction: 'in' }),
    );
    expect(rings.kept.known).toHaveLength(2);
    expect(rings.intake.counts.routine.heartbeat).toBe(1);
  });

  it('an alarm is kept, and the answer to it', () => {
    const rings = met().pass(
      request('MESSAGE', 'alarm', {}, PING.replace('PI', 'ME')),
      response(200, 'MESSAGE', 'alarm'),
      request('MESSAGE', 'answer', { direction: 'out' }, '<mrs><ref>r1</ref><snu>0</snu></mrs>'),
    );
    expect(rings.kept.known).toHaveLength(5);
  });

  it.each([403, 503])('REGISTER answered %i is kept', (status) => {
    const rings = met().pass(request('REGISTER', 'r'), response(status, 'REGISTER', 'r'));
    expect(rings.lines('known').slice(2)).toEqual([
      'REGISTER sip:centre@example.org SIP/2.0',
      `SIP/2.0 ${status} X`,
    ]);
  });

  it('REGISTER without an answer is kept after a transaction has had its time', () => {
    const rings = met().pass(request('REGISTER', 'r'));
    expect(rings.at(40_999).kept.known).toHaveLength(2);
    expect([...rings.intake.held()].map(({ key }) => key)).toEqual(['r']);
    expect(rings.at(41_000).kept.known).toHaveLength(3);
  });

  it('a supervision frame and its acknowledgement are counted; an alarm and a refusal are kept', () => {
    const frame = (text: string, direction: 'in' | 'out'): TakenMessage => ({
      ...request('X', ''),
      protocol: 'dc09',
      direction,
      bytes: Buffer.from(`\n12AB0010${text}0001L0#12[]\r`),
    });
    const rings = new Rings().pass(
      frame('"NULL"', 'in'),
      frame('"ACK"', 'out'),
      frame('"*NULL"', 'in'),
      frame('"*ACK"', 'out'),
    );
    expect(rings.kept).toEqual({ known: [], stranger: [] });
    expect(rings.intake.counts.routine.heartbeat).toBe(2);
    rings.pass(frame('"SIA-DCS"', 'in'), frame('"ACK"', 'out'), frame('"NULL"', 'in'), frame('"NAK"', 'out'));
    expect(rings.kept.known.map(({ key }) => key)).toEqual(new Array(4).fill('198.51.100.7:5070'));
  });
});

describe('unknown senders', () => {
  it('have a ring of their own, and leave it when they are accepted', () => {
    const route = { flow: stranger };
    const rings = new Rings().pass(
      request('INVITE', 'a', route),
      response(403, 'INVITE', 'a', route),
      request('ACK', 'a', route),
    );
    expect(rings.lines('stranger')).toHaveLength(3);
    rings.pass(
      request('INVITE', 'b', route),
      response(100, 'INVITE', 'b', route),
      response(180, 'INVITE', 'b', route),
      response(200, 'INVITE', 'b', route),
    );
    expect(rings.lines('known')).toHaveLength(4);
    rings.pass(request('BYE', 'b', route));
    expect(rings.lines('known').at(-1)).toMatch(/^BYE/);
  });

  it('stay unknown when they are challenged, or answered 200 to OPTIONS', () => {
    const route = { flow: stranger };
    const rings = new Rings().pass(
      ...[request('OPTIONS', 'o', route), response(200, 'OPTIONS', 'o', route)],
      ...[request('INVITE', 'a', route), response(401, 'INVITE', 'a', route)],
    );
    expect(rings.at(60_000).kept).toMatchObject({ known: [], stranger: [{ key: 'a' }, { key: 'a' }] });
  });

  it('a known source that floods becomes one', () => {
    const rings = met();
    for (let i = 0; i < 200; i++) rings.pass(request('INVITE', `f${i}`), response(403, 'INVITE', `f${i}`));
    expect(rings.kept.known.length).toBeLessThan(2 + 2 * 64);
    expect(rings.kept.stranger.length).toBeGreaterThan(200);
  });

  it('cannot fill the memory, and push no device out of it', () => {
    const rings = met();
    rings.pass(request('REGISTER', 'own'));
    for (let i = 0; i < 5_000; i++)
      rings.pass(
        request('INVITE', `f${i}`, { flow: { ...stranger, remoteAddress: `203.0.113.${i % 250}` } }),
      );
    const held = [...rings.intake.held()];
    expect(held.length).toBeLessThanOrEqual(2_001);
    expect(held.map(({ key }) => key)).toContain('own');
    rings.pass(response(200, 'REGISTER', 'own'));
    expect(rings.kept.known).toHaveLength(2);
  });
});

it('says how many messages found no room', () => {
  const intake = new Intake();
  for (let i = 0; i < 20_000; i++) intake.take(request('MESSAGE', 'x', {}, 'y'.repeat(1_000)));
  expect(intake.counts.missed).toBeGreaterThan(10_000);
});
