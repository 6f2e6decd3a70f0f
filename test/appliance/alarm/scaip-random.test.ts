import { describe, expect, it } from 'vitest';
import { rounds } from '#test/support/vitest/rounds.ts';
import { AlarmRoom, type RoomSetting } from './alarm-room.ts';
import { dice } from './random.ts';

const HELP = 'sip:help@arc.example';
const CONTENTS = [
  '',
  '<stc>0009</stc>',
  '<mty>IN</mty><ite>more</ite>',
  '<mty>RE</mty>',
  '<stc>0019</stc>',
  '<ame>1</ame><ite>part</ite>',
  '<lco>021</lco>',
  '<cha>1</cha>',
  '<crd>no-voice:</crd>',
];
const CALLBACKS = [
  { action: 'drop' },
  { action: 'callEmergencyCenter' },
  'failed',
  'never',
  { action: 'dance' },
  null,
];

/** One device, one application and one disk, all of them unreliable; the same story for the same seed. */
function story(seed: number): AlarmRoom {
  const random = dice(seed);
  const any = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  let diskFails = false;
  const given: RoomSetting = {
    setting: random() < 0.5 ? { emergencyDestination: HELP } : {},
    callback: any(CALLBACKS),
    callbackAfterMs: any([0, 100, 4000, 14_000]),
    storeAfterMs: any([0, 5, 200, 4000]),
    storeFails: () => diskFails && random() < 0.7,
  };
  const room = new AlarmRoom(given);
  for (let i = 0; i < 40; i++) {
    const dieRoll = random();
    const [key] = any([...room.sessions].concat([['', undefined as never]]));
    if (dieRoll < 0.55) {
      room.send(`<mrq><ref>${any(['A', 'B', 'C'])}</ref><cid>123</cid><dty>0003</dty>${any(CONTENTS)}</mrq>`);
    } else if (dieRoll < 0.6) room.restart();
    else if (dieRoll < 0.65) diskFails = !diskFails;
    else if (dieRoll < 0.7) given.callback = any(CALLBACKS);
    else if (dieRoll < 0.75 && key !== '') room.input(key, { type: 'voiceArrived', at: room.now });
    else if (dieRoll < 0.8 && key !== '') {
      room.input(key, { type: 'voiceEnded', at: room.now, by: any(['arc', 'device']) });
    } else room.run(any([1, 50, 3000, 9000, 61_000, 31 * 60_000]));
  }
  room.run(3 * 3_600_000);
  return room;
}

const STORIES = rounds(300, 1_000);

describe(`${STORIES} random stories`, () => {
  it('lose nothing, report nothing twice, promise nothing early, and all of them end', () => {
    let events = 0;
    for (let seed = 1; seed <= STORIES; seed++) {
      const room = story(seed);
      const where = `seed ${seed}`;
      events += room.storedEvents;
      expect(room.delivered.length, where).toBe(room.storedEvents);
      expect(
        [...room.sessions.values()].filter(({ state }) => state !== 'closed'),
        where,
      ).toEqual([]);
      const promised = room.log.indexOf('answer 0');
      const onDisk = room.log.findIndex((word) => word === 'on disk' || word === 'part on disk');
      if (promised !== -1) expect(onDisk !== -1 && onDisk < promised, where).toBe(true);
      const reported = room.answers.map(({ snu }) => snu);
      expect(
        reported.filter((snu) => ![0, 4, 5].includes(snu)),
        where,
      ).toEqual([]);
    }
    expect(events).toBeGreaterThan(5 * STORIES);
  });
});
