import { describe, expect, it } from 'vitest';
import {
  INCOMING,
  type SignallingDependencies,
  timerName,
} from '#appliance/call/control/signalling/signalling-port.ts';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import { fail, ok } from '#shared/result.ts';
import { requestText, tcp, udp } from '#test/appliance/sip/endpoint/stage.ts';
import { LONG_PLAN, OFFERS, PLAN, type Room, room, SDP, type Setting, T1_MS } from './signalling-room.ts';

const ANSWER = { extra: OFFERS, body: SDP };

/** A call that came in, answered and acknowledged. */
function incoming(setting: Setting = {}): Room {
  const at = room(setting);
  at.begin();
  at.signalling.input(INCOMING, { kind: 'accept', sdp: Buffer.from(SDP) });
  at.request('ACK', 1, { by: setting.flow ?? udp });
  at.take();
  return at;
}

/** A call of ours that `theirs` has answered. */
function outgoing(setting: Setting = {}): Room {
  const at = room(setting);
  at.signalling.invite(PLAN);
  at.reply('INVITE', 200, ANSWER);
  at.take();
  return at;
}

describe('an INVITE that came', () => {
  it('begins a dialog, which is filed before its offer is delivered', () => {
    const at = room();
    expect(at.signalling.isSettled).toBe(true);
    expect(at.begin([...OFFERS, 'Allow: INVITE, UPDATE'])).toBe(true);
    expect(at.take()).toEqual(['file incoming', 'incoming: offered']);
    const { signalling } = at;
    expect([signalling.callId, signalling.isSettled, signalling.flow]).toEqual(['call-1', false, udp]);
    expect(signalling.allows(INCOMING)).toEqual(['INVITE', 'UPDATE']);
    expect(signalling.dialog(INCOMING)?.remoteTarget).toBe('sip:peer@192.0.2.1');
    expect(signalling.dialog('other')).toBeUndefined();
    expect([signalling.invited, signalling.final]).toEqual([{ cseq: 0, minSe: 0 }, undefined]);
  });

  it('without Contact is answered 400 and begins none', () => {
    const at = room();
    expect(at.begin(['Content-Type: application/sdp'])).toBe(false);
    expect(at.stage.statuses()).toEqual([400]);
    expect([at.done, at.signalling.isSettled, at.signalling.callId]).toEqual([[], true, undefined]);
  });

  it('has its 2xx repeated until the ACK comes', () => {
    const at = room();
    at.begin([...OFFERS, 'Supported: timer', 'Session-Expires: 1800']);
    at.signalling.input(INCOMING, { kind: 'accept', sdp: Buffer.from(SDP) });
    expect(at.signalling.expiresS(INCOMING)).toBe(1_800);
    expect(at.started.filter((timer) => timer.startsWith('2xx'))).toEqual(['2xx =500']);
    at.pass(1_500);
    expect(at.stage.statuses()).toEqual([200, 200, 200]);
    at.request('ACK', 1);
    at.take();
    at.pass(64 * T1_MS);
    expect(at.stage.statuses()).toEqual([200, 200, 200]);
  });

  it('that is never acknowledged ends with BYE, and the leg is settled when that has its answer', () => {
    const at = room();
    at.begin();
    at.signalling.input(INCOMING, { kind: 'accept', sdp: Buffer.from(SDP) });
    at.take();
    at.pass(64 * T1_MS);
    expect(at.take()).toEqual(['incoming: ended noAck']);
    at.reply('BYE', 200);
    expect(at.take()).toEqual(['settled']);
    expect(at.signalling.isSettled).toBe(true);
  });

  it('is answered 487 when its own transaction is cancelled, and by no other', () => {
    const at = room();
    at.begin();
    at.take();
    const { server: invite } = at.stage.delivered[0] ?? {};
    if (invite === undefined) throw new Error('no INVITE came');
    at.stage.receive(
      requestText({ method: 'INVITE', branch: 'z9hG4bKelse', callId: 'else', extra: OFFERS, body: SDP }),
    );
    const { server: foreign } = at.stage.delivered[1] ?? {};
    if (foreign === undefined) throw new Error('no second INVITE came');
    at.signalling.cancelled(foreign);
    expect(at.done).toEqual([]);
    at.signalling.cancelled(invite);
    expect(at.take()).toEqual(['incoming: ended cancelled', 'settled']);
    expect(at.stage.statuses().at(-1)).toBe(487);
  });

  it('keeps its reliable 1xx until PRACK', () => {
    const at = room();
    at.begin([...OFFERS, 'Supported: 100rel']);
    at.signalling.input(INCOMING, { kind: 'progress', status: 180 });
    at.pass(T1_MS);
    expect(at.stage.statuses()).toEqual([180, 180]);
    at.request('PRACK', 2, { extra: ['RAck: 1 1 INVITE'] });
    at.pass(10_000);
    expect(at.stage.statuses()).toEqual([180, 180, 200]);
  });
});

