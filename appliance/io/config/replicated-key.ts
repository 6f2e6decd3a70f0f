import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { replicatedVerifyKeySchema } from '#shared/contract/access/index.ts';
import { openSqlite } from '../sqlite/index.ts';

const OF_PLATFORM =
  "SELECT body FROM replica WHERE scope = 'platform' AND entity = 'verifykey' ORDER BY id" as const;

/**
 * The keys that the control plane signs with now, as the configuration in `folder` names them; none before there is one. For
 * another program than the one that writes there: nothing is changed. Throws when the file is damaged.
 */
export function replicatedKeys(folder: string) {
  const file = join(folder, 'config.db');
  if (!existsSync(file)) return [];
  const db = openSqlite({ file, readonly: true });
  try {
    return db
      .prepare<[], { body: string }>(OF_PLATFORM)
      .all()
      .map(({ body }) => replicatedVerifyKeySchema.parse(JSON.parse(body)));
  } finally {
    db.close();
  }
}
