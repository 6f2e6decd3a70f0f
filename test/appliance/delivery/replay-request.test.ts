import { describe, expect, it } from 'vitest';
import { takeReplayRequest } from '#appliance/delivery/replay-request.ts';

const ID = '01jc7z5t3k9q8w6m4n2p0r0001';

/** A request that is laid down as `text`; an Error cannot be read. */
function taken(text: string | Error | undefined) {
  const [replayed, logged]: [unknown[], unknown[]] = [[], []];
  takeReplayRequest({
    place: 'request.json',
    take: () => {
      if (text instanceof Error) throw text;
      return text;
    },
    replay: (ids) => {
      replayed.push(ids);
      return 2;
    },
    log: (level, event, _message, detail) => void logged.push([level, event, detail]),
  });
  return { replayed, logged };
}

describe('a request on site to send dead letters again', () => {
  const requeued = ['info', 'dead_letter.requeued', { taken: 2 }];
  const damaged = ['error', 'dead_letter.request_damaged', { cause: expect.any(String) }];
  it.each([
    [undefined, [], []],
    ['{}', [undefined], [requeued]],
    [JSON.stringify({ ids: [ID] }), [[ID]], [requeued]],
    ['', [], [damaged]],
    ['{', [], [damaged]],
    ['null', [], [damaged]],
    ['{"ids":[]}', [], [damaged]],
    ['{"ids":"all"}', [], [damaged]],
    ['{"ids":["../.."]}', [], [damaged]],
  ])('that is %j sends %j again, and logs %j', (text, ids, lines) => {
    expect(taken(text)).toEqual({ replayed: ids, logged: lines });
  });

  it('that cannot be read sends nothing, and the log names its place', () => {
    expect(taken(new Error('EACCES'))).toEqual({
      replayed: [],
      logged: [
        ['error', 'dead_letter.request_read_failed', { file: 'request.json', cause: 'Error: EACCES' }],
      ],
    });
  });
});
