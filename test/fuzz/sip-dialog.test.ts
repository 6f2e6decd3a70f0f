import { describe, expect, it } from 'vitest';
import { acceptAnswer, answerOffer, createOffer, formatSdp, parseSdp } from '#appliance/sip/sdp/index.ts';
import { rounds } from '#test/support/vitest/rounds.ts';
import type { Phone } from '../appliance/sip/dialog/phone.ts';
import { pair, Wire } from '../appliance/sip/dialog/wire.ts';
import { seeded } from '../appliance/sip/endpoint/stage.ts';
import { plan } from '../appliance/sip/sdp/fixture.ts';
import { mutate } from './sip-mutation.ts';

const ROUNDS = rounds(10_000, 40_000);
const SEED = 20_261_121;
/** Broken messages that one conversation gets. */
const PER_CALL = 80;

/** Keeps every message a phone gets, so that broken ones belong to its living dialog. */
function tap(phone: Phone): Buffer[] {
  const received: Buffer[] = [];
  const receive = phone.endpoint.receive.bind(phone.endpoint);
  phone.endpoint.receive = (flow, bytes, nowMs) => {
    received.push(bytes);
    receive(flow, bytes, nowMs);
  };
  return received;
}

/** Offers and answers as the call engine makes them: a description that comes in is read and negotiated. */
function negotiating(phone: Phone): void {
  const offer = formatSdp(createOffer(plan()));
  phone.makeOffer = () => offer.toString();
  phone.makeAnswer = (text) => {
    const read = parseSdp(Buffer.from(text));
    const agreed = read.ok ? answerOffer(read.value, plan()) : undefined;
    return agreed?.ok === true ? formatSdp(agreed.value.local).toString() : 'none';
  };
  phone.onAgreed = (text) => {
    const read = parseSdp(Buffer.from(text));
    if (read.ok) acceptAnswer(createOffer(plan()), read.value);
  };
}

/** The message as a transaction of its own: a repeated branch would end in the one that knows it. */
function renewed(bytes: Buffer, random: () => number): Buffer {
  const branch = `branch=z9hG4bK${Math.floor(random() * 2 ** 32)}`;
  const text = bytes
    .toString('latin1')
    .replace(/branch=[^;\r]+/, branch)
    .replace(/CSeq: (\d+)/, (_, seq: string) => `CSeq: ${Number(seq) + Math.floor(random() * 4)}`);
  return Buffer.from(text, 'latin1');
}

/** A conversation with everything in it, a broken message at every turn. */
function conversation(seed: number, random: () => number, whole = false): Wire {
  const wire = new Wire(seed, { b: { reliableProvisional: true }, delayMs: 40 });
  const phones = [wire.a, wire.b];
  const received = phones.map(tap);
  for (const phone of phones) negotiating(phone);
  wire.b.onIncoming = (call) => {
    call.ring(183, true);
    call.accept();
  };
  wire.a.dial('b', random() < 0.2);
  const turns = [
    () => wire.a.calls[0]?.change('INVITE'),
    () => wire.b.calls[0]?.change('UPDATE'),
    () => wire.a.calls[0]?.change('INVITE', false),
    () => wire.b.calls[0]?.end(),
  ];
  for (let broken = 0; broken < PER_CALL; broken++) {
    wire.pass(random() < 0.1 ? 1_000 : 20);
    if (broken % 20 === 19) turns[(broken - 19) / 20]?.();
    for (const [i, phone] of phones.entries()) {
      const corpus = received[i] ?? [];
      if (corpus.length === 0 || whole) continue;
      const bytes = mutate(random, random() < 0.5 ? corpus : corpus.map((each) => renewed(each, random)));
      const before = corpus.length;
      phone.endpoint.receive(phone.flow, bytes, wire.nowMs);
      // A broken message is not the seed of further ones: the conversation would drown in them.
      corpus.length = before;
    }
  }
  return wire;
}

/** Inputs that the sessions of both phones reported or deliberately ignored: broken messages that get so far add to it. */
const reported = ({ a, b }: Wire): number =>
  [a, b].reduce(
    (sum, { ignored, calls }) => sum + ignored.length + calls.flatMap(({ events: event }) => event).length,
    0,
  );

describe(`mutated messages inside a dialog, seed ${SEED}`, () => {
  it(`${ROUNDS} of them leave no defect, and every timer ends`, { timeout: 600_000 }, () => {
    const random = seeded(SEED);
    let calls = 0;
    const reached: number[] = [];
    for (let round = 0; round < ROUNDS; round += 2 * PER_CALL) {
      const wire = conversation(SEED + ++calls, random);
      const defects = [...wire.a.defects, ...wire.b.defects].map(String);
      expect(defects, `call ${calls}`).toEqual([]);
      for (const phone of [wire.a, wire.b]) for (const call of phone.calls) if (call.alive) call.end();
      wire.pass(400_000);
      reached.push(reported(wire));
      expect([wire.a, wire.b].map(({ endpoint }) => endpoint.serverCount + endpoint.clientCount)).toEqual([
        0, 0,
      ]);
    }
    const undisturbed = reported(conversation(SEED, random, true));
    expect(reached.reduce((sum, each) => sum + each, 0) / calls).toBeGreaterThan(undisturbed);
  });

  it('without any the same conversation is held to its end', () => {
    const wire = new Wire(1, { b: { reliableProvisional: true } });
    for (const phone of [wire.a, wire.b]) negotiating(phone);
    wire.a.dial('b');
    wire.pass(1_000);
    const [a, b] = pair(wire);
    expect(a.agreed).toContain('m=audio');
    b.end();
    wire.pass(1_000);
    expect([a.ended, b.ended]).not.toContain(undefined);
  });
});