describe('a request in the dialog', () => {
  it('is the business of the user, who answers it once', () => {
    const at = incoming();
    at.request('INFO', 2);
    expect(at.take()).toEqual(['incoming: delivered']);
    expect([1, 2, 3].map((number) => at.signalling.requestOf(number)?.method)).toEqual([
      undefined,
      'INFO',
      undefined,
    ]);
    at.signalling.respond(2, { status: 200 });
    expect(at.stage.statuses().at(-1)).toBe(200);
    expect(at.signalling.requestOf(2)).toBeUndefined();
    const sent = at.stage.sent.length;
    at.signalling.respond(2, { status: 200 });
    expect(at.stage.sent.length).toBe(sent);
  });

  it('is answered 481 when the dialog is not there', () => {
    const at = outgoing();
    at.request('BYE', 2, {}, 'other');
    expect(at.stage.statuses()).toEqual([481]);
    expect(at.take()).toEqual([]);
  });

  it('ends it by BYE, with the timers of the session', () => {
    const at = incoming();
    expect(at.timers.size).toBe(2);
    at.request('BYE', 2);
    expect(at.timers.size).toBe(0);
    expect(at.take()).toEqual(['incoming: ended remote', 'settled']);
    expect(at.stage.statuses().at(-1)).toBe(200);
  });

  it.each([
    ['that is reached where its packets come from', false, 40_000],
    ['that follows its Contact', true, 5_060],
  ])('moves the flow of a peer %s: %s', (_title, follows, port) => {
    const at = incoming({ follows });
    at.request('INFO', 2, { by: { ...udp, remotePort: 40_000 } });
    expect(at.signalling.flow.remotePort).toBe(port);
  });
});

describe('an INVITE of ours', () => {
  it('rings without a dialog, in a dialog, and is answered by one of them', () => {
    const at = room();
    at.signalling.invite(PLAN);
    expect([at.sent(), at.signalling.callId, at.signalling.isSettled]).toEqual([['INVITE'], 'call-1', false]);
    at.reply('INVITE', 100);
    at.reply('INVITE', 180, { tag: '' });
    at.reply('INVITE', 180, { tag: 'other' });
    at.reply('INVITE', 180);
    expect(at.take()).toEqual([
      'rang 180',
      'file other',
      'other: progressed',
      'file theirs',
      'theirs: progressed',
    ]);
    at.reply('INVITE', 200, { extra: [...OFFERS, 'Allow: INVITE, INFO'], body: SDP });
    expect(at.take()).toEqual([
      'won theirs',
      'theirs: confirmed',
      'theirs: agreed',
      'other: ended notChosen',
    ]);
    expect(at.sent()).toEqual(['INVITE', 'ACK']);
    expect([at.signalling.final?.status, at.signalling.allows('theirs')]).toEqual([200, ['INVITE', 'INFO']]);
    expect(at.started).toContain('forks=32000');
    // No other fork can answer after 64 x T1: the dialogs that lost are forgotten.
    expect(at.signalling.dialog('other')).toBeDefined();
    at.pass(64 * T1_MS);
    expect(['other', 'theirs'].map((tag) => at.signalling.dialog(tag) !== undefined)).toEqual([false, true]);
  });

  it('goes again with a longer interval, and says what the next INVITE begins with', () => {
    const at = room();
    at.signalling.invite(PLAN);
    at.reply('INVITE', 422, { extra: ['Min-SE: 3600'] });
    expect(at.last('INVITE').header('CSeq')).toBe('2 INVITE');
    expect(at.last('INVITE').header('Min-SE')).toBe('3600');
    expect(at.signalling.invited).toEqual({ cseq: 2, minSe: 3_600 });
  });

  it.each<[string, (at: Room) => void, string, number | undefined]>([
    ['is refused', (at) => at.reply('INVITE', 486), 'failed 486', 486],
    ['has no answer', (at) => at.pass(64 * T1_MS), 'failed 408 without response', undefined],
    [
      'meets a network that does not carry it',
      ({ stage }) => stage.endpoint.transportFailed(udp, stage.nowMs),
      'failed 503 without response',
      undefined,
    ],
  ])('%s', (_title, act, failed, final) => {
    const at = room();
    at.signalling.invite(PLAN);
    act(at);
    expect(at.take()).toEqual([failed, 'settled']);
    expect([at.signalling.final?.status, at.signalling.isSettled]).toEqual([final, true]);
  });

  it('stays on its flow where the peer was found, and goes by a connection where its Contact counts', () => {
    const opened: boolean[] = [];
    const streams = { open: () => opened.push(true), failed: () => undefined };
    const inviteBy = (follows: boolean) =>
      room({ follows, streams, flow: { ...udp, remotePort: 40_000 } }).signalling.invite(LONG_PLAN);
    inviteBy(false);
    expect(opened).toEqual([]);
    inviteBy(true);
    expect(opened).toEqual([true]);
  });
});

