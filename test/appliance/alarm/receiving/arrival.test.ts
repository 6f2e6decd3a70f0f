import { describe, expect, it } from 'vitest';
import type { ReceiverBridge } from '#appliance/alarm/receiver/index.ts';
import { matchedReceiver, originOf, receiverFacts } from '#appliance/alarm/receiving/arrival.ts';

const bridge = (destinationMatch?: string) =>
  ({ id: 'b1', name: 'North', protocol: 'scaip', destinationMatch }) as ReceiverBridge;

describe('the receiver of an alarm', () => {
  it.each([
    ['^north$', 'destinationMatch ^north$'],
    [undefined, undefined],
  ])('with destinationMatch %s is named with the rule %s', (match, rule) => {
    expect(matchedReceiver(bridge(match))).toEqual({
      alarmBridgeId: 'b1',
      name: 'North',
      protocol: 'scaip',
      rule,
    });
    expect(receiverFacts(bridge(match))).toEqual({ receiver: 'b1', receiverName: 'North', rule });
  });

  it('that was removed before a restart leaves no fact', () => {
    expect(receiverFacts(undefined)).toEqual({});
  });
});

describe('the marks of a repeat', () => {
  it.each([
    [
      { sourceIp: '192.0.2.1', proof: 'digest unit' },
      { address: '192.0.2.1', proof: 'digest unit' },
    ],
    [{ sourceIp: '192.0.2.1' }, { address: '192.0.2.1' }],
  ])('for %j are %j', (arrival, origin) => {
    expect(originOf(arrival)).toStrictEqual(origin);
  });
});
