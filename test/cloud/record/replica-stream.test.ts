import { expect, it } from 'vitest';
import { followReplicas, RecordIntake, RecordStream } from '#cloud/record/index.ts';
import type { Notice } from '#cloud/store/index.ts';
import { dialects, openTestDatabase } from '../store/database.ts';
import { batchOf, callOf, intakeStage, NOW, recordIdOf } from './stage.ts';

const follow = (stream: RecordStream, tenant: string) => {
  const request = { filter: {}, whole: true, again: false, onFrozen: () => undefined };
  const listening = stream.listen(tenant, request);
  if (!listening.ok) throw new Error(listening.error.reason);
  return listening.value;
};

it.each(dialects)(
  'records that another replica has taken come to the streams of this one, on %s',
  async (dialect) => {
    const { store, close } = await openTestDatabase(dialect);
    const stage = await intakeStage(store);
    const place = await stage.host('u1');
    // The notices of the commit, as an announcement carries them.
    const noted: Notice[] = [];
    const stop = store.onNotice((notices, isRemote) => {
      if (!isRemote) noted.push(...notices);
    });
    const stream = new RecordStream();
    const intake = new RecordIntake({ store, onTaken: () => undefined });
    const end = followReplicas(store, stream);
    const [own, other] = [follow(stream, 't'), follow(stream, 'o')];
    await intake.take(place, 'gw-u1', batchOf([1, callOf(1)], [2, callOf(2)]), NOW);
    expect(noted.map(({ kind }) => kind)).toEqual(['sessionRecord', 'sessionRecord']);
    store.hear({ notices: noted.map(({ kind, id }) => [kind, id] as const) });
    const events = [await own.next(), await own.next()];
    expect(events.map((event) => 'id' in event && event.id).toSorted()).toEqual([
      recordIdOf(1),
      recordIdOf(2),
    ]);
    expect(events).toContainEqual(expect.objectContaining({ event: 'record' }));
    // Another tenant hears nothing of it.
    const next = other.next();
    stream.beat();
    expect(await next).toEqual({ event: 'beat' });
    // Announcements were missed: readers go to the list.
    stream.reset();
    expect(await own.next()).toMatchObject({ event: 'reset' });
    stop();
    end();
    stream.close();
    await close();
  },
  60_000,
);

it('a reading that fails sends the followers of the tenant to the list, and reads nothing for others', async () => {
  const { store, close } = await openTestDatabase('sqlite');
  const stream = new RecordStream();
  const end = followReplicas(store, stream);
  const own = follow(stream, 't');
  await close();
  store.hear({ notices: [['sessionRecord', `o ${recordIdOf(1)}`]] });
  store.hear({ notices: [['sessionRecord', `t ${recordIdOf(1)}`]] });
  expect(await own.next()).toMatchObject({ event: 'reset' });
  end();
});
