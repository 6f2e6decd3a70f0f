import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { srtpCrypto } from '#appliance/io/crypto/index.ts';
import type { MediaEvent } from '#appliance/media/control/index.ts';
import { Engine } from '#appliance/media/engine/index.ts';
import { must } from '#test/support/media.ts';
import { Phone } from '#test/support/phone.ts';

describe('a defect', () => {
  it('ends the leg it is in and no other', () => {
    const events: MediaEvent[] = [];
    const defects: string[] = [];
    const engine = new Engine({
      worker: 3,
      crypto: srtpCrypto,
      random: randomBytes,
      startMs: 0,
      wallOffsetMs: 0,
      emit: (event) => events.push(event),
      defect: (leg, cause) => defects.push(`${leg}: ${String(cause)}`),
    });
    let sent = 0;
    let broken = false;
    const good = { send: () => sent++ };
    const bad = {
      send: () => {
        if (broken) throw new Error('out of order');
      },
    };
    const phone = new Phone({ host: '192.0.2.20', port: 4_000 }, () => {});
    for (const [leg, port] of [
      ['a', bad],
      ['b', good],
    ] as const) {
      must(engine.open({ leg, profile: 'ordinary', family: 4, near: 'a' }, { rtp: port, rtcp: port }));
      must(engine.updateLeg(leg, phone.stream()));
    }
    must(engine.connect('a', 'b'));
    const run = () => {
      sent = 0;
      for (let n = 0; n < 40; n++) engine.slice(n * 5);
      return sent;
    };
    expect(run()).toBeGreaterThanOrEqual(9);
    expect(defects).toEqual([]);
    broken = true;
    expect(run()).toBeGreaterThanOrEqual(9);
    expect(defects).toEqual(['a: Error: out of order']);
    expect(events).toEqual([{ kind: 'lost', worker: 3, legs: ['a'], conferences: [] }]);
    expect(engine.stats('a')).toMatchObject({ ok: false, error: { code: 'Unknown' } });
    expect(engine.stats('b').ok).toBe(true);
  });
});