describe('a CANCEL of ours', () => {
  const calling = (): Room => {
    const at = room();
    at.signalling.invite(PLAN);
    return at;
  };
  const ringing = (): Room => {
    const at = calling();
    at.reply('INVITE', 180);
    at.take();
    return at;
  };

  it('that comes too late ends the call that was answered, and the breach is reported once', () => {
    const at = ringing();
    at.signalling.cancel();
    at.reply('INVITE', 200, ANSWER);
    expect(at.take()).toEqual(['cancelFailed 200 in call-1', 'failed 487 without response']);
    expect(at.sent()).toEqual(['INVITE', 'CANCEL', 'ACK', 'BYE']);
    at.reply('INVITE', 200, ANSWER);
    expect(at.take().filter((line) => line.startsWith('cancelFailed'))).toEqual([]);
  });

  it('is no breach when the INVITE ends with 487', () => {
    const at = ringing();
    at.signalling.cancel();
    at.reply('INVITE', 487);
    expect(at.take()).toEqual(['theirs: ended notChosen', 'failed 487', 'settled']);
  });

  it('is a breach when the INVITE that rang has no answer', () => {
    const at = ringing();
    at.signalling.cancel();
    at.pass(64 * T1_MS);
    expect(at.take()[0]).toBe('cancelFailed 408 in call-1');
  });

  it('is none when the peer never responded: no CANCEL was sent', () => {
    const at = calling();
    at.signalling.cancel();
    at.pass(64 * T1_MS);
    expect(at.take()).toEqual(['failed 408 without response', 'settled']);
    expect(at.sent()).not.toContain('CANCEL');
  });
});

describe('a re-INVITE of ours that is refused', () => {
  it.each([
    [488, 'reinviteRefused 488 in call-1'],
    [491, undefined],
    [422, undefined],
  ])('with %i: %s', (status, breach) => {
    const at = outgoing();
    at.signalling.input('theirs', { kind: 'change', change: { by: 'INVITE', offer: true } });
    at.signalling.input('theirs', { kind: 'offer', sdp: Buffer.from(SDP) });
    at.take();
    at.reply('INVITE', status);
    expect(at.take().find((line) => line.startsWith('reinvite'))).toBe(breach);
  });

  it('by glare goes again after a time of chance', () => {
    const at = outgoing({ chance: 0.5 });
    at.signalling.input('theirs', { kind: 'change', change: { by: 'INVITE', offer: true } });
    at.signalling.input('theirs', { kind: 'offer', sdp: Buffer.from(SDP) });
    at.started.splice(0);
    at.reply('INVITE', 491);
    const [retry = ''] = at.started.filter((timer) => timer.startsWith('retry'));
    // RFC 3261 14.1: the owner of the Call-ID waits for 2.1 to 4 s, in units of 10 ms.
    expect(retry).toBe('retry theirs=3050');
    at.take();
    at.pass(3_050);
    expect(at.take()).toContain('theirs: compose');
  });
});

