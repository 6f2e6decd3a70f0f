import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { testAppliance } from '#test/support/appliance.ts';
import { nothingLeft, talking } from '#test/support/talking.ts';
import { type Talk, type Telephone, telephones } from '#test/support/telephone.ts';

/* A telephone behind NAT whose connection is reset, or whose port changes, while it is in a call. */

let appliance: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let anna: Telephone;
let bo: Telephone;
let talk: Talk;
let back: Talk;
/** Connections that are reset: what is sent there does not arrive. */
let dead: Set<number>;

const tcp = (flow: Flow, connection: number, remotePort: number): Flow => ({
  ...flow,
  transport: 'TCP',
  reliable: true,
  connection,
  remotePort,
});

/** The end of a connection, as the transport tells it; what is sent there fails, too. */
function reset(phone: Telephone): Flow {
  const { flow } = phone;
  dead.add(flow.connection);
  appliance.runtime.flowFailed(flow);
  return flow;
}

/** It connects again, and registers with the same contact. */
async function returns(phone: Telephone, connection: number, remotePort: number): Promise<void> {
  phone.flow = tcp(phone.flow, connection, remotePort);
  await phone.register(pump);
}

/** A message to a dead connection comes back as a failure, as from the transport. */
async function pump(): Promise<void> {
  do {
    await appliance.quiet();
    const lost = appliance.sent.filter(({ flow }) => dead.has(flow.connection));
    for (const each of lost) appliance.sent.splice(appliance.sent.indexOf(each), 1);
    for (const { flow } of lost) appliance.runtime.flowFailed(flow);
    await net.pump();
  } while (appliance.sent.length > 0);
}

async function pass(ms: number, stepMs: number): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) {
    await appliance.after(Math.min(stepMs, left));
    await pump();
  }
}

/** Until it is asked for this, or the time is over. */
async function until(phone: Telephone, method: string, ms: number): Promise<void> {
  for (let passed = 0; passed < ms && !phone.has(method); passed += 5_000) await pass(5_000, 5_000);
}

beforeEach(async () => {
  dead = new Set();
  appliance = await testAppliance();
  net = telephones(appliance);
  anna = await net.device('anna', '192.0.2.20');
  bo = await net.device('bo', '192.0.2.21', {}, false);
  bo.contact = '<sip:bo@10.0.0.5:5060;transport=tcp>';
  bo.flow = tcp(bo.flow, 7, 40_007);
  bo.allow = 'INVITE, ACK, BYE, CANCEL, OPTIONS, UPDATE';
  await bo.register(net.pump);
});
afterEach(() => nothingLeft(appliance, net));

describe.each(['called', 'calling'])('a telephone over TCP that is %s', (role) => {
  beforeEach(async () => {
    if (role === 'called') ({ talk, back } = await talking(net, anna, bo));
    else ({ talk: back, back: talk } = await talking(net, bo, anna));
  });

  it('and comes back by another connection is hung up on there', async () => {
    reset(bo);
    await returns(bo, 8, 40_008);
    anna.inDialog(talk, 'BYE');
    await pump();
    const bye = bo.request('BYE');
    expect(bye.callId).toBe(back.callId);
    bo.respond(bye, 200);
    await pump();
  });

  it('and whose call must be refreshed while it is away keeps it', async () => {
    await pass(880_000, 80_000);
    while (bo.has('UPDATE') || anna.has('UPDATE')) {
      for (const phone of [bo, anna]) if (phone.has('UPDATE')) phone.respond(phone.request('UPDATE'), 200);
      await pump();
    }
    reset(bo);
    // A message that is due meanwhile cannot be sent.
    await pass(40_000, 5_000);
    expect(appliance.runtime.load).toMatchObject({ calls: 1, legs: 2 });
    expect(anna.has('BYE')).toBe(false);
    await returns(bo, 8, 40_008);
    await until(bo, 'UPDATE', 500_000);
    bo.respond(bo.request('UPDATE'), 200);
    await pump();
    expect(appliance.runtime.load).toMatchObject({ calls: 1, legs: 2 });
    bo.inDialog(back, 'BYE');
    await pump();
    bo.response(200, 'BYE');
    anna.respond(anna.request('BYE'), 200);
    await pump();
  }, 60_000);

  it('and never comes back: the call ends when its session does', async () => {
    reset(bo);
    for (let passed = 0; passed < 1_900_000 && !anna.has('BYE'); passed += 20_000) {
      await pass(20_000, 20_000);
      while (anna.has('UPDATE') || anna.has('INVITE'))
        anna.respond(anna.request(anna.has('UPDATE') ? 'UPDATE' : 'INVITE'), 200, { sdp: anna.describe() });
    }
    anna.respond(anna.request('BYE'), 200);
    await pump();
  }, 60_000);

  it('is not looked for at another telephone of the same name', async () => {
    const other = await net.device('bo', '192.0.2.99');
    reset(bo);
    anna.inDialog(talk, 'BYE');
    await pump();
    expect(other.inbox).toEqual([]);
    await pass(40_000, 5_000);
    expect(other.inbox).toEqual([]);
  });
});

describe('a telephone over UDP whose NAT gives it another port', () => {
  it('is asked there from its next request on', async () => {
    bo.flow = { ...anna.flow, remoteAddress: bo.host };
    bo.contact = '<sip:bo@192.0.2.21:5060>';
    await bo.register(net.pump);
    ({ talk, back } = await talking(net, bo, anna));
    bo.flow = { ...bo.flow, remotePort: 61_000 };
    bo.inDialog(talk, 'INFO', {
      headers: [['Content-Type', 'application/dtmf-relay']],
      body: 'Signal=5\r\nDuration=100\r\n',
    });
    await net.pump();
    bo.response(200, 'INFO');
    anna.inDialog(back, 'BYE');
    await net.pump();
    bo.respond(bo.request('BYE'), 200);
    await net.pump();
  });
});

