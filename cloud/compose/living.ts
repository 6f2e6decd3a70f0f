import { formerNames, type InstallationKeys, installationName } from '../installation/index.ts';
import { isPostgres, livingOnServer, markLiving } from '../io/database/index.ts';

/**
 * Says on the server of the database that this installation works. Throws one sentence while one that this copy was restored
 * from works there, since both would speak to the same hosts; and while another process serves the database and one of the
 * two has the embedded broker, which the hosts of the other one do not reach.
 */
export async function beginToLive(
  { database, mqtt }: { readonly database: string; readonly mqtt: unknown },
  keys: InstallationKeys,
  closing: (() => unknown)[],
): Promise<void> {
  if (!isPostgres(database)) return;
  const living = await livingOnServer(database, formerNames(keys));
  if (living !== undefined)
    throw new Error(
      `This database was restored from a backup of the installation ${living}, which still works on the same database server: stop that one first, for both would speak to the same hosts.`,
    );
  const end = await markLiving(database, installationName(keys), mqtt === undefined ? 'sole' : 'shared');
  if (end === undefined)
    throw new Error(
      mqtt === undefined
        ? 'Another control plane works on this database, and the embedded broker serves one process: stop the other one, or give each of them an external broker by CARILLON_MQTT.'
        : 'Another control plane works on this database with the embedded broker, which serves one process: stop it, or give it the external broker by CARILLON_MQTT, too.',
    );
  closing.push(end);
}
