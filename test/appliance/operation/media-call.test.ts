import { describe, expect, it } from 'vitest';
import { mediaCall } from '#appliance/operation/media-call.ts';
import { fail, ok } from '#shared/result.ts';

const asked: unknown[] = [];
const ports = {
  hostId: 'h1',
  media: {
    operate: (request: { operation: string }, reply: unknown) => {
      asked.push([request, reply]);
      return request.operation === 'stoprecording' ? undefined : Promise.resolve(ok({ connectionId: 'c' }));
    },
  },
  readReply: (replyId: string) =>
    replyId === 'forged'
      ? fail('replyIdInvalid' as const, 'not ours', '/replyId')
      : ok({ host: replyId === 'elsewhere' ? 'h2' : 'h1', session: 's1', refers: 'c1 4' }),
};

describe('an operation of the media service', () => {
  it('reaches its session with what the handle refers to', async () => {
    const body = { replyId: 'good', sessionId: 's1' };
    expect(await mediaCall('interruptivrcommand')(ports, body)).toMatchObject({ ok: true });
    expect(asked.at(-1)).toMatchObject([
      { operation: 'interruptivrcommand', body },
      { session: 's1', refers: 'c1 4' },
    ]);
  });

  it('needs no handle where none is asked for', async () => {
    expect(await mediaCall('placeivrcall')(ports, { destAddr: '1' })).toMatchObject({ ok: true });
    expect(asked.at(-1)).toMatchObject([{ operation: 'placeivrcall' }, undefined]);
  });

  it.each([
    [{ replyId: 'good' }, 'invalid'],
    [{ replyId: 'good', connectionId: 'c', extra: 1 }, 'invalid'],
    [{ replyId: 'forged', connectionId: 'c' }, 'replyIdInvalid'],
    [{ replyId: 'elsewhere', connectionId: 'c' }, 'ownerUnreachable'],
    [{ replyId: 'good', connectionId: 'c' }, 'sessionUnknown'],
  ])('%j is refused: %s', async (body, code) => {
    expect(await mediaCall('stoprecording')(ports, body)).toMatchObject({ ok: false, error: { code } });
  });

  it('refuses a handle of another session', async () => {
    const body = { replyId: 'good', sessionId: 's2', participantId: 'p' };
    expect(await mediaCall('hangupparticipant')(ports, body)).toMatchObject({
      error: { code: 'replyIdInvalid', path: '/sessionId' },
    });
  });
});
