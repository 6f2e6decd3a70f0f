import { expect, it } from 'vitest';
import { routeMediaEvents } from '#appliance/engine/media-router.ts';
import type { MediaEvent } from '#appliance/media/control/index.ts';

function stage(sound: boolean) {
  const received: string[] = [];
  const owner = (name: string) => ({
    onMediaEvent: ({ kind }: MediaEvent) => void received.push(`${name} ${kind}`),
  });
  const route = routeMediaEvents({
    selfCalls: { onMediaEvent: (event) => 'leg' in event && event.leg === 'self-test 1' },
    sound: sound ? owner('sound') : undefined,
    calls: owner('calls'),
    services: owner('services'),
  });
  return { heard: received, route };
}

it('an event of a self-test reaches no other receiver', () => {
  const { heard: received, route } = stage(true);
  route({ kind: 'rtpResumed', leg: 'self-test 1' });
  expect(received).toEqual([]);
});

it('sound hears before the calls, and media services hear last', () => {
  const { heard: received, route } = stage(true);
  route({ kind: 'lost', worker: 0, legs: ['a'], conferences: [] });
  expect(received).toEqual(['sound lost', 'calls lost', 'services lost']);
});

it('a host without sound routes to the others', () => {
  const { heard: received, route } = stage(false);
  route({ kind: 'rtpResumed', leg: 'a' });
  expect(received).toEqual(['calls rtpResumed', 'services rtpResumed']);
});
