import { afterEach, expect, it } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { partedFromDatabase } from '#test/campaign/replica/control-plane.ts';
import { shared } from '#test/campaign/replica/control-plane-look.ts';
import { COUNT } from '#test/campaign/replica/control-plane-stage.ts';
import { unfenced } from '#test/campaign/replica/unfenced.ts';
import { startReplicaStory } from './stage/replica-story.ts';

/*
 * The partition of the campaign `control-plane`, twice: the program as it is, and one that goes on writing what its hosts say when
 * its lease has run out. The judgement of the campaign must tell them apart.
 */

const TIMES = 3;
let place = new Place();
afterEach(async () => {
  await place.close();
  place = new Place();
});

/** The judgement of the campaign on a replica with hosts that is parted from the database for longer than its lease, and joined. */
async function brokenPromises(flags: readonly string[]): Promise<readonly string[]> {
  const story = await startReplicaStory(place, 5, { flags });
  const { replicas } = story.stage;
  for (let n = 0; n < TIMES; n++) {
    const [most] = await replicas.rows<{ taker: string }>(
      'SELECT taker FROM host JOIN shard_taker USING (sh) GROUP BY taker ORDER BY count(*) DESC, taker LIMIT 1',
    );
    const victim = replicas.all.findIndex(({ name }) => name === most?.taker);
    await partedFromDatabase(story.stage, victim, 1);
    expect(await shared(replicas, COUNT)).toBe(true);
  }
  return (await story.verdict(TIMES)).violations;
}

it('as it is: no promise is broken', { timeout: 400_000 }, async () => {
  expect(await brokenPromises([])).toEqual([]);
});

it('without the end of its lease and without the fence: it writes rows of hosts that others own', {
  timeout: 400_000,
}, async () => {
  expect((await brokenPromises(unfenced)).join()).toContain('written by a replica that did not own them');
});
