import { afterEach, describe, expect, it } from 'vitest';
import { CloudUserAgents } from '#appliance/call/cloud-ua/index.ts';
import type { CallControl } from '#appliance/call/control/index.ts';
import type { CallProgress } from '#appliance/call/session/index.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import { replicatedCloudSipUaSchema } from '#shared/contract/provisioning/index.ts';
import { addressPolicy } from '#shared/matching/index.ts';
import { parsed, requestText } from '#test/appliance/sip/endpoint/stage.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

const END = { codec: 'PCMA', receiveIp: '10.7.0.5', receivePort: 40_000, telephoneEventPayloadType: 101 };
const PLACE = { ...END, destinationUri: 'anna', sourceUser: 'door-1' };

/** Calls that write down what they are asked; media, callbacks, outbox and wheel are real. */
async function room() {
  const site = await testAppliance();
  const agent = (fields: Record<string, unknown> = {}) => {
    const body = replicatedCloudSipUaSchema.parse({
      id: 'agent-1',
      name: 'Doors',
      destinationMatch: '^door-',
      callbackBaseUrl: 'https://app.example/cb',
      ...fields,
    });
    site.tenant.put('cloudsipua', body.id, body);
  };
  agent();
  let noted: unknown = {};
  site.answerBy(({ call }) =>
    call.path === '/newRemoteCall' ? answered(noted, noted === 'down' ? 500 : 200) : answered({}),
  );
  const done: string[] = [];
  let emitProgress: (progress: CallProgress) => void = () => undefined;
  const made = (id: string, phase: string, party: string) => ({
    id,
    trace: new SessionTrace('t', () => 0),
    origin: { user: 'anna', display: '' },
    session: { phase, party, ringing: [] },
    legs: [],
    leg: () => ({
      media: { speaks: 'PCMA' },
      signalling: { callId: 'sip-1' },
      ring: (status: number) => done.push(`ring ${status}`),
    }),
    watchedBy: ({ onProgress }: { readonly onProgress?: typeof emitProgress }) => {
      emitProgress = onProgress ?? emitProgress;
    },
    input: ({ kind, status }: { readonly kind: string; readonly status?: number }) =>
      done.push([kind, status].filter((one) => one !== undefined).join(' ')),
  });
  const inbound = made('c', 'Arrived', 'c.1');
  const calls = {
    onApplication: new Map(),
    turn: (work: () => void) => work(),
    place: ({ destination, near }: { readonly destination: string; readonly near: () => string }) => {
      done.push(`call ${destination} near ${near().replace(/^[0-9a-f-]{36}/, 'id')}`);
      return made('out', 'Placing', '');
    },
  };
  const agents = new CloudUserAgents(site.ports, {
    calls: calls as unknown as CallControl,
    delivery: site.runtime.delivery,
    audio: {
      policy: addressPolicy({ allowPrivate: ['10.7.0.0/16'], listeners: () => [], ownAddresses: () => [] }),
      addressTowards: (remote) => (remote.includes(':') ? undefined : '192.0.2.10'),
    },
  });
  const run = async (operation: string, body: object, id?: string) => {
    const result = await agents.operate({ operation, body } as never, id);
    await site.quiet();
    return result;
  };
  return {
    site,
    agents,
    agent,
    run,
    notes: (answer: unknown) => {
      noted = answer;
    },
    arrive: async (id = 'agent-1') => {
      await site.media.media.openLeg({ leg: 'c.1', profile: 'ordinary', family: 4 });
      const request = parsed(Buffer.from(requestText({ method: 'INVITE', uri: 'sip:door-1@care.example' })));
      calls.onApplication.get('cloudsipua')({ call: inbound, service: 'cloudsipua', id, request });
      await site.quiet();
    },
    answers: async () => {
      inbound.session.phase = 'Attended';
      emitProgress({ kind: 'attended' });
      await site.quiet();
    },
    leaves: async () => {
      emitProgress({ kind: 'over', reason: { protocol: 'Q.850', cause: 16, text: '' } });
      await site.quiet();
    },
    since: () => [...done.splice(0), ...site.posted.splice(0).map(({ call }) => call.path)],
    /** Legs of applications that are open. */
    legs: () => site.media.openLegs.filter((leg) => leg !== 'c.1').length,
  };
}

