import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { parseMessage, responseTo } from '#appliance/sip/message/index.ts';
import { slowness } from '#test/support/vitest/processor-speed.ts';
import { rounds } from '#test/support/vitest/rounds.ts';
import { Stage, seeded, tcp, udp } from '../appliance/sip/endpoint/stage.ts';
import { mutate } from './sip-mutation.ts';

const ROUNDS = rounds(20_000, 100_000);
const SEED = 20_260_411;
const LONGEST_MS = 5;

const corpus: readonly Buffer[] = ['torture', 'ipv6', 'crash'].flatMap((set) => {
  const folder = join(import.meta.dirname, '../vectors/sip', set);
  const names = readdirSync(folder).filter((name) => name.endsWith('.sip'));
  return names.map((name) => readFileSync(join(folder, name)));
});

/** Reads everything a user of the message could ask for. */
function readAll(bytes: Buffer): void {
  const parsed = parseMessage(bytes);
  if (!parsed.ok) {
    if (parsed.error.kept !== undefined)
      responseTo(parsed.error.kept, { address: '192.0.2.1', port: 1 }, { status: 400 });
    return;
  }
  const message = parsed.value;
  void [
    message.vias,
    message.contacts,
    message.routes,
    message.recordRoutes,
    message.expires,
    message.contentType,
  ];
  void [
    message.from.uri,
    message.to.uri,
    message.from.display,
    message.to.display,
    message.list('Supported'),
  ];
  void [message.nameAddrs('Path'), message.header('Subject'), message.body];
  if (message.kind === 'request') void message.uri;
}

describe(`mutated messages, seed ${SEED}`, () => {
  it(`${ROUNDS} of them are read without an exception, none for longer than ${LONGEST_MS} ms`, {
    timeout: Math.max(600_000, 10 * ROUNDS),
  }, () => {
    const random = seeded(SEED);
    const slow: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = mutate(random, corpus);
      const before = performance.now();
      try {
        readAll(bytes);
      } catch (error) {
        throw new Error(`round ${round}: ${String(error)}\n${JSON.stringify(bytes.toString('latin1'))}`);
      }
      if (performance.now() - before <= LONGEST_MS) continue;
      // The machine may have been busy elsewhere: slow is what is slow three times.
      const again = [0, 1, 2].map(() => {
        const start = performance.now();
        readAll(bytes);
        return performance.now() - start;
      });
      if (Math.min(...again) > LONGEST_MS * slowness()) slow.push(`round ${round}: ${Math.min(...again)} ms`);
    }
    expect(slow).toEqual([]);
  });

  it('leave the endpoint without a defect, and it still answers', {
    timeout: Math.max(600_000, 10 * ROUNDS),
  }, () => {
    const random = seeded(SEED + 1);
    const stage = new Stage();
    stage.onDeliver = (_, server) => void server.respond({ status: 200 }, stage.nowMs);
    for (let round = 0; round < ROUNDS; round++) {
      stage.receive(mutate(random, corpus), round % 2 === 0 ? udp : tcp);
      stage.sent.length = 0;
      stage.delivered.length = 0;
      if (round % 100 === 0) stage.pass(1_000);
    }
    expect(stage.defects).toEqual([]);
    stage.pass(300_000);
    expect(stage.endpoint.serverCount).toBe(0);
    expect(stage.endpoint.nextDueMs()).toBeUndefined();
  });
});
