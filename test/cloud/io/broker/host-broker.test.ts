import { describe, expect, it } from 'vitest';
import { HostBrokers } from '#cloud/io/broker/host-broker.ts';
import { topicOf } from '#shared/contract/feed/index.ts';

const UID = '01kb0000000000000000000001';
const PLACE = { sh: '0a', tenant: '01kb0000000000000000000002', siteId: 'north', uid: UID };
const [STATE, BEAT] = [topicOf(PLACE, 'up/state'), topicOf(PLACE, 'up/hb')];
const [EARLIER, LATER] = ['01kb0000000000000000000003', '01kb0000000000000000000004'];
const birth = (sid: string) => Buffer.from(JSON.stringify({ v: 1, st: 'on', sid }));
const will = (sid: string) => Buffer.from(JSON.stringify({ v: 1, st: 'off', sid }));
const beat = (sid: string) => Buffer.from(JSON.stringify({ v: 1, sid }));

describe('where a host with several brokers speaks', () => {
  it('takes the kept birth of the one broker that has any', () => {
    expect(new HostBrokers().takes(1, STATE, birth(EARLIER), true)).toBe(true);
  });

  it('drops the birth that a broker kept of a host that has moved to another one', () => {
    const brokers = new HostBrokers();
    expect(brokers.takes(1, BEAT, beat(LATER), false)).toBe(true);
    expect(brokers.takes(0, STATE, birth(EARLIER), true)).toBe(false);
    expect(brokers.takes(1, STATE, birth(LATER), true)).toBe(true);
  });

  it('takes of two kept births the later session, whichever comes first', () => {
    const brokers = new HostBrokers();
    expect(brokers.takes(0, STATE, birth(LATER), true)).toBe(true);
    expect(brokers.takes(1, STATE, birth(EARLIER), true)).toBe(false);
    const others = new HostBrokers();
    expect(others.takes(1, STATE, birth(EARLIER), true)).toBe(true);
    expect(others.takes(0, STATE, birth(LATER), true)).toBe(true);
  });

  it('does not take the late will of the broker that was left for the place of the host', () => {
    const brokers = new HostBrokers();
    brokers.takes(1, BEAT, beat(LATER), false);
    expect(brokers.takes(0, STATE, will(EARLIER), false)).toBe(true);
    expect(brokers.takes(0, STATE, will(EARLIER), true)).toBe(false);
  });

  it('follows a host that moves, and forgets those of a shard that another process observes', () => {
    const brokers = new HostBrokers();
    brokers.takes(1, BEAT, beat(EARLIER), false);
    brokers.takes(0, STATE, birth(LATER), false);
    expect(brokers.takes(1, STATE, birth(EARLIER), true)).toBe(false);
    brokers.forget(PLACE.sh);
    expect(brokers.takes(1, STATE, birth(EARLIER), true)).toBe(true);
  });

  it('has no say in what no host says', () => {
    const brokers = new HostBrokers();
    expect(brokers.takes(0, 'carillon/1/0a/cp/state', will(EARLIER), true)).toBe(true);
    expect(brokers.takes(0, 'elsewhere', Buffer.alloc(0), true)).toBe(true);
  });
});
