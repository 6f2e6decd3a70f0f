import { expect, it } from 'vitest';
import { lengthText, servicesOf, shareOf } from '#cloud/console/page/call-queue/queue-figure.ts';

it.each([
  [0, '0:00'],
  [7, '0:07'],
  [750, '12:30'],
  [3_723, '1:02:03'],
])('%i s is %s', (seconds, text) => {
  expect(lengthText(seconds)).toBe(text);
});

it('shares are those of callers that have left the queue', () => {
  const counts = { answered: 6, abandoned: 3, overflowed: 0 };
  expect(shareOf(6, counts)).toBe(67);
  expect(shareOf(0, counts)).toBe(0);
  expect(shareOf(0, { answered: 0, abandoned: 0, overflowed: 0 })).toBeUndefined();
});

it('each media service is offered once', () => {
  const queues = ['b', 'a', 'b'].map((mediaserviceId) => ({ mediaserviceId }));
  expect(servicesOf(queues as never)).toEqual(['b', 'a']);
});
