import { adoptionOf } from '#appliance/site/host/peer/site-adoption.ts';
import type { testAppliance } from './appliance.ts';

type Appliance = Pick<Awaited<ReturnType<typeof testAppliance>>, 'clock' | 'journal' | 'runtime' | 'quiet'>;

/** Sessions that the host `of` left are carried on by this one, as a site does it when a host is doubted or dead. False: there was nothing. */
export async function takeOver(by: Appliance, of: string, what: 'sessions' | 'all'): Promise<boolean> {
  const { clock, journal, runtime } = by;
  const { alarmSessions, delivery } = runtime;
  const ports = {
    clock,
    journal,
    running: () => runtime.sessionIds,
    isInFlight: (id: string) => delivery.isInFlight(id),
    deadline: () => delivery.deadline(),
    twinOf: (id: string, atMs: number) => alarmSessions.twinOf(id, atMs),
  };
  const adoption = adoptionOf(ports, of, what, new Set());
  if (adoption === undefined) return false;
  const written = journal.commit(adoption.writes);
  alarmSessions.restore(adoption.left);
  await written;
  runtime.takeOver(adoption);
  await by.quiet();
  return true;
}
