import { describe, expect, it } from 'vitest';
import { type AnswerOperation, answerCommand } from '#appliance/operation/index.ts';

/** The answer to a command, and the operation that was asked for. */
async function answered(kind: string, command: unknown) {
  const asked: unknown[] = [];
  const operate: AnswerOperation = async ({ body, ...request }) => {
    asked.push({ ...request, body: body() });
    return { status: 200, body: { success: true, n: 1 } };
  };
  return { answer: await answerCommand({ kind, command, token: 'tok' }, 'care.example', operate), asked };
}

describe('a command of the queue', () => {
  it.each([
    [
      'callrecording',
      { method: 'STOPFILERECORDING', id: 3, sessionId: 's' },
      'callrecording.stopfilerecording',
    ],
    ['callrecording', { method: 'stopfilerecording', sessionId: 's' }, 'callrecording.stopfilerecording'],
    ['callrecording', { method: 'startStream', sessionId: 's' }, 'callrecording.startstream'],
  ])('%s %j is the operation %s, with the token and without the id', async (kind, command, operation) => {
    const { id: _, ...body } = command as { readonly id?: number };
    expect(await answered(kind, command)).toEqual({
      answer: { success: true, n: 1 },
      asked: [
        { operation, domain: 'care.example', authorization: 'Bearer tok', body: { ok: true, value: body } },
      ],
    });
  });

  it('to send a message is the operation of that name, without method and id', async () => {
    const body = { reqUri: 'sip:a@b', from: 'sip:c@d', contentType: 'text/plain', body: 'hello' };
    const { asked } = await answered('message', { ...body, method: 'MESSAGE', id: 'm1' });
    expect(asked).toMatchObject([{ operation: 'message', body: { ok: true, value: body } }]);
    expect(JSON.stringify(asked)).not.toMatch(/MESSAGE|m1/);
  });

  it.each([
    ['callrecording', { method: 'dance' }],
    ['callrecording', {}],
    ['callrecording', null],
    ['callrecording', 'stop'],
    ['callrecording', { method: 'toString' }],
    ['message', { method: 'dance' }],
    ['message', null],
    ['message', { method: 'MESSAGE' }],
  ])('%s %j is known to none, and nothing is done', async (kind, command) => {
    expect(await answered(kind, command)).toEqual({
      answer: {
        success: false,
        reason: expect.stringContaining(`no command of ${kind}`),
        error: { code: 'invalid', path: '/method' },
      },
      asked: [],
    });
  });
});
