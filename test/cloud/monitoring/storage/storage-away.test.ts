import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { topicOf } from '#shared/contract/feed/index.ts';
import { heartbeatOf, type MonitoringStage, openMonitoringStage, type Puppet } from '../stage.ts';

let stage: MonitoringStage;
let host: Puppet;
let neighbour: Puppet;

beforeEach(async () => {
  stage = await openMonitoringStage();
  stage.mayFail = true;
  host = await stage.addHost();
  neighbour = await stage.addHost();
  for (const each of [host, neighbour]) await stage.birth(each);
  await stage.beating([host, neighbour], 240);
});
afterEach(() => stage.close());

const silent = async () =>
  (await stage.alarms())
    .filter(({ error }) => error === 'noHeartbeatReply')
    .map(({ uid, status }) => [uid, status]);
const failed = () =>
  stage.logged.filter((line) => line.includes('monitoring.step_failed') && line.includes(host.place.uid))
    .length;

describe('a database that is away', () => {
  it('delays the alarm of a host that falls silent meanwhile, and loses it not', async () => {
    neighbour.answers = true;
    stage.isStorageAway = true;
    await stage.passAway(300);
    expect(await silent()).toEqual([]);
    expect(failed()).toBe(1);
    stage.isStorageAway = false;
    await stage.passAway(17);
    await stage.monitoring.idle();
    expect(await silent()).toContainEqual([host.place.uid, 'active']);
    expect(stage.reported).toContainEqual(expect.objectContaining({ error: 'noHeartbeatReply' }));
  });

  it('delays the end of an alarm', async () => {
    neighbour.answers = true;
    await stage.beating([neighbour], 240);
    expect(await silent()).toEqual([[host.place.uid, 'active']]);
    stage.isStorageAway = true;
    for (let n = 0; n < 4; n++) {
      for (const each of [host, neighbour])
        stage.monitoring.message(
          topicOf(each.place, 'up/hb'),
          Buffer.from(JSON.stringify(heartbeatOf(each))),
        );
      await stage.passAway(30);
    }
    expect(await silent()).toEqual([[host.place.uid, 'active']]);
    stage.isStorageAway = false;
    await stage.passAway(17);
    await stage.beating([host, neighbour], 120);
    expect(await silent()).toEqual([[host.place.uid, 'cleared']]);
  });

  it('leaves the alarm of a host whose shard has another owner to that owner', async () => {
    stage.isStorageAway = true;
    await stage.passAway(300);
    await stage.monitoring.leave([host.place.sh, neighbour.place.sh], 'lost');
    stage.isStorageAway = false;
    await stage.passAway(17);
    await stage.monitoring.idle();
    expect(await silent()).toEqual([]);
  });

  it('holds up no end of the program', async () => {
    stage.isStorageAway = true;
    await stage.passAway(300);
    await stage.monitoring.stop();
  });
});