/** bo answers anna's call with its 2xx, and its connection breaks before our ACK. */
async function answersAndGoes(): Promise<SipRequest> {
  talk = await anna.invite('bo', net.pump);
  const invite = bo.request('INVITE');
  back = bo.answeredTalk(invite);
  bo.hearPort(invite);
  dead.add(bo.flow.connection);
  bo.respond(invite, 200, { sdp: bo.describe() });
  return invite;
}

async function isHungUpOn(): Promise<void> {
  anna.acknowledge(talk, anna.response(200));
  anna.inDialog(talk, 'BYE');
  await pump();
  bo.respond(bo.request('BYE'), 200);
  await pump();
}

describe('the ACK to a telephone whose connection ends with its 2xx', () => {
  it('goes to its Contact by a connection of ours, where no NAT is between', async () => {
    bo.contact = '<sip:bo@192.0.2.21:5060;transport=tcp>';
    await bo.register(net.pump);
    await answersAndGoes();
    bo.flow = tcp(bo.flow, 0, 5_060);
    await pump();
    expect(bo.request('ACK').header('Via')).toMatch(/^SIP\/2\.0\/TCP /);
    await isHungUpOn();
  });

  it('goes by the connection that it has registered over meanwhile', async () => {
    const invite = await answersAndGoes();
    reset(bo);
    await returns(bo, 8, 40_008);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await pump();
    bo.request('ACK');
    await isHungUpOn();
  });

  it('follows its 2xx, said again by another connection, though nothing leads through its NAT', async () => {
    const invite = await answersAndGoes();
    await pump();
    expect(bo.has('ACK')).toBe(false);
    bo.flow = tcp(bo.flow, 9, 40_009);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await pump();
    bo.request('ACK');
    await isHungUpOn();
  });

  it('goes there together with the BYE of a call that was given up: one connection for both', async () => {
    bo.contact = '<sip:bo@192.0.2.21:5060;transport=tcp>';
    await bo.register(net.pump);
    const given = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    bo.respond(invite, 180);
    await net.pump();
    anna.cancel(given);
    await net.pump();
    bo.respond(bo.request('CANCEL'), 200);
    dead.add(bo.flow.connection);
    bo.respond(invite, 200, { sdp: bo.describe() });
    bo.flow = tcp(bo.flow, 0, 5_060);
    await pump();
    bo.request('ACK');
    bo.respond(bo.request('BYE'), 200);
    await pump();
  });

  it('has no path through its NAT, and the trace says so', async () => {
    await answersAndGoes();
    const [call] = appliance.runtime.calls.running;
    await pump();
    anna.acknowledge(talk, anna.response(200));
    anna.inDialog(talk, 'BYE');
    await pass(40_000, 4_000);
    expect(bo.has('ACK')).toBe(false);
    await appliance.runtime.pages.flush();
    const notes = appliance.trace(call?.trace.traceId ?? '').map((entry) => JSON.stringify(entry));
    expect(notes.join('\n')).toMatch(/the ACK was not sent: its connection is closed/);
  });
});

describe('a trunk over TCP that calls, and whose connection is reset', () => {
  let first: Telephone;
  let proxy: Telephone;

  beforeEach(async () => {
    first = net.stranger('one', '198.51.100.1');
    proxy = net.stranger('proxy', '198.51.100.2');
    net.trunk({ transport: 'tcp' });
    first.flow = tcp(first.flow, 21, 41_021);
    first.contact = '<sip:one@198.51.100.1;transport=tcp>';
  });

  it.each([
    ['its Contact', [], () => first],
    ['its Record-Route', [['Record-Route', '<sip:198.51.100.2;transport=tcp;lr>']], () => proxy],
  ] as const)('is hung up on by a connection of ours to %s', async (_, headers, there) => {
    const { back: theirs } = await talking(net, first, anna, { headers });
    reset(first);
    there().flow = tcp(there().flow, 0, 5_060);
    anna.inDialog(theirs, 'BYE');
    await pump();
    there().respond(there().request('BYE'), 200);
    await pump();
  });

  it('keeps its call when that cannot be opened for a while', async () => {
    const { back: theirs } = await talking(net, first, anna);
    reset(first);
    appliance.network.closed.add('198.51.100.1:5060');
    anna.inDialog(theirs, 'INVITE', { sdp: anna.describe({ direction: 'sendonly', version: 2 }) });
    await pump();
    anna.response(200);
    anna.inDialog(theirs, 'ACK', { cseq: theirs.cseq });
    await pass(9_000, 1_000);
    expect(anna.has('BYE')).toBe(false);
    appliance.network.closed.clear();
    first.flow = tcp(first.flow, 0, 5_060);
    await pass(6_000, 1_000);
    const offer = first.request('INVITE');
    first.respond(offer, 200, { sdp: first.describe({ direction: 'recvonly', version: 2 }) });
    await pump();
    first.request('ACK');
    anna.inDialog(theirs, 'BYE');
    await pump();
    first.respond(first.request('BYE'), 200);
    await pump();
  });
});

describe('a telephone over TCP without a NAT, whose connection is reset', () => {
  it('is hung up on by a connection of ours to its Contact', async () => {
    bo.contact = '<sip:bo@192.0.2.21:5060;transport=tcp>';
    await bo.register(net.pump);
    ({ talk, back } = await talking(net, anna, bo));
    reset(bo);
    bo.flow = tcp(bo.flow, 0, 5_060);
    anna.inDialog(talk, 'BYE');
    await pump();
    bo.respond(bo.request('BYE'), 200);
    await pump();
  });
});
