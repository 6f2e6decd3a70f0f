import { describe, expect, it } from 'vitest';
import {
  initialLane,
  type LaneEffect,
  type LaneInput,
  type LaneState,
  stepLane,
} from '#appliance/site/index.ts';

/** A journal and a cloud around the machine: rows by seq, what the cloud has, a wire that may lose. */
class Around {
  state: LaneState;
  rows: number[] = [];
  cloud = 0;
  readonly sent: string[] = [];
  readonly timers: number[] = [];
  acknowledged = 0;

  constructor(acked: number) {
    this.state = initialLane(acked);
  }

  tell(input: LaneInput): void {
    const { state, effects } = stepLane(this.state, input);
    this.state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: LaneEffect): void {
    if (effect.kind === 'send') {
      const batch = this.rows.filter((seq) => seq > effect.afterSeq).slice(0, 3);
      if (batch.length > 0)
        this.sent.push(`${effect.afterSeq}>${batch.join(',')}${effect.wentBack ? ' back' : ''}`);
      this.tell({ kind: 'sent', upTo: batch.at(-1) });
    } else if (effect.kind === 'acknowledge') this.acknowledged = effect.seq;
    else if (effect.kind === 'startTimer') this.timers.push(effect.delayMs);
  }
}

describe('lane', () => {
  it('sends one batch at a time, the next when the cloud has the one before', () => {
    const lane = new Around(0);
    lane.rows = [1, 2, 3, 4, 5];
    lane.tell({ kind: 'wake' });
    expect(lane.sent).toEqual([]);
    lane.tell({ kind: 'opened' });
    lane.tell({ kind: 'wake' });
    expect(lane.sent).toEqual(['0>1,2,3']);
    lane.tell({ kind: 'ack', seq: 3 });
    expect(lane.sent).toEqual(['0>1,2,3', '3>4,5']);
    expect(lane.acknowledged).toBe(3);
    lane.tell({ kind: 'ack', seq: 5 });
    lane.tell({ kind: 'ack', seq: 5 });
    expect(lane.sent).toHaveLength(2);
    lane.rows.push(9);
    lane.tell({ kind: 'wake' });
    expect(lane.sent.at(-1)).toBe('5>9');
  });

  it('sends again after 10, 20, 40, 60, 60 s', () => {
    const lane = new Around(0);
    lane.rows = [1];
    lane.tell({ kind: 'opened' });
    for (let i = 0; i < 5; i++) lane.tell({ kind: 'resend' });
    expect(lane.timers).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
    lane.tell({ kind: 'ack', seq: 1 });
    lane.tell({ kind: 'resend' });
    expect(lane.sent).toHaveLength(6);
  });

  it('sends only the rest when a part has arrived', () => {
    const lane = new Around(0);
    lane.rows = [1, 2, 3];
    lane.tell({ kind: 'opened' });
    lane.tell({ kind: 'ack', seq: 2 });
    expect(lane.sent).toEqual(['0>1,2,3']);
    lane.tell({ kind: 'resend' });
    expect(lane.sent.at(-1)).toBe('2>3');
  });

  it('goes back to what the cloud says, and starts again after a loss', () => {
    const lane = new Around(7);
    lane.rows = [5, 6, 7, 8];
    lane.tell({ kind: 'opened' });
    lane.tell({ kind: 'ack', seq: 5 });
    expect(lane.sent).toEqual(['7>8', '5>6,7,8 back']);
    lane.tell({ kind: 'lost' });
    lane.tell({ kind: 'resend' });
    lane.tell({ kind: 'wake' });
    expect(lane.sent).toHaveLength(2);
    lane.tell({ kind: 'opened' });
    expect(lane.sent).toHaveLength(3);
  });

  it('brings every row to the cloud in order, whatever is lost, doubled or late (1,000 stories)', () => {
    for (let seed = 1; seed <= 1_000; seed++) {
      let noise = seed;
      const random = () => {
        noise = (noise * 1_103_515_245 + 12_345) % 2_147_483_648;
        return noise / 2_147_483_648;
      };
      const lane = new Around(0);
      const cloud: number[] = [];
      const acks: number[] = [];
      let seq = 0;
      let received = 0;
      lane.tell({ kind: 'opened' });
      const listen = () => {
        for (const text of lane.sent.slice(received)) {
          if (random() < 0.3) continue;
          const [prev = '', items = ''] = text.replace(' back', '').split('>');
          const has = cloud.at(-1) ?? 0;
          if (Number(prev) <= has)
            cloud.push(
              ...items
                .split(',')
                .map(Number)
                .filter((item) => item > has),
            );
          acks.push(cloud.at(-1) ?? 0);
        }
        received = lane.sent.length;
      };
      for (let turn = 0; turn < 60; turn++) {
        const dice = random();
        if (dice < 0.3) lane.rows.push(++seq);
        else if (dice < 0.5) lane.tell({ kind: 'wake' });
        else if (dice < 0.6) lane.tell({ kind: 'resend' });
        else if (dice < 0.7) {
          lane.tell({ kind: 'lost' });
          lane.tell({ kind: 'opened' });
        } else if (acks.length > 0 && random() < 0.7) lane.tell({ kind: 'ack', seq: acks.shift() ?? 0 });
        listen();
      }
      for (let turn = 0; turn < 200 && (cloud.at(-1) ?? 0) < seq; turn++) {
        lane.tell({ kind: turn % 2 === 0 ? 'resend' : 'wake' });
        listen();
        for (const ack of acks.splice(0)) lane.tell({ kind: 'ack', seq: ack });
      }
      expect(cloud, `seed ${seed}`).toEqual(Array.from({ length: seq }, (_, i) => i + 1));
      expect(lane.acknowledged).toBeLessThanOrEqual(seq);
    }
  });
});
