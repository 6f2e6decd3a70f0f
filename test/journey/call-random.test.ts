import { expect, it } from 'vitest';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { testAppliance } from '#test/support/appliance.ts';
import { type Talk, type Telephone, telephones } from '#test/support/telephone.ts';
import { bySize } from '#test/support/vitest/rounds.ts';

/** mulberry32: small, and the same everywhere. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SEEDS = Array.from({ length: bySize(10, 25) }, (_, index) => index + 1);

it.each(SEEDS)(
  'seed %i: people and a bad line in any order leave nothing behind',
  async (seed) => {
    const random = seeded(seed);
    const appliance = await testAppliance();
    const net = telephones(appliance);
    const users = [
      await net.device('anna', '192.0.2.20'),
      await net.device('bo', '192.0.2.21'),
      await net.device('carl', '192.0.2.22'),
    ];
    const talks: { readonly by: Telephone; readonly talk: Talk; readonly branch?: string }[] = [];
    const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    // A tenth of what we send is lost on the way.
    net.lose(() => random() < 0.1);

    /** Answers something that waits, or leaves it. */
    const answer = (by: Telephone): void => {
      const request = by.inbox.find(
        (each): each is SipRequest => each.kind === 'request' && each.method !== 'ACK',
      );
      if (request === undefined) return;
      by.inbox.splice(by.inbox.indexOf(request), 1);
      if (request.method !== 'INVITE') by.respond(request, 200);
      else if (random() < 0.4) {
        by.inbox.push(request);
        by.respond(request, random() < 0.5 ? 180 : 183, random() < 0.3 ? { sdp: by.describe() } : {});
      } else if (random() < 0.7) {
        by.hearPort(request);
        by.respond(request, 200, { sdp: by.describe() });
        talks.push({ by, talk: by.answeredTalk(request) });
      } else by.respond(request, one([486, 404, 603, 500]));
    };

    const hear = (by: Telephone): void => {
      for (const known of talks.filter((each) => each.by === by)) {
        const ok = by.inbox.find(
          (each) => each.kind === 'response' && each.callId === known.talk.callId && each.status === 200,
        );
        if (ok?.kind !== 'response' || ok.cseq.method !== 'INVITE') continue;
        by.inbox.splice(by.inbox.indexOf(ok), 1);
        if (random() < 0.9) by.acknowledge(known.talk, ok);
      }
    };

    for (let count = 0; count < 40; count++) {
      const by = one(users);
      const own = talks.filter((each) => each.by === by);
      const ringing = own.at(-1);
      const known = own.findLast(({ talk }) => talk.theirTag !== '');
      const pick = random();
      if (pick < 0.2 && talks.length < 8) {
        const to = one(users.filter((each) => each !== by)).user;
        try {
          talks.push({
            by,
            ...(await by.invite(to, net.pump).then((talk) => ({ talk, branch: talk.branch }))),
          });
        } catch {
          // Its challenge was lost: it gives up.
        }
      } else if (pick < 0.6) answer(by);
      else if (pick < 0.7) hear(by);
      else if (known !== undefined && pick < 0.78) by.inDialog(known.talk, 'BYE');
      else if (ringing?.branch !== undefined && pick < 0.82)
        by.cancel({ ...ringing.talk, branch: ringing.branch });
      else if (known !== undefined && pick < 0.88)
        by.inDialog(known.talk, 'INVITE', {
          sdp: by.describe({ direction: one(['sendonly', 'sendrecv']), version: count }),
        });
      else if (known !== undefined && pick < 0.94)
        by.inDialog(known.talk, 'REFER', {
          headers: [['Refer-To', `<sip:${one(users).user}@care.example>`]],
        });
      else await net.after(random() * 4_000);
      await net.pump();
    }
    // Everybody falls silent and answers nothing any more: every call ends by itself.
    for (const user of users) user.audio.sending = false;
    await net.after(260_000, 20_000);
    expect(appliance.runtime.load).toMatchObject({ calls: 0, legs: 0 });
    expect(appliance.media.openLegs).toEqual([]);
    await net.after(200_000, 40_000);
    expect(appliance.runtime.calls.keptLegs).toBe(0);
    expect(appliance.runtime.load.transactions).toBe(0);
    // A lost challenge looks like a device that knows no SHA-256.
    expect(appliance.logged.filter((line) => !line.includes('digestFallback'))).toEqual([]);
    await appliance.close();
  },
  30_000,
);
