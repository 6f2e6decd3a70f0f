import { describe, expect, it } from 'vitest';
import { Dialler } from '#appliance/call/control/dialling/dialler.ts';
import { fail, ok } from '#shared/result.ts';
import { udp } from '#test/appliance/sip/endpoint/stage.ts';

/** A call whose leg `b` rings, and the neighbours of the dialler, which write down what they are asked. */
function room({ another = false, near = undefined as string | undefined } = {}) {
  const done: string[] = [];
  const opened: Record<string, unknown>[] = [];
  const call = {
    findNear: () => near,
    session: { ringing: ['b'], party: 'a' },
    origin: { contact: { user: 'u', field: ';x' } },
    trace: { add: (_kind: string, { text }: { readonly text: string }) => done.push(text) },
    input: (input: Record<string, unknown>) => done.push(`input ${JSON.stringify(input)}`),
    add: () => done.push('add'),
  };
  const dialler = new Dialler({
    legs: { firstOf: (party: string, joined?: string) => joined && `first of ${party}` },
    opener: {
      open: (setting: Record<string, unknown>) => {
        opened.push(setting);
        return { call: ({ callId }: { readonly callId: string }) => done.push(`INVITE with ${callId}`) };
      },
      planFor: () => ({ callId: 'id' }),
    },
    onward: { met: (_leg: unknown, { kind }: { readonly kind: string }) => done.push(`met ${kind}`) },
    redirects: { dialled: () => done.push('dialled') },
    router: {},
    moved: (leg: string) => done.push(`moved ${leg}`),
    turn: (work: () => void) => work(),
    user: {},
  } as never);
  const target = (found: object, more: object = {}) => ({
    uri: 'sip:b@far.test',
    policy: 'policy',
    follows: true,
    flow: async () => found,
    report: ({ kind }: { readonly kind: string }) => {
      done.push(`report ${kind}`);
      return another;
    },
    ...more,
  });
  return { dialler, call, done, opened, target };
}

describe('a target that is dialled', () => {
  it('gets a leg on its flow, which belongs to the call before its INVITE goes out', async () => {
    const { dialler, call, done, opened, target } = room();
    await dialler.dial(call as never, 'b', target(ok(udp)) as never);
    expect(opened).toMatchObject([
      { name: 'b', flow: udp, policy: 'policy', follows: true, contact: { user: 'u' } },
    ]);
    expect(opened[0]).not.toHaveProperty('near');
    expect(done).toEqual([
      'add',
      'moved b',
      'met outside',
      'dialled',
      'INVITE sip:b@far.test as b',
      'INVITE with id',
    ]);
  });

  it('is opened in the worker of the caller', async () => {
    const { dialler, call, opened, target } = room({ near: 'near' });
    await dialler.dial(call as never, 'b', target(ok(udp)) as never);
    expect(opened).toMatchObject([{ near: 'first of a' }]);
  });

  it('is left alone when the attempt was given up while its address was looked up', async () => {
    const { dialler, call, done, target } = room();
    const dialling = dialler.dial(call as never, 'b', target(ok(udp)) as never);
    call.session.ringing = [];
    await dialling;
    expect(done).toEqual([]);
  });

  it.each([
    ['a device is away', { deviceId: 'unit' }, false, 480],
    ['an address', {}, false, 503],
    ['a host of a trunk, and there is another one', { trunkId: 't' }, true, 503],
  ] as const)('that cannot be reached fails: %s', async (_name, more, another, status) => {
    const { dialler, call, done, opened, target } = room({ another });
    const lost = target(fail('NotFound', 'no such name'), more);
    await dialler.dial(call as never, 'b', lost as never);
    const text = 'sip:b@far.test cannot be reached: no such name';
    expect(done).toEqual([
      text,
      'report unreachable',
      `input ${JSON.stringify({ kind: 'failed', leg: 'b', status, text, another })}`,
    ]);
    expect(opened).toEqual([]);
  });
});