describe('a request of ours that is challenged', () => {
  const CHALLENGE = { extra: ['WWW-Authenticate: Digest realm="x", nonce="n"'] };
  const info = (at: Room): void =>
    at.signalling.input('theirs', { kind: 'send', method: 'INFO', id: 'digit', content: { headers: [] } });

  it('goes again with the credentials, under the next number', () => {
    const asked: string[] = [];
    const at = outgoing({
      answerChallenge: (_response, uri, method) => {
        asked.push(`${method} ${uri}`);
        return ['Authorization', 'proof'];
      },
    });
    info(at);
    at.reply('INFO', 401, CHALLENGE);
    expect(asked).toEqual(['INFO sip:peer@192.0.2.1']);
    const again = at.last('INFO');
    expect([again.header('Authorization'), again.header('CSeq')]).toEqual(['proof', '3 INFO']);
    expect(at.take()).toEqual([]);
    at.reply('INFO', 401, CHALLENGE);
    expect(at.take()).toContain('theirs: replied 401');
  });

  it('fails where there is no password', () => {
    const at = outgoing();
    info(at);
    at.reply('INFO', 401, CHALLENGE);
    expect(at.take()).toContain('theirs: replied 401');
    expect(at.sent().filter((method) => method === 'INFO')).toHaveLength(1);
  });
});

describe('a request of ours whose connection is lost', () => {
  const other: Flow = { ...tcp, connection: 8 };
  const bye = (at: Room): void => at.signalling.input('theirs', { kind: 'end' });

  it('goes by another one of the peer, and so do later ones', () => {
    const asked: string[] = [];
    const at = outgoing({
      flow: tcp,
      others: (leg, lost, target) => {
        asked.push(`${leg} ${lost.connection} ${target}`);
        return [other];
      },
    });
    bye(at);
    at.stage.endpoint.transportFailed(tcp, at.stage.nowMs);
    expect(asked).toEqual(['leg 7 sip:peer@192.0.2.1']);
    expect(at.sent().filter((method) => method === 'BYE')).toHaveLength(2);
    expect([at.stage.sent.at(-1)?.flow, at.signalling.flow]).toEqual([other, other]);
  });

  it('has failed where the peer has none', () => {
    const at = outgoing({ flow: tcp });
    at.signalling.input('theirs', { kind: 'send', method: 'INFO', id: 'digit', content: { headers: [] } });
    at.stage.endpoint.transportFailed(tcp, at.stage.nowMs);
    expect(at.take().filter((line) => line.includes('replied'))).toHaveLength(1);
    expect(at.sent().filter((method) => method === 'INFO')).toHaveLength(1);
  });

  it.each<[string, Flow, (at: Room) => void]>([
    ['has no answer', tcp, (at) => at.pass(64 * T1_MS)],
    ['went by UDP', udp, ({ stage }) => stage.endpoint.transportFailed(udp, stage.nowMs)],
  ])('and no other is asked for where it %s', (_title, flow, act) => {
    const asked: string[] = [];
    const at = outgoing({
      flow,
      others: () => {
        asked.push('asked');
        return [other];
      },
    });
    bye(at);
    act(at);
    expect(asked).toEqual([]);
  });

  it('and a peer that follows its Contact has no other', () => {
    const asked: string[] = [];
    const others = () => {
      asked.push('asked');
      return [other];
    };
    const at = outgoing({ flow: tcp, follows: true, others });
    bye(at);
    at.stage.endpoint.transportFailed(tcp, at.stage.nowMs);
    expect([asked, at.sent().filter((method) => method === 'BYE')]).toEqual([[], ['BYE']]);
  });

  it('and the ACK of its 2xx is said again by another one', () => {
    const at = outgoing({ flow: tcp, others: () => [other] });
    at.signalling.connectionLost(tcp);
    expect(at.stage.sent.at(-1)?.flow).toEqual(other);
    expect(at.sent()).toEqual(['INVITE', 'ACK', 'ACK']);
  });

  it('and the ACK has no route where the peer has none', () => {
    const at = outgoing({ flow: tcp });
    at.signalling.connectionLost(tcp);
    expect(at.take()).toEqual([expect.stringMatching(/^stranded: the ACK was not sent/)]);
  });
});

