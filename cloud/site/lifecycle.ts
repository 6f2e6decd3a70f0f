import { type Actor, readHost, type Tx } from '../store/index.ts';
import { moveHost } from './record.ts';

/**
 * A host reported that it works with the configuration it was given: the end of commissioning. Gives whether the host
 * went into service by it; then its twin must be made anew after the commit.
 */
export async function configAcknowledged(tx: Tx, uid: string, actor: Actor): Promise<boolean> {
  const host = await readHost(tx, uid);
  if (host?.lifecycle !== 'commissioning') return false;
  await moveHost(tx, actor, host, 'active');
  return true;
}
