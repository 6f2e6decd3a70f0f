import { describe, expect, it } from 'vitest';
import { restore } from '#appliance/alarm/emergency-list/index.ts';
import { TABLE } from './list-table.ts';
import { INPUTS, type InputName, ListWalk, PLAN, SITUATIONS, word } from './list-walk.ts';

const names = Object.keys(INPUTS) as InputName[];
const words = (walk: ListWalk): string => walk.effects.filter(isSaid).map(word).join(', ');
const isSaid = ({ type }: { readonly type: string }): boolean => type !== 'wake' && type !== 'sleep';

describe('emergency list', () => {
  it.each(SITUATIONS)('answers every input in %s as the table says', (situation) => {
    const happened = Object.fromEntries(
      names.flatMap((name) => {
        const walk = ListWalk.at(situation);
        const before = walk.list;
        walk.input(name);
        const isSame = JSON.stringify(walk.list) === JSON.stringify(before);
        return isSame && words(walk) === '' ? [] : [[name, [walk.list.phase, words(walk)]]];
      }),
    );
    expect(happened).toEqual(TABLE[situation]);
  });

  it('is plain JSON in every situation', () => {
    for (const situation of SITUATIONS) {
      const { list } = ListWalk.at(situation);
      expect(restore(JSON.parse(JSON.stringify(list)))).toEqual(list);
    }
  });

  it('does not take up a list of a version that it does not know', () => {
    expect(restore({ ...ListWalk.at('asking').list, version: 2 as 1 })).toBeUndefined();
  });

  it('lets the next step ring 20 s after an answer without a key, and takes the late key', () => {
    const walk = new ListWalk();
    walk.input('a answers');
    walk.input('b busy');
    const answeredAt = walk.nowMs - 1;
    walk.input('due');
    expect(walk.nowMs).toBe(answeredAt + 20_000);
    expect(words(walk)).toBe('say 1 how, dial 3, (ringing)');
    walk.input('a 1');
    walk.input('a stored');
    expect(words(walk)).toBe('(accepted), hangUp 3, say 1 facts, join 1');
  });

  it('gives up a line after three windows', () => {
    const walk = new ListWalk({ ...PLAN, steps: [[...(PLAN.steps[0] ?? [])].slice(0, 1)], rounds: 1 });
    walk.input('a answers');
    walk.input('due');
    walk.input('due');
    walk.input('due');
    expect(words(walk)).toBe('(notAccepted), hangUp 1, (unanswered), ended unanswered');
    expect(walk.nowMs).toBe(1_001 + 60_000);
  });

  it('takes the first of two accepts that is settled, and informs the other', () => {
    const walk = new ListWalk();
    for (const name of ['a answers', 'b answers', 'a 1', 'b 1'] as const) walk.input(name);
    walk.input('b stored');
    expect(words(walk)).toBe('(accepted), (taken), last 1 taken, say 2 facts, join 2');
    walk.input('a stored');
    expect(words(walk)).toBe('');
  });

  it('calls the whole list after a person was lost, and ends when no person accepts in its rounds', () => {
    const walk = ListWalk.at('talking');
    walk.input('a lost');
    const dialled: string[] = [];
    for (let steps = 0; walk.list.phase !== 'ended' && steps < 20; steps++)
      for (const effect of walk.give({ type: 'timer' }, true))
        if (effect.type === 'dial') dialled.push(effect.entry.destination);
    expect(dialled).toEqual(['c', 'a', 'b', 'c']);
    expect(walk.list.result).toBe('unanswered');
  });

  it('begins no call after its longest time', () => {
    const walk = new ListWalk({ ...PLAN, longestMs: 30_000 });
    walk.input('due');
    walk.input('due');
    expect(walk.nowMs).toBe(1_000 + 30_000);
    expect(words(walk)).toBe('(notReached), hangUp 3, (unanswered), ended unanswered');
  });

  it('keeps its longest time over restarts, but for the least one', () => {
    const walk = new ListWalk();
    walk.give({ type: 'recovered', ageMs: 1_000_000 });
    expect(walk.list.endsAt - walk.nowMs).toBe(800_000);
    walk.give({ type: 'recovered', ageMs: 99_000_000 });
    expect(walk.list.endsAt - walk.nowMs).toBe(300_000);
    walk.give({ type: 'recovered', ageMs: -5 });
    expect(walk.list.endsAt - walk.nowMs).toBe(1_800_000);
  });

  describe('keys of the person who has accepted', () => {
    const press = (walk: ListWalk, keys: string): string[] =>
      [...keys].flatMap((key) => walk.give({ type: 'key', attempt: 1, key }).filter(isSaid).map(word));

    it.each([
      ['4', ['switchToDuplex']],
      ['7', ['listen']],
      ['8', ['speak']],
      ['0', []],
      ['04', ['switchToDuplex']],
      ['040', ['switchToDuplex']],
      ['5', ['say 1 keys']],
      ['*4711#', ['releaseDoorLock1']],
      ['*4712*4711#', ['releaseDoorLock1']],
      ['*47110#', ['(doorRefused)', 'say 1 wrongPin']],
      ['*#', ['(doorRefused)', 'say 1 wrongPin']],
      ['*00#', ['(doorRefused)', 'say 1 wrongPin']],
    ])('%s', (keys, said) => {
      expect(press(ListWalk.at('talking'), keys)).toEqual(said);
    });

    it('0 twice clears and hangs up, whatever a hang-up does', () => {
      const walk = ListWalk.at('talking');
      expect(press(walk, '00')).toEqual(['(cleared)', 'part 1', 'hangUp 1', 'ended handled']);
    });

    it('refuses the right PIN after three wrong ones', () => {
      const walk = ListWalk.at('talking');
      press(walk, '*1#*2#*3#');
      expect(press(walk, '*4711#')).toEqual(['(doorRefused)', 'say 1 noDoor']);
    });

    it('counts the wrong PINs of an entry over all its calls', () => {
      const walk = ListWalk.at('talking');
      press(walk, '*1#*2#*3#');
      walk.input('a hangs up');
      walk.input('due');
      const attempt = walk.list.attempts.find(({ step, entry }) => step === 0 && entry === 0)?.id ?? 0;
      walk.give({ type: 'answered', attempt });
      walk.give({ type: 'key', attempt, key: '1' });
      walk.give({ type: 'committed', attempt, isStored: true });
      const said = [...'*4711#'].flatMap((key) => walk.give({ type: 'key', attempt, key }).filter(isSaid));
      expect(said.map(word)).toEqual(['(doorRefused)', `say ${attempt} noDoor`]);
    });

    it('unlocks nothing for an entry without a PIN', () => {
      const walk = new ListWalk();
      for (const name of ['b answers', 'b 1', 'b stored'] as const) walk.input(name);
      const said = [...'*#'].flatMap((key) => walk.give({ type: 'key', attempt: 2, key }).map(word));
      expect(said.filter((each) => each !== 'sleep')).toEqual(['(doorRefused)', 'say 2 noDoor']);
    });
  });

  it('clears by the hang-up of the person who has accepted, where the bridge says so', () => {
    const walk = ListWalk.at('talking', true);
    walk.input('a hangs up');
    expect(words(walk)).toBe('part 1, (left), (cleared), ended handled');
  });

  it.each([true, false])('never clears by the hang-up of a callee who has not accepted (%s)', (clears) => {
    for (const situation of ['ringing', 'asking', 'asking, past', 'accepting'] as const) {
      const walk = ListWalk.at(situation, clears);
      walk.input('a hangs up');
      expect(walk.list.phase).toBe('calling');
    }
  });

  it('is a person again who presses a key after evidence of a machine', () => {
    const walk = ListWalk.at('talking, by answer');
    walk.input('c machine');
    walk.give({ type: 'key', attempt: 3, key: '1' });
    walk.input('c stored');
    expect(words(walk)).toBe('(accepted), say 3 facts, join 3');
    walk.input('c machine');
    expect(walk.list.phase).toBe('talking');
  });

  describe('an answer that takes the alarm', () => {
    const toOne = { ...PLAN, steps: [...PLAN.steps].reverse(), rounds: 1 };
    const called = (walk: ListWalk): string[] =>
      walk.effects.flatMap((effect) => (effect.type === 'dial' ? [effect.entry.destination] : []));
    const answers = (walk: ListWalk, attempt: number): void => {
      walk.give({ type: 'answered', attempt });
      walk.give({ type: 'committed', attempt, isStored: true });
    };

    it.each([
      ['is lost', { type: 'legEnded', isLost: true, reason: 'no audio' }],
      ['is over', { type: 'evidence', evidence: 'ended' }],
      ['hangs up', { type: 'legEnded', isLost: false, reason: 'BYE' }],
    ] as const)('withholds no call from the people behind it, when each of its calls %s', (_, end) => {
      const walk = new ListWalk(toOne);
      answers(walk, 1);
      walk.give({ ...end, attempt: 1 });
      if (walk.list.phase === 'handingBack') walk.input('due');
      expect(called(walk)).toEqual(['c']);
      answers(walk, 2);
      expect(walk.list.phase).toBe('calling');
      walk.give({ ...end, attempt: 2 });
      expect(called(walk)).toEqual(['a', 'b']);
    });

    it('calls the others of its step again when it was the answer of a machine', () => {
      const steps = [[...(toOne.steps[0] ?? []), ...(toOne.steps[1] ?? [])]];
      const walk = new ListWalk({ ...toOne, steps });
      answers(walk, 1);
      expect(words(walk)).toBe('(accepted), hangUp 2, hangUp 3, join 1');
      walk.give({ type: 'evidence', attempt: 1, evidence: 'machine' });
      expect(called(walk)).toEqual(['a', 'b']);
      expect(walk.list.phase).toBe('calling');
    });

    it.each([true, false])('clears nothing while its callee would hear no device (%s)', (clears) => {
      const walk = new ListWalk(toOne, clears, false);
      walk.give({ type: 'answered', attempt: 1 });
      expect(words(walk)).toBe('(answered), say 1 announce');
      walk.give({ type: 'legEnded', attempt: 1, isLost: false, reason: 'BYE' });
      expect(called(walk)).toEqual(['a', 'b']);
    });

    it('counts when the device comes behind it', () => {
      const walk = new ListWalk(toOne, false, false);
      walk.give({ type: 'answered', attempt: 1 });
      walk.input('device here');
      expect(words(walk)).toBe('(deviceJoined), commit 1');
      walk.input('a stored');
      expect(words(walk)).toBe('(accepted), join 1');
    });
  });
});
