import { describe, expect, it } from 'vitest';
import { answerPeer, askPeers, forwardBy } from '#appliance/site/host/peer/peer-request.ts';
import type { Link, Member } from '#appliance/site/peer/index.ts';

const UID = '01jc7z5t3k9q8w6m4n2p0r1s5v';
const member = (uid: string): Member => ({ uid, hostId: uid, publicKey: '', order: 1, address: 'x:1' });

describe('a request of another host', () => {
  const answer = async (path: string, body: unknown) => {
    const asked: unknown[] = [];
    const ports = {
      link: { answer: async (...request: unknown[]) => ({ link: request }) },
      operate: (async (request: { operation: string; body: () => unknown }) => {
        asked.push([request.operation, request.body()]);
        return { status: 200, body: { success: true } };
      }) as unknown as Parameters<typeof answerPeer>[0]['operate'],
      feed: async (uid: string, ask: unknown) => ({ feed: [uid, ask] }),
      recordingPart: async ({ fileName }: { fileName: string }) => ({ v: 1, size: fileName.length }) as never,
    };
    return { said: await answerPeer(ports, path, UID, body), asked };
  };

  it.each(['hello', 'copy', 'state'])('%s goes to the link', async (path) => {
    expect((await answer(path, { a: 1 })).said).toEqual({ link: [path, UID, { a: 1 }] });
  });

  it('for a part of a recording is answered when it names one', async () => {
    const ask = { v: 1, fileName: 'a.wav', offset: 0, length: 0 };
    expect((await answer('recording', ask)).said).toEqual({ v: 1, size: 5 });
    expect((await answer('recording', { v: 1 })).said).toBeUndefined();
  });

  it('for signed bytes is answered in its name', async () => {
    expect((await answer('feed', { v: 1, ask: 'twin' })).said).toEqual({
      feed: [UID, { v: 1, ask: 'twin' }],
    });
  });

  it('for an operation is carried out here', async () => {
    const forward = { v: 1, from: UID, operation: 'message', domain: 'care.example', body: { text: 'x' } };
    expect(await answer('operation', forward)).toEqual({
      said: { status: 200, body: { success: true } },
      asked: [['message', { ok: true, value: { text: 'x' } }]],
    });
  });

  it.each([
    ['feed', { v: 1, ask: 'everything' }],
    ['operation', { v: 1 }],
    ['operation', { v: 1, from: UID, operation: 'shell', domain: 'care.example', body: {} }],
    ['other', { v: 1, ask: 'twin' }],
    ['', {}],
  ])('%s %j is not answered', async (path, body) => {
    expect(await answer(path, body)).toEqual({ said: undefined, asked: [] });
  });
});

describe('signed bytes through the others', () => {
  const ask = async (answers: Readonly<Record<string, unknown>>, down: readonly string[] = []) => {
    const asked: string[] = [];
    const members = ['a', 'b', 'c'].map(member);
    const links = Object.fromEntries(
      ['b', 'c'].map((uid) => [uid, { at: down.includes(uid) ? 'lost' : 'up' } as Link]),
    );
    const said = await askPeers(
      { v: 1, ask: 'twin' },
      {
        ...{ members, view: { links } },
        call: async ({ uid }, path, body, withinMs) => {
          asked.push(`${uid} ${path} ${JSON.stringify(body)} ${withinMs}`);
          return answers[uid];
        },
      },
    );
    return { said, asked: asked.map((each) => each.slice(0, 1)), whole: asked };
  };

  it.each([
    [{ b: { text: 'x' }, c: { text: 'y' } }, [], { text: 'x' }, ['b']],
    [{ b: { notModified: true }, c: { text: 'y' } }, [], { notModified: true }, ['b']],
    [{ b: {}, c: { text: 'y' } }, [], { text: 'y' }, ['b', 'c']],
    [{ b: { notModified: false }, c: { text: 'y' } }, [], { text: 'y' }, ['b', 'c']],
    [{ b: undefined, c: { text: '' } }, [], { text: '' }, ['b', 'c']],
    [{ b: 'no answer', c: {} }, [], undefined, ['b', 'c']],
    [{ b: { text: 'x' }, c: { text: 'y' } }, ['b'], { text: 'y' }, ['c']],
    [{ b: { text: 'x' } }, ['b', 'c'], undefined, []],
  ])('with answers %j, without %j, are %j', async (answers, down, said, asked) => {
    expect(await ask(answers, down)).toMatchObject({ said, asked });
  });

  it('are waited for as long as the other one waits for the cloud', async () => {
    expect((await ask({ b: { text: 'x' } })).whole).toEqual(['b feed {"v":1,"ask":"twin"} 25000']);
  });
});

it.each([
  [
    { status: 200, body: { success: true } },
    { status: 200, body: { success: true } },
  ],
  [
    { status: 404, body: { success: false } },
    { status: 404, body: { success: false } },
  ],
  [undefined, undefined],
  [{ status: 99, body: {} }, undefined],
  [{ status: 200 }, undefined],
])('an operation that another host answers with %j is %j', async (there, answer) => {
  const asked: unknown[] = [];
  const forward = forwardBy('me', async (...request) => {
    asked.push(request);
    return there;
  });
  const request = { operation: 'message', domain: 'care.example', authorization: 'Bearer x', body: { a: 1 } };
  expect(await forward(member('b'), request)).toEqual(answer);
  expect(asked).toEqual([[member('b'), 'operation', { v: 1, from: 'me', ...request }, 16_000]]);
});
