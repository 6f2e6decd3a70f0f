import { notedWaitingAlarm, type Store } from '../store/index.ts';
import type { AlarmQueue } from './alarm-queue.ts';
import type { QueueStream } from './queue-stream.ts';

/**
 * Tells the streams of this replica of alarms that another replica has written. Gives the function that ends it. A reading that
 * fails loses nothing: consoles ask for the list every 15 s.
 */
export function followReplicas(
  store: Pick<Store, 'onNotice'>,
  queue: Pick<AlarmQueue, 'read'>,
  stream: Pick<QueueStream, 'add'>,
): () => void {
  const announce = async (tenant: string, id: string): Promise<void> => {
    const alarm = await queue.read(tenant, id);
    if (alarm.ok) stream.add(tenant, alarm.value);
  };
  return store.onNotice((notices, isRemote) => {
    if (!isRemote) return;
    for (const notice of notices) {
      const noted = notedWaitingAlarm(notice);
      if (noted !== undefined) void announce(noted.tenant, noted.id).catch(() => undefined);
    }
  });
}
