import { describe, expect, it } from 'vitest';
import { brokerOrder } from '#appliance/site/broker.ts';

const [A, B, C] = ['mqtts://a:8883', 'mqtts://b:8883', 'mqtts://c:8883'] as const;
const old = { shard: '01', brokerUrl: A };

describe('the order in which a host tries its brokers', () => {
  it('is the one of its enrolment where nothing else was ever said', () => {
    expect(brokerOrder(old, undefined)).toEqual([A]);
    expect(brokerOrder(old, {})).toEqual([A]);
  });

  it('begins where the shard says, so that hosts are spread over all', () => {
    const orders = Array.from({ length: 64 }, (_, n) =>
      brokerOrder({ ...old, shard: n.toString(16).padStart(2, '0'), brokerUrls: [A, B] }, undefined),
    );
    expect(orders.filter(([first]) => first === A)).toHaveLength(32);
    expect(orders[1]).toEqual([B, A]);
  });

  it('follows the twin, and keeps the brokers of the enrolment behind it', () => {
    expect(brokerOrder(old, { brokers: [B, C] })).toEqual([C, B, A]);
    expect(brokerOrder({ ...old, brokerUrls: [A, B] }, { brokers: [C] })).toEqual([C, A, B]);
  });

  it('passes over what is no address of a broker', () => {
    expect(brokerOrder(old, { brokers: ['', 'https://b', 'mqtts://', 'nonsense'] })).toEqual([A]);
  });
});