type Room = Awaited<ReturnType<typeof room>>;
const open: Room[] = [];
const opened = async (): Promise<Room> => {
  const at = await room();
  open.push(at);
  return at;
};
afterEach(async () => {
  for (const { site } of open.splice(0)) await site.close();
});

const OPERATIONS: Readonly<Record<string, object>> = {
  answerremotecall: { replyId: 'r', ...END },
  sendremotecallringback: { replyId: 'r' },
  hangupcall: { replyId: 'r' },
  hangupremoteparticipant: { replyId: 'r', participantId: 'c-p1' },
};

const PATHS: Readonly<Record<string, (at: Room) => Promise<unknown>>> = {
  'no call': async () => undefined,
  ringing: (at) => at.arrive(),
  answering: async (at) => {
    await at.arrive();
    await at.run('answerremotecall', OPERATIONS.answerremotecall ?? {}, 'c');
  },
  talking: async (at) => {
    await at.arrive();
    await at.run('answerremotecall', OPERATIONS.answerremotecall ?? {}, 'c');
    await at.answers();
  },
  over: async (at) => {
    await at.arrive();
    await at.leaves();
  },
};

const NONE = Object.fromEntries(Object.keys(OPERATIONS).map((name) => [name, 'unknown']));
const BUSY = 'ok, refuse 486, /callHungup';
const TAKEN = { answerremotecall: 'conflict', sendremotecallringback: 'conflict' };
const TABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no call': NONE,
  ringing: {
    answerremotecall: 'ok, attend',
    sendremotecallringback: 'ok, ring 180',
    hangupcall: BUSY,
    hangupremoteparticipant: BUSY,
  },
  answering: { ...TAKEN, hangupcall: BUSY, hangupremoteparticipant: BUSY },
  talking: {
    ...TAKEN,
    hangupcall: 'ok, hangUp, /callHungup',
    hangupremoteparticipant: 'ok, hangUp, /callHungup',
  },
  over: NONE,
};

async function cell(situation: string, operation: string): Promise<string> {
  const at = await opened();
  await PATHS[situation]?.(at);
  at.since();
  const result = await at.run(operation, OPERATIONS[operation] ?? {}, 'c');
  const outcome = result === undefined ? 'unknown' : result.ok ? 'ok' : result.error.code;
  return [outcome, ...at.since()].join(', ');
}

/** Timers of an idle appliance: the supervision of devices and the one of links look again and again. */
const SUPERVISION_CHECKS = 2;

describe('operations of cloud user agents', () => {
  it.each(Object.keys(PATHS))('%s: each operation has its outcome', async (situation) => {
    const walked: Record<string, string> = {};
    for (const operation of Object.keys(OPERATIONS)) walked[operation] = await cell(situation, operation);
    expect(walked).toEqual(TABLE[situation]);
  });

  it('hang up no other participant than the one on the line', async () => {
    const at = await opened();
    await at.arrive();
    const result = await at.run('hangupremoteparticipant', { replyId: 'r', participantId: 'c-p2' }, 'c');
    expect(result).toMatchObject({ error: { code: 'participantUnknown', path: '/participantId' } });
    expect(at.agents.size).toBe(1);
  });
});

