import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OperationAnswer, OperationRequest } from '#appliance/operation/index.ts';
import { SiteLine } from './site-line.ts';
import { until } from './site-world.ts';

let line: SiteLine;
let asked: (OperationRequest & { readonly said: unknown })[];
let answer: PromiseWithResolvers<OperationAnswer>;

beforeEach(async () => {
  line = await SiteLine.open();
  asked = [];
  answer = Promise.withResolvers<OperationAnswer>();
  await line.online({
    operate: (request) => {
      asked.push({ ...request, said: request.body() });
      return answer.promise;
    },
  });
});
afterEach(() => line.end());

const args = {
  operation: 'hangupalarmcall',
  domain: 'care.example',
  authorization: 'Bearer ct_one',
  body: { replyId: 'r', sessionId: 's' },
};
const answers = () => line.of('up/res');

describe('api.relay', () => {
  it('does the operation once, however often the request comes, and answers with what became of it', async () => {
    const request = line.request('api.relay', { args });
    await line.say(line.down('dn/req'), request);
    await line.say(line.down('dn/req'), request);
    await until(() => asked.length === 1, 'the operation');
    expect(asked[0]).toMatchObject({
      operation: 'hangupalarmcall',
      domain: 'care.example',
      authorization: 'Bearer ct_one',
      said: { ok: true, value: args.body },
    });
    expect(answers()).toEqual([]);
    const refused = { success: false as const, reason: 'no call', error: { code: 'noVoiceCall' } };
    answer.resolve({ status: 409, body: refused });
    await until(() => answers().length === 1, 'the answer');
    expect(answers()[0]).toMatchObject({ id: request.id, ok: true, data: { status: 409, body: refused } });
    await line.say(line.down('dn/req'), request);
    await until(() => answers().length === 2, 'the same answer');
    expect(answers()[1]).toEqual(answers()[0]);
    expect(asked).toHaveLength(1);
  });

  it('leaves other requests room while it is in progress', async () => {
    await line.say(line.down('dn/req'), line.request('api.relay', { args }));
    await line.say(line.down('dn/req'), line.request('ping', { id: '01jc7z5t3k9q8w6m4n2p0r1s51' }));
    await until(() => answers().length === 1, 'the ping');
    expect(answers()[0]).toMatchObject({ id: '01jc7z5t3k9q8w6m4n2p0r1s51', ok: true });
    answer.resolve({ status: 200, body: { success: true } });
    await until(() => answers().length === 2, 'the answer');
  });

  it('refuses what is no runtime operation, or comes after its time', async () => {
    const bad = { ...args, operation: 'reboot' };
    await line.say(line.down('dn/req'), line.request('api.relay', { args: bad }));
    await until(() => answers().length === 1, 'a refusal');
    expect(answers()[0]).toMatchObject({ ok: false, error: { code: 'invalid' } });
    const late = { args, id: '01jc7z5t3k9q8w6m4n2p0r1s52', exp: line.world.wallMs };
    await line.say(line.down('dn/req'), line.request('api.relay', late));
    await until(() => answers().length === 2, 'another');
    expect(answers()[1]).toMatchObject({ ok: false, error: { code: 'expired' } });
    expect(asked).toEqual([]);
  });
});
