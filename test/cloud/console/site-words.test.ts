import './english.ts';
import { describe, expect, it } from 'vitest';
import {
  type Node,
  rolesOf,
  sightsOf,
  siteFaults,
  type Topology,
  type Turn,
  turnWords,
} from '#cloud/console/component/wording/site-words.ts';

const turn = (changes: Partial<Turn>): Turn => ({
  id: '1',
  at: 0,
  late: false,
  hostId: 'two',
  epoch: 4,
  roles: [],
  gained: [],
  lost: [],
  cause: 'other',
  took: [],
  faults: [],
  ...changes,
});

const both = ['vip', 'leader'];

describe('a change of roles as a sentence', () => {
  it.each<[string, Partial<Turn>]>([
    [
      'two has the address of the site and the lead: one did not answer any more. It delivers what one left behind.',
      { gained: both, cause: 'hostLost', of: 'one', took: ['one'] },
    ],
    [
      'two has the lead: one gave it up, by a drain, a fault or a stop.',
      { gained: ['leader'], cause: 'handedOver', of: 'one' },
    ],
    [
      'two took the lead from one, which goes on serving.',
      { gained: ['leader'], cause: 'preferred', of: 'one' },
    ],
    ['two has the lead: it was started, and no other host had it.', { gained: ['leader'], cause: 'started' }],
    ['two has the lead.', { gained: ['leader'], cause: 'by vote' }],
    ['two gave up the lead: it is drained, or about to stop.', { lost: ['leader'], cause: 'notServing' }],
    [
      'two gave up the address of the site: the disk is full; sip is down.',
      { lost: ['vip'], cause: 'notServing', faults: ['the disk is full', 'sip is down'] },
    ],
    ['two gave the lead to one.', { lost: ['leader'], cause: 'takenBy', of: 'one' }],
    ['two lost the lead.', { lost: ['leader'] }],
    ['two sees one again. Nothing moved.', { cause: 'hostBack', of: 'one' }],
    [
      'two lost one. It delivers what one and three left.',
      { cause: 'hostLost', of: 'one', took: ['one', 'three'] },
    ],
    ['two reported a change that this console does not know.', {}],
  ])('%s', (sentence, changes) => {
    expect(turnWords(turn(changes))).toBe(sentence);
  });
  it('names a host that was removed', () => {
    const { hostId: _, ...lost } = turn({ gained: ['leader'] });
    expect(turnWords(lost)).toBe('A removed host has the lead.');
  });
});

const node = (hostId: string, peers: Node['peers'], changes: Partial<Node> = {}): Node => ({
  hostId,
  status: 'online',
  lifecycle: 'active',
  connectivity: 'online',
  connectivitySince: 0,
  speaks: true,
  roles: [],
  services: {},
  peers,
  ...changes,
});

describe('the view among hosts', () => {
  it.each([
    ['ok', 'ok', 'both'],
    ['ok', 'dead', 'one'],
    ['lost', 'ok', 'one'],
    ['dead', 'lost', 'none'],
    [undefined, 'lost', 'none'],
    [undefined, undefined, 'unknown'],
  ] as const)('%s and %s: %s', (there, back, seen) => {
    const peers = (word: string | undefined, name: string) => (word === undefined ? {} : { [name]: word });
    const [sight] = sightsOf([node('one', peers(there, 'two')), node('two', peers(back, 'one'))]);
    expect(sight).toMatchObject({ from: 'one', to: 'two', seen });
  });
  it('names who misses whom', () => {
    const [sight] = sightsOf([node('one', { two: 'dead' }), node('two', { one: 'ok' })]);
    expect(sight?.words).toBe('two sees one; one does not see two.');
  });
  it('takes no word of one that is silent', () => {
    const [sight] = sightsOf([node('one', { two: 'ok' }, { speaks: false }), node('two', { one: 'dead' })]);
    expect(sight).toMatchObject({ seen: 'none' });
  });
  it('has each pair of three hosts once', () => {
    const all = sightsOf(['a', 'b', 'c'].map((hostId) => node(hostId, {})));
    expect(all.map(({ from, to }) => `${from}${to}`)).toEqual(['ab', 'ac', 'bc']);
  });
});

describe('the problem of a site', () => {
  const site = (changes: Partial<Topology>): Topology => ({
    siteId: 'north',
    profile: 'standard',
    epoch: 1,
    vip: [],
    leader: ['one'],
    hosts: [node('one', {}), node('two', {})],
    ...changes,
  });
  it('leaves a role to whom the control plane gives it', () => {
    const stale = node('one', {}, { roles: ['vip', 'leader', 'other'] });
    expect(rolesOf(site({ vip: ['one'], leader: ['two'] }), stale)).toEqual(['vip', 'other']);
  });
  it('is nothing where one leads and another stands by', () => {
    expect(siteFaults(site({}))).toEqual([]);
    expect(siteFaults(site({ hosts: [] }))).toEqual([]);
  });
  it.each<[RegExp, Partial<Topology>]>([
    [/^one and two both hold the address/, { vip: ['one', 'two'], leader: ['one', 'two'] }],
    [/^one and two both lead/, { leader: ['one', 'two'] }],
    [/takes no alarms/, { hosts: [node('one', {}, { lifecycle: 'drained' })] }],
    [/^Only two is in service/, { hosts: [node('one', {}, { lifecycle: 'drained' }), node('two', {})] }],
  ])('%s', (sentence, changes) => {
    expect(siteFaults(site(changes))).toEqual([expect.stringMatching(sentence)]);
  });
});
