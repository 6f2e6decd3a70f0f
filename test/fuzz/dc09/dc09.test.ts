import { afterEach, describe, expect, it } from 'vitest';
import { fastestMs } from '#test/appliance/alarm/protocol/mutate.ts';
import { dice } from '#test/appliance/alarm/random.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { panelAt } from '#test/support/panel.ts';
import { rounds } from '#test/support/vitest/rounds.ts';
import { ACCOUNTS, type Damaged, damaged, KEY, KEYED, KINDS, type Kind } from './damage.ts';
import { type Outcome, PureReceiver } from './receiver.ts';

const ROUNDS = rounds(20_000, 100_000);
const SEED = 20_260_925;

const sites: Awaited<ReturnType<typeof testAppliance>>[] = [];

/** The fault of an outcome by the rule; undefined: none. */
function fault({ due, answers, events, echo }: Damaged, outcome: Outcome): string | undefined {
  if (outcome.answers.length + outcome.events.length + outcome.reports.length === 0) return 'silent';
  switch (due) {
    case 'deliver':
      if (outcome.events.length < events) return `${outcome.events.length} events`;
      if (outcome.answers.length !== answers) return `${outcome.answers.length} answers`;
      if (outcome.answers.some((token) => token !== 'ACK')) return `answered ${outcome.answers.join()}`;
      return echo === '' || outcome.echoes[0] === echo ? undefined : `echo ${outcome.echoes[0]}`;
    case 'refuse':
      if (outcome.events.length > 0 || outcome.answers.includes('ACK')) return 'taken';
      return outcome.reports.some((type) => ['authError', 'rejected', 'wrongTime'].includes(type))
        ? undefined
        : 'no report';
    case 'silence':
      return outcome.answers.length + outcome.events.length > 0 ? 'answered' : undefined;
    case 'any':
      return undefined;
  }
}

/** Every event that the input names, at least one. */
const isDelivered = ({ events }: Damaged, outcome: Outcome): boolean =>
  outcome.events.length >= Math.max(1, events) && outcome.answers.every((token) => token === 'ACK');

interface Row {
  inputs: number;
  due: number;
  delivered: number;
}

/** Share of inputs that were delivered, by kind: the table of the README. */
function report(rows: ReadonlyMap<Kind, Row>): string {
  const share = (of: number, all: number) => (all === 0 ? '' : `${((100 * of) / all).toFixed(1)} %`);
  const lines = [...rows].map(
    ([kind, { inputs, due, delivered }]) =>
      `| ${kind} | ${share(due, inputs)} | ${share(delivered, inputs)} |`,
  );
  return ['| Damage | Must be delivered | Delivered |', '|---|---|---|', ...lines].join('\n');
}

afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
});

describe('a damaged frame of DC-09', () => {
  it('through the whole appliance: 150 that must be delivered are acknowledged and reach the application', async () => {
    const site = await testAppliance();
    sites.push(site);
    site.bridge({ protocol: 'dc09', name: 'Panels', destinationMatch: '^R' });
    site.answerBy(() => answered({ action: 'drop' }));
    for (const deviceId of ACCOUNTS) site.device({ deviceId });
    for (const deviceId of KEYED)
      site.device({ deviceId, serviceData: { alarmBridge: { dc09: { key: KEY.toString('hex') } } } });
    const random = dice(SEED);
    const inputs: Damaged[] = [];
    for (let round = 0; inputs.length < 150; round++) {
      const input = damaged(KINDS[round % KINDS.length] as Kind, random, site.clock.wallMs());
      if (input.due === 'deliver') inputs.push(input);
    }
    const said = inputs.map(({ segments, ends }, place) => {
      // An address of its own: what two of them say alike is no repeat.
      const panel = panelAt(site, `tcp ${place}`, `192.0.2.${place}`);
      for (const segment of segments) panel.send(segment);
      if (ends) panel.end();
      return panel.said;
    });
    await site.quiet();
    const wrong = inputs.filter(({ kind, answers }, place) => {
      const words = said[place] ?? [];
      // Both of a doubled frame wait for the disk, and one ACK answers them.
      return (
        words.length !== (kind === 'doubled' ? 1 : answers) || !words.every((word) => /^"\*?ACK"/.test(word))
      );
    });
    expect(wrong.map(({ kind, segments }) => [kind, String(segments[0])])).toEqual([]);
    const reported = site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
    const due = inputs.reduce((sum, { events }) => sum + events, 0);
    expect(reported.length).toBeGreaterThanOrEqual(due);
  });

  const rule = 'what names a known account is delivered, none is silent, none takes 5 ms';
  it(`${ROUNDS} of them: ${rule}`, { timeout: Math.max(120_000, 10 * ROUNDS) }, () => {
    const receiver = new PureReceiver();
    const random = dice(SEED);
    const rows = new Map(KINDS.map((kind) => [kind, { inputs: 0, due: 0, delivered: 0 }]));
    const faults: string[] = [];
    const suspects: Damaged[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      receiver.next();
      const input = damaged(KINDS[round % KINDS.length] as Kind, random, receiver.wallMs);
      const startMs = performance.now();
      const outcome = receiver.receive(input);
      if (performance.now() - startMs > 5) suspects.push(input);
      const row = rows.get(input.kind) as Row;
      row.inputs++;
      if (input.due === 'deliver') row.due++;
      if (isDelivered(input, outcome)) row.delivered++;
      const found = fault(input, outcome);
      if (found !== undefined && faults.length < 40) {
        const text = input.segments.map((bytes) => Buffer.from(bytes).toString('latin1'));
        faults.push(`${input.kind} ${round}: ${found}: ${JSON.stringify(text)} ${outcome.reports.join()}`);
      }
    }
    if (process.env.FUZZ_TABLE !== undefined) process.stdout.write(`${report(rows)}\n`);
    expect(faults).toEqual([]);
    const slow = suspects.filter((input) => fastestMs(() => new PureReceiver().receive(input)) > 5);
    expect(slow).toEqual([]);
    for (const { inputs } of rows.values()) expect(inputs).toBeGreaterThan(0);
  });
});
