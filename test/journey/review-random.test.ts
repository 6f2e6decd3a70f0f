import { afterEach, describe, expect, it } from 'vitest';
import { decodeResponse } from '#appliance/alarm/protocol/scaip/index.ts';
import { dice } from '#test/appliance/alarm/random.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

/* Everything at once, in any order: alarms, updates, cancels, a failing disk, an application in any mood, restarts. */

type Site = Awaited<ReturnType<typeof testAppliance>>;
const CALLBACK_MS = 5_000;
let site: Site | undefined;

afterEach(async () => {
  await site?.close();
  site = undefined;
});

/** Results of a whole story, over all its lives. */
interface Story {
  /** snu of every answer, by reference. */
  readonly answers: Map<string, number[]>;
  /** Idempotency keys under which a text was delivered. */
  readonly keys: Map<string, Set<string>>;
  /** Texts whose application answered 2xx. */
  readonly taken: Set<string>;
}

async function life(before?: Site): Promise<Site> {
  const made = await testAppliance(before === undefined ? {} : { folder: before.folder });
  if (before !== undefined) made.setWallBy(before.clock.wallMs() - made.clock.wallMs() + 1_000);
  made.bridge({ defaultEmergencyDestination: 'sip:help@arc.example', callbackTimeout: CALLBACK_MS });
  made.device({ deviceId: 'scaip-0001' });
  site = made;
  return made;
}

function hear(from: Site, { answers }: Story) {
  for (const message of from.take()) {
    if (message.kind !== 'request') continue;
    from.confirm(message);
    const response = decodeResponse(message.body);
    if (!response.ok) continue;
    const { ref, snu } = response.value;
    answers.set(ref, [...(answers.get(ref) ?? []), snu]);
  }
}

function mood(from: Site, story: Story, answers: () => 'good' | 'bad' | 'silent') {
  from.answerBy((posted) => {
    const text = /<ite>(\w+)<\/ite>/.exec(JSON.stringify(posted.body.sourceAlarmEvent))?.[1] ?? '';
    story.keys.set(text, (story.keys.get(text) ?? new Set()).add(posted.delivery.id));
    const answer = answers();
    if (answer === 'good') story.taken.add(text);
    // Only a live request has a device behind it that does not wait for ever.
    if (answer === 'silent' && posted.target.timeoutMs === CALLBACK_MS) return undefined;
    return answer === 'good' ? answered({ action: 'drop' }) : answered('', 503);
  });
}

const request = (ref: string, text: string, rest = '') =>
  `<mrq><ref>${ref}</ref><cid>scaip-0001</cid><dty>0003</dty><ite>${text}</ite>${rest}</mrq>`;

describe('random events', () => {
  it.each(Array.from({ length: 24 }, (_, seed) => seed + 1))(
    'no acknowledged alarm is lost (seed %d)',
    async (seed) => {
      const random = dice(seed);
      const pick = <T>(...of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
      const story: Story = { answers: new Map(), keys: new Map(), taken: new Set() };
      let now = await life();
      const moods = () => pick('good', 'good', 'bad', 'silent' as const);
      mood(now, story, moods);
      const sent = new Map<string, string>();
      let broken = false;
      for (let n = 0; n < 25; n++) {
        const ref = pick('R1', 'R2', 'R3');
        const what = pick('alarm', 'alarm', 'again', 'update', 'reset', 'cancel', 'disk', 'time', 'restart');
        const send = (body: string) => now.request('MESSAGE', 'scaip-0001', { body });
        if (what === 'alarm') {
          if (!sent.has(ref)) sent.set(ref, request(ref, `first${ref}`));
          send(sent.get(ref) ?? '');
        } else if (what === 'again') for (const body of sent.values()) send(body);
        else if (what === 'update') send(request(ref, `more${n}`, '<mty>IN</mty>'));
        else if (what === 'reset') send(request(ref, `reset${n}`, '<mty>RE</mty>'));
        else if (what === 'cancel') send(request(`C${n}`, `cancel${n}`, '<stc>0019</stc>'));
        else if (what === 'disk') {
          broken = !broken;
          now.breakDisk(broken);
        } else if (what === 'time') await now.after(pick(100, 3_100, 6_000, 20_000));
        else {
          hear(now, story);
          await now.close(true);
          now = await life(now);
          mood(now, story, moods);
          now.runtime.restore();
          broken = false;
        }
        if (random() < 0.6) await now.quiet();
        hear(now, story);
      }
      // The storm is over: the disk is there, the application takes what it gets, the device asks again.
      await now.quiet();
      now.breakDisk(false);
      mood(now, story, () => 'good');
      for (let i = 0; i < 3; i++) {
        for (const body of sent.values()) now.request('MESSAGE', 'scaip-0001', { body });
        await now.quiet();
        hear(now, story);
        await now.after(10_000);
        hear(now, story);
      }
      // A restart leaves nothing to find.
      await now.close(true);
      now = await life(now);
      mood(now, story, () => 'good');
      now.runtime.restore();
      await now.after(600_000);
      hear(now, story);
      expect(now.journal.pendingOutbox()).toEqual([]);
      for (const ref of sent.keys()) {
        const last = story.answers.get(ref)?.at(-1);
        expect([0, 5], `answer of ${ref}`).toContain(last);
        expect(story.taken, `delivery of ${ref}`).toContain(`first${ref}`);
        expect(story.keys.get(`first${ref}`)?.size, `ids of ${ref}`).toBe(1);
      }
    },
  );
});
