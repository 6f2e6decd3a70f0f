import { heldWrites } from '#appliance/site/host/peer/site-adoption.ts';
import { SiteLost } from '#appliance/site/host/site-lost.ts';
import { copiesOf } from '#appliance/site/peer/index.ts';
import { answered, type Posted, testAppliance } from './appliance.ts';

type Appliance = Awaited<ReturnType<typeof testAppliance>>;

const STEP_MS = 1_000;

/** uid of the host that gets lost. */
export const LOST = '01jc7z5t3k9q8w6m4n2p0r1s5a';

/**
 * A second host of the site of `first`: it holds what that one commits, as over the link, and tells what became of it when
 * that one is lost. Both are whole appliances on fake clocks.
 */
export async function lostSite(first: Appliance) {
  const holder = await testAppliance({ address: '192.0.2.11' });
  const callbacks: Posted[] = [];
  holder.answerBy((posted) => {
    callbacks.push(posted);
    return answered({});
  });
  for (const row of first.tenant.mediaServices) holder.tenant.put('mediaservice', row.id, row);
  for (const row of first.tenant.recordingServices) holder.tenant.put('callrecording', row.id, row);
  for (const row of first.tenant.cloudSipUas) holder.tenant.put('cloudsipua', row.id, row);
  const copying: Promise<void>[] = [];
  const running = new Set<Promise<unknown>>();
  /** The link is there. */
  let linked = true;
  first.refuseCommits((writes) => {
    const copied = linked ? copiesOf(writes) : [];
    if (copied.length > 0)
      copying.push(holder.journal.commit(heldWrites(LOST, copied, holder.clock.wallMs())));
    return false;
  });
  const due = new Set<{ readonly atMs: number; readonly fire: () => void }>();
  let sees: boolean | undefined;
  let asked = 0;
  const lostOf = (): SiteLost =>
    new SiteLost({
      clock: holder.clock,
      random: (length) => Buffer.alloc(length, 7),
      log: (_, event, __, detail) => holder.logged.push(`${event} ${JSON.stringify(detail)}`),
      run: (work) => {
        running.add(work);
        void work.catch((cause) => holder.logged.push(`defect ${cause}`)).finally(() => running.delete(work));
      },
      sha256Hex: (bytes) => Buffer.from(bytes).toString('hex').slice(-64),
      place: {
        siteId: 'north',
        hostId: 'box-2',
        siteBaseUrl: 'https://box-2',
        address: '192.0.2.11',
        epoch: 2,
      },
      startTimer: (ms, fire) => {
        const one = { atMs: holder.clock.monoMs() + ms, fire };
        due.add(one);
        return () => due.delete(one);
      },
      journal: holder.journal,
      delivery: holder.runtime.delivery,
      cloudSees: async () => {
        asked++;
        return sees;
      },
    });
  return {
    holder,
    told: callbacks,
    lostOf,
    /** The answer of the platform; undefined: it is not reached. */
    cloud: (says: boolean | undefined): void => {
      sees = says;
    },
    get asked(): number {
      return asked;
    },
    cutLink: (): void => {
      linked = false;
    },
    async after(ms: number): Promise<void> {
      await Promise.all(copying.splice(0));
      for (let left = ms; left > 0; left -= STEP_MS) {
        await holder.after(Math.min(left, STEP_MS));
        for (const one of [...due]) {
          if (one.atMs > holder.clock.monoMs()) continue;
          due.delete(one);
          one.fire();
        }
        await Promise.all(running);
        await holder.quiet();
      }
    },
    close: () => holder.close(),
  };
}

export type LostSite = Awaited<ReturnType<typeof lostSite>>;
