import { expect } from 'vitest';
import type { SwarmState } from '#test/bench/process/swarm.ts';
import type { Child } from '#test/bench/support/child-process.ts';
import type { Place } from '#test/bench/support/place.ts';
import { seeded } from '#test/campaign/campaign.ts';
import { type ArrivedDelivery, judgeControlPlane } from '#test/campaign/replica/control-plane-history.ts';
import { rowsOf, settledAlarms, twinNumbers } from '#test/campaign/replica/control-plane-look.ts';
import {
  HOSTS,
  lastChange,
  type Stage,
  startChanges,
  startEndpoint,
  startHosts,
  startStage,
} from '#test/campaign/replica/control-plane-stage.ts';
import type { ReplicasOptions } from '#test/peers/cloud/replicas.ts';
import type { Verdict } from '#test/support/site-history.ts';

/** Hosts that alarm, a person who changes devices at every replica, and the endpoint of their tenant. */
export interface ReplicaStory {
  readonly stage: Stage;
  readonly hosts: Child<null, null, SwarmState | undefined>;
  /** Hosts that have not applied the last change in time. */
  readonly behind: () => Promise<readonly string[]>;
  /** Ends the changes, waits until nothing is under way, and gives every promise that was broken. */
  readonly verdict: (faults: number) => Promise<Verdict>;
  /** Fails with them. */
  readonly judged: (faults: number) => Promise<void>;
}

/**
 * Three control planes of the same program on right clocks, with two brokers. `server`: their database; by default a new one. `flags` of
 * the engine: words that plant a fault in each of them.
 */
export async function startReplicaStory(
  place: Place,
  seed: number,
  options: Pick<ReplicasOptions, 'server' | 'flags'> = {},
): Promise<ReplicaStory> {
  const arrived: ArrivedDelivery[] = [];
  const stage = await startStage(place, options);
  const { replicas } = stage;
  await startEndpoint(place, replicas, (delivery) => arrived.push(delivery));
  const hosts = await startHosts(place, replicas);
  const changes = startChanges(replicas, seeded(seed));
  const verdict = async (faults: number): Promise<Verdict> => {
    const accepted = await changes.end();
    const last = await lastChange(replicas);
    const settled = await settledAlarms(replicas, async () => (await hosts.ask(null))?.waiting ?? HOSTS);
    return judgeControlPlane({
      ...(await rowsOf(replicas)),
      ...settled,
      ...{ twins: twinNumbers(replicas), arrived, accepted, lastChange: last, faults },
    });
  };
  return {
    stage,
    hosts,
    behind: async () => (await lastChange(replicas)).behind,
    verdict,
    judged: async (faults) => {
      const { figures, violations } = await verdict(faults);
      expect(violations, JSON.stringify(figures)).toEqual([]);
    },
  };
}
