import type { Host } from './sim-host.ts';
import type { SimSite } from './sim-site.ts';

/** A copy of a row that its own host has made and delivered. A row that went through other hosts is delivered by the host that has it. */
const isOver = ({ id, body }: { readonly id: string; readonly body: string }, { disk }: Host): boolean =>
  disk.outbox.get(id)?.state === 'done' && !('origin' in (JSON.parse(body) as object));

/** Promises that a site without faults has not kept; `destroyed`: the host whose disk is lost. */
export function violationsOf(site: SimSite, destroyed: Host | undefined): string[] {
  const violations: string[] = [];
  const received = new Set(site.received);
  site.figures.secondIds = site.alarms.filter(({ ids }) => ids.size > 1).length;
  site.figures.repeatedIds = site.received.length - received.size;
  for (const { reference, acknowledged, ids } of site.alarms) {
    // The one stated limit: a row that no other host has, on a disk that is destroyed.
    const promised = [...ids].filter((id) => destroyed === undefined || site.copied.has(id));
    if (acknowledged && promised.length > 0 && !promised.some((id) => received.has(id)))
      violations.push(`${reference} was acknowledged and never delivered`);
    for (const id of promised)
      if (!received.has(id)) violations.push(`${reference}: ${id} was promised and never delivered`);
  }
  for (const id of received) if (id.startsWith('new ')) violations.push(`${id} has another id`);
  const living = site.hosts.filter((host) => host !== destroyed);
  const terms = new Set(living.map(({ life }) => `${life?.peers.view.epoch} ${life?.peers.view.owner}`));
  if (terms.size > 1)
    violations.push(`after all is well there are ${terms.size} terms: ${[...terms].join(', ')}`);
  for (const { life, uid, disk } of living) {
    for (const id of disk.wentBack) violations.push(`${uid}: ${id} went back to an older state`);
    if ((life?.queue.size ?? 0) > 0) violations.push(`${uid} still has ${life?.queue.size} rows`);
    const left = [...disk.outbox.values()].filter(
      ({ state }) => state === 'new' || state === 'inflight',
    ).length;
    if (left > 0) violations.push(`${uid} still has ${left} rows on its disk`);
    for (const other of living)
      if (disk.owed(other.uid).some((row) => isOver(row, other)))
        violations.push(`${uid} takes for undelivered what ${other.uid} has delivered`);
  }

  return violations;
}
