import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DIFFERS, NOT_APPLICABLE, SERVICE } from './pjsua-sipp.codes.ts';
import { nameOf, sippWorld } from './support/sipp-world.ts';
import type { Row } from './support/table.ts';

/** Sessions of 90 s are refreshed at half of their time. */
const TIMER_WITHIN_S = 70;

/** pjproject's `tests/pjsua/scripts-sipp`, with the appliance where pjsua stands. */
export async function pjsuaSipp(folder: string): Promise<readonly Row[]> {
  const world = await sippWorld();
  const rows: Row[] = [];
  const only = process.env.FIELD_ONLY;
  try {
    for (const entry of readdirSync(folder).filter((file) => file.endsWith('.xml'))) {
      const name = nameOf(entry);
      if (only !== undefined && !name.includes(only)) continue;
      const reason = NOT_APPLICABLE[name];
      if (reason !== undefined) {
        rows.push({ name, verdict: 'not applicable', answer: '', reason });
        continue;
      }
      const file = join(folder, entry);
      const withinS = name.startsWith('uas-timer') ? TIMER_WITHIN_S : undefined;
      const run = {
        file,
        ...(withinS !== undefined && { withinS }),
        flags: ['-s', SERVICE[name] ?? 'service'],
      };
      const end = await (name.startsWith('uac') ? world.scenario(run) : world.called(run));
      const complaints = await world.complaints();
      const answer = [end.answer, ...complaints].join('; ');
      const why = end.good ? undefined : DIFFERS[name];
      const verdict = end.good ? 'as expected' : 'differs';
      rows.push({ name, verdict, answer, ...(why !== undefined && { reason: why }) });
      console.error(name, end.good, answer);
    }
  } finally {
    await world.close();
  }
  return rows;
}
