import { describe, expect, it } from 'vitest';
import { EarlyEvents, FirstCall, placeOfFile } from '#appliance/call/sound/index.ts';

describe('the file of a name', () => {
  const places = {
    revision: 7,
    promptFile: (name: string) => (name === 'hold.wav' || name === 'coming.wav' ? { name } : undefined),
    promptPath: ({ name }: { readonly name: string }) =>
      name === 'hold.wav' ? `/prompt/${name}` : undefined,
    recordingPath: (name: string) => (name === 'gone.wav' ? undefined : `/recording/${name}`),
  };
  it.each([
    ['hold.wav', undefined, '/prompt/hold.wav'],
    ['hold.wav', 7, '/prompt/hold.wav'],
    ['hold.wav', 8, undefined],
    ['call.wav', undefined, '/recording/call.wav'],
    ['call.wav', 7, '/recording/call.wav'],
    ['call.wav', 8, undefined],
    ['gone.wav', undefined, undefined],
    // A recording of the name of a prompt file is not played in its place.
    ['coming.wav', undefined, undefined],
  ])('%s, wanted at revision %s, is at %s', (fileName, revision, path) => {
    expect(placeOfFile({ fileName, ...(revision !== undefined && { revision }) }, places)).toBe(path);
  });
});

it.each([
  [
    ['OPTIONS', 'INVITE', 'INVITE'],
    [false, true, false],
  ],
  [
    ['', 'SIP/2.0 200 OK', 'invite'],
    [false, false, false],
  ],
  [
    ['MESSAGE', 'INFO', 'INVITE'],
    [false, true, false],
  ],
])('is the one of %j where the first call begins with %j', (messages, begins) => {
  const call = new FirstCall();
  expect(messages.map((text) => call.beginsWith(Buffer.from(text)))).toEqual(begins);
});

it('events before their consumer are kept in order, and come before those behind it', () => {
  const events = new EarlyEvents<number>();
  const came: number[] = [];
  events.emit(1);
  events.emit(2);
  events.deliverTo((event) => {
    came.push(event);
    // An event that follows from another one.
    if (event === 1) events.emit(10);
  });
  events.emit(3);
  expect(came).toEqual([1, 10, 2, 3]);
});
