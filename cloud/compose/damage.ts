import { keptAside, sqliteFileOf } from '../io/database/index.ts';
import { oneAtATime, repeat } from '../io/timer/index.ts';
import { createStorageDamageWatch, type PlatformAlarmTable } from '../monitoring/index.ts';
import type { Infrastructure } from './infrastructure.ts';

const LOOK_MS = 10_000;

/** Tells the operator of damaged files beside the database, from the start on and until each is moved away. */
export function watchDamage(
  { config, log, closing }: Pick<Infrastructure, 'config' | 'log' | 'closing'>,
  platform: Pick<PlatformAlarmTable, 'raise' | 'clear'>,
): void {
  const file = sqliteFileOf(config.database);
  if (file === undefined) return;
  const look = createStorageDamageWatch({ damaged: () => keptAside(file), platform });
  const notLooked = (cause: unknown) =>
    log('warn', 'database_folder.check_failed', 'Could not look for damaged files beside the database', {
      cause: String(cause),
    });
  const round = oneAtATime(async () => look(), notLooked);
  round();
  closing.push(repeat(LOOK_MS, round));
}