describe('a peer at a name', () => {
  const NAMED = { extra: ['Contact: <sip:peer@far.test>', 'Content-Type: application/sdp'], body: SDP };
  const there: Flow = { ...udp, remoteAddress: '192.0.2.77' };
  const answeredBy = (find: SignallingDependencies['find']): Room => {
    const at = room({ follows: true, ...(find && { find }) });
    at.signalling.invite(PLAN);
    at.reply('INVITE', 200, NAMED);
    return at;
  };

  it('is reached there', () => {
    const at = answeredBy((_uri, found) => found(ok(there)));
    expect(at.stage.sent.at(-1)?.flow).toEqual(there);
    expect(at.take().filter((line) => line.startsWith('astray'))).toEqual([]);
  });

  it('that leads nowhere is acknowledged where it was, and ended there, but gets nothing else', () => {
    const at = answeredBy((_uri, found) => found(fail('NotFound', 'no such name')));
    expect(at.sent()).toEqual(['INVITE', 'ACK']);
    expect(at.stage.sent.at(-1)?.flow).toEqual(udp);
    expect(at.take()).toContain('astray: sip:far.test: no such name');
    at.signalling.input('theirs', { kind: 'send', method: 'INFO', id: 'digit', content: { headers: [] } });
    expect(at.sent()).toEqual(['INVITE', 'ACK']);
    expect(at.take().filter((line) => line.includes('replied'))).toHaveLength(1);
    at.signalling.input('theirs', { kind: 'end' });
    expect(at.sent()).toEqual(['INVITE', 'ACK', 'BYE']);
    expect(at.stage.sent.at(-1)?.flow).toEqual(udp);
  });
});

describe('a response by another connection', () => {
  const came: Flow = { ...tcp, connection: 9 };
  it.each([
    ['of a peer that was found there: it is reached by it', tcp, false, came, came],
    ['of a peer that follows its Contact: it stays', tcp, true, came, tcp],
    ['of the same number: it stays', tcp, false, { ...tcp, remotePort: 1 }, tcp],
    ['of a peer that was asked over UDP: it stays', udp, false, came, udp],
  ])('%s', (_title, flow, follows, by, expected) => {
    const at = room({ flow, follows });
    at.signalling.invite(PLAN);
    at.reply('INVITE', 180, { by });
    expect(at.signalling.flow).toEqual(expected);
    at.reply('INVITE', 422, { by, extra: ['Min-SE: 3600'] });
    expect([at.sent().at(-1), at.stage.sent.at(-1)?.flow]).toEqual(['INVITE', expected]);
  });

  it('which our INVITE went by for its length, serves a peer that names TCP', () => {
    const stream: Flow = { ...tcp, connection: 9 };
    const at = room({
      follows: true,
      streams: { open: (_outgoing, _flow, opened) => opened(stream, 0), failed: () => undefined },
    });
    at.signalling.invite(LONG_PLAN);
    const named = ['Contact: <sip:peer@192.0.2.1;transport=tcp>', 'Content-Type: application/sdp'];
    at.reply('INVITE', 200, { by: stream, extra: named, body: SDP });
    expect([at.sent(), at.stage.sent.at(-1)?.flow]).toEqual([['INVITE', 'ACK'], stream]);
  });
});

describe('a leg that was released', () => {
  it('reports nothing, and an INVITE without an answer is left alone', () => {
    const at = room();
    at.signalling.invite(PLAN);
    at.reply('INVITE', 180);
    at.take();
    at.signalling.release();
    at.reply('INVITE', 200, ANSWER);
    expect(at.take()).toEqual([]);
    expect(at.sent()).toEqual(['INVITE']);
  });

  it.each([true, false])('acknowledges and ends forks that answer late (follows: %s)', (follows) => {
    const at = outgoing({ follows });
    at.signalling.release();
    at.reply('INVITE', 200, { ...ANSWER, tag: 'late' });
    expect(at.sent()).toEqual(['INVITE', 'ACK', 'ACK', 'BYE']);
    expect(at.last('BYE').to.tag).toBe('late');
    expect(at.take()).toEqual([]);
  });

  it('ends such a fork at the host that it names', () => {
    const there: Flow = { ...udp, remoteAddress: '192.0.2.77' };
    const at = outgoing({ follows: true, find: (_uri, found) => found(ok(there)) });
    at.signalling.release();
    at.reply('INVITE', 200, { tag: 'late', extra: ['Contact: <sip:late@far.test>'] });
    expect(at.stage.sent.slice(-2).map(({ flow }) => flow)).toEqual([there, there]);
  });
});

describe('the name of a timer', () => {
  it('names its dialog', () => {
    expect([timerName('2xx', INCOMING), timerName('retry', 'a b')]).toEqual(['2xx ', 'retry a b']);
  });
});