describe('a call to a cloud user agent', () => {
  it('is refused when the agent is not provisioned any more', async () => {
    const at = await opened();
    await at.arrive('removed');
    expect(at.since()).toEqual(['refuse 480']);
    expect([at.agents.size, at.legs()]).toEqual([0, 0]);
  });

  it('is refused when its application cannot be asked', async () => {
    const at = await opened();
    at.notes('down');
    await at.arrive();
    expect(at.since()).toEqual(['refuse 480', '/newRemoteCall']);
    expect([at.agents.size, at.legs()]).toEqual([0, 0]);
    at.notes({});
    await at.site.after(60_000);
    expect(at.since()).toEqual(['/newRemoteCall', '/callHungup']);
  });

  it('is refused when its application gives no answer in time', async () => {
    const at = await opened();
    await at.arrive();
    at.since();
    await at.site.after(600_000);
    expect(at.since()).toEqual(['refuse 480', '/callHungup']);
    expect([at.agents.size, at.legs(), at.site.ports.timers.size]).toEqual([0, 0, SUPERVISION_CHECKS]);
  });

  it('leaves no leg and no timer behind when its caller leaves', async () => {
    const at = await opened();
    await PATHS.talking?.(at);
    expect(at.legs()).toBe(1);
    await at.leaves();
    expect(at.since().at(-1)).toBe('/callHungup');
    await at.site.after(1_000);
    expect([at.agents.size, at.legs(), at.site.ports.timers.size]).toEqual([0, 0, SUPERVISION_CHECKS]);
  });
});

describe('placeremotecall', () => {
  it('opens the leg of the application and calls near it', async () => {
    const at = await opened();
    const result = await at.run('placeremotecall', PLACE);
    expect(result).toMatchObject({ ok: true, value: { localIp: '192.0.2.10', codec: 'PCMA' } });
    expect(at.since()).toEqual(['call anna near id.ua']);
    expect([at.agents.size, at.legs()]).toEqual([1, 1]);
  });

  it.each([
    [{ destinationUri: 'no address' }, '/destinationUri'],
    [{ sourceUser: 'gate-1', callbackBaseUrl: 'https://other.example' }, '/callbackBaseUrl'],
    [{ receiveIp: '10.0.0.1' }, '/receiveIp'],
    [{ receiveIp: '2001:db8::7' }, '/receiveIp'],
  ])('with %o names %s, and opens nothing', async (fields, path) => {
    const at = await opened();
    expect(await at.run('placeremotecall', { ...PLACE, ...fields })).toMatchObject({ error: { path } });
    expect([at.since(), at.agents.size, at.legs()]).toEqual([[], 0, 0]);
  });

  const OTHER = 'https://other.example/cb';
  it.each([
    { of: 'the only one', agents: [], wanted: { sourceUser: 'gate-1' }, finds: 'agent-1' },
    {
      of: 'the one that calls to this user come to',
      agents: [{ id: 'agent-2', name: 'Gates', destinationMatch: '^gate-' }],
      wanted: { sourceUser: 'gate-1' },
      finds: 'agent-2',
    },
    {
      of: 'the one with this callbackBaseUrl',
      agents: [{ id: 'agent-2', name: 'Gates', destinationMatch: '^gate-', callbackBaseUrl: OTHER }],
      wanted: { sourceUser: 'door-1', callbackBaseUrl: OTHER },
      finds: 'agent-2',
    },
    {
      of: 'the first of several with one callbackBaseUrl',
      agents: [
        { id: 'agent-3', name: 'Gates', destinationMatch: '^gate-', callbackBaseUrl: OTHER, order: 1 },
        { id: 'agent-2', name: 'Lifts', destinationMatch: '^lift-', callbackBaseUrl: OTHER, order: 2 },
      ],
      wanted: { sourceUser: 'door-1', callbackBaseUrl: OTHER },
      finds: 'agent-3',
    },
    {
      of: 'none when several fit nothing',
      agents: [{ id: 'agent-2', name: 'Lifts', destinationMatch: '^lift-' }],
      wanted: { sourceUser: 'gate-1' },
      finds: undefined,
    },
  ])('calls for $of', async ({ agents, wanted, finds }) => {
    const at = await opened();
    for (const fields of agents) at.agent(fields);
    const result = await at.run('placeremotecall', { ...PLACE, ...wanted });
    if (finds === undefined) {
      expect(result).toMatchObject({ error: { code: 'invalid', path: '/sourceUser' } });
      return;
    }
    expect(result?.ok).toBe(true);
    await at.leaves();
    expect(at.site.posted.at(-1)?.target.url).toBe(at.site.tenant.cloudSipUa(finds)?.callbackBaseUrl);
    expect(at.site.posted.at(-1)?.body).toMatchObject({ traceId: expect.any(String) });
  });
});
