import { join } from 'node:path';
import { runProgram } from '#test/peers/support/program.ts';
import { NOT_APPLICABLE, REASONS } from './pjsua-sendto.codes.ts';
import { CALLERS, sippWorld } from './support/sipp-world.ts';
import type { Row } from './support/table.ts';

interface Line {
  readonly name: string;
  readonly failed?: string;
  readonly expected: number;
  readonly code: number;
  readonly lacks: readonly string[];
  readonly holds: readonly string[];
  readonly answer: string;
}

/** All scripts together; each waits six seconds at most. */
const WITHIN_MS = 900_000;

/** pjproject's `tests/pjsua` with its `scripts-sendto`: raw requests and what an answer must have, and must not. */
export async function pjsuaSendto(folder: string): Promise<readonly Row[]> {
  const world = await sippWorld();
  try {
    const driver = join(import.meta.dirname, 'support/sendto-driver.py');
    const port = `${world.site.appliance.ready.udp}`;
    const ended = await runProgram('python3', [driver, folder, port, JSON.stringify(CALLERS)], {
      withinMs: WITHIN_MS,
    });
    if (ended.code !== 0) throw new Error(ended.stderr);
    const { defects: broken = 0 } = (await world.site.appliance.ask('report')).counts;
    const lines = ended.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    return [...lines.map(judged), ...(broken === 0 ? [] : [defects(broken)])];
  } finally {
    await world.close();
  }
}

function judged({ name, failed, expected, code, lacks, holds, answer }: Line): Row {
  const said = failed ?? `${answer.split('\r\n')[0]?.slice(8) ?? code}, expected ${expected}`;
  const keyed = /^a=crypto:/m.test(answer ?? '') ? ' with a key' : '';
  const missed = [...lacks.map((each) => `lacks ${each}`), ...holds.map((each) => `has ${each}`)];
  const row = { name, answer: [said + keyed, ...missed].join('; ').replaceAll('\n', ' ') };
  if (failed === undefined && code === expected && missed.length === 0)
    return { ...row, verdict: 'as expected' };
  const reason = REASONS[name];
  if (reason === undefined) return { ...row, verdict: 'differs' };
  return { ...row, verdict: NOT_APPLICABLE.has(reason) ? 'not applicable' : 'differs', reason };
}

const defects = (count: number): Row => ({
  name: 'defects of the appliance',
  verdict: 'differs',
  answer: String(count),
});
