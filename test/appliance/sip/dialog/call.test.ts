import { describe, expect, it } from 'vitest';
import { pair, talking, Wire } from './wire.ts';

describe('a call', () => {
  it('is offered, answered, acknowledged and ended', () => {
    const wire = talking();
    const [a, b] = pair(wire);
    expect(wire.lines).toEqual(['a INVITE', 'b 200 INVITE', 'a ACK']);
    expect([a.agreed, b.agreed]).toEqual(['a1>b:yes(a1)', 'a1>b:yes(a1)']);
    b.end();
    wire.pass(40_000);
    expect(wire.since(3)).toEqual(['b BYE', 'a 200 BYE']);
    expect([a.ended, b.ended, a.session.phase, b.session.phase]).toEqual([
      'remote',
      'local',
      'Ended',
      'Ended',
    ]);
    expect([...wire.a.timers, ...wire.b.timers]).toEqual([]);
  });

  it('may be offered by the callee: the answer goes into the ACK', () => {
    const wire = new Wire(1);
    wire.a.dial('b', true);
    wire.pass(1_000);
    const [a, b] = pair(wire);
    expect(a.events).toEqual(['confirmed', 'offered b1 by 2xx']);
    expect(b.events).toEqual(['asked', 'confirmed', 'acknowledged', 'agreed a:yes(b1)']);
    expect(a.agreed).toBe(b.agreed);
  });

  it('has its descriptions settled by a reliable 183 and PRACK, and the 2xx waits for it', () => {
    const wire = new Wire(1, { b: { reliableProvisional: true } });
    wire.b.onIncoming = (call) => {
      call.ring(183, true);
      call.ring(180);
      call.accept();
    };
    wire.a.dial('b');
    wire.pass(1_000);
    const [a, b] = pair(wire);
    expect(wire.lines).toEqual([
      'a INVITE',
      'b 183 INVITE',
      'a PRACK',
      'b 200 PRACK',
      'b 180 INVITE',
      'a PRACK',
      'b 200 PRACK',
      'b 200 INVITE',
      'a ACK',
    ]);
    expect(a.events).toEqual(['progressed 183', 'agreed b:yes(a1)', 'progressed 180', 'confirmed']);
    expect([a.agreed, b.agreed]).toEqual(['a1>b:yes(a1)', 'a1>b:yes(a1)']);
  });

  it('repeats a reliable 1xx until PRACK, and gives the call up with 504 when none comes', () => {
    const wire = new Wire(1, { b: { reliableProvisional: true } });
    wire.b.onIncoming = (call) => call.ring(180);
    wire.drop = (line) => line === 'a PRACK';
    wire.a.dial('b');
    wire.pass(60_000);
    expect(
      wire.sent.filter((line) => line.includes('180')).map((line) => Number.parseInt(line, 10) - 10),
    ).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 31_500]);
    expect(wire.a.failed).toBe(504);
    expect(wire.b.calls[0]?.ended).toBe('noAck');
  });

  it('that asks for an offer gets none in an unreliable 1xx', () => {
    const wire = new Wire(1);
    wire.b.onIncoming = (call) => call.input({ kind: 'progress', status: 183, sdp: wire.b.nextOffer() });
    wire.a.dial('b', true);
    wire.pass(1_000);
    const [a, b] = pair(wire);
    b.accept();
    wire.pass(1_000);
    expect(a.events).toEqual(['progressed 183', 'confirmed', 'offered b2 by 2xx']);
    expect(a.agreed).toBe(b.agreed);
  });

  it('shows early media of an unreliable 183, and agrees with the 2xx', () => {
    const wire = new Wire(1);
    wire.b.onIncoming = (call) => {
      call.ring(183, true);
      call.accept();
    };
    wire.a.dial('b');
    wire.pass(1_000);
    const [a] = pair(wire);
    expect(a.events).toEqual(['progressed 183 b:yes(a1)', 'confirmed', 'agreed b:yes(a1)']);
  });

  it('offered late in a reliable 1xx is answered in PRACK', () => {
    const wire = new Wire(1, { b: { reliableProvisional: true } });
    wire.b.onIncoming = (call) => {
      call.input({ kind: 'progress', status: 183, sdp: wire.b.nextOffer() });
      call.input({ kind: 'accept' });
    };
    wire.a.dial('b', true);
    wire.pass(1_000);
    const [a, b] = pair(wire);
    expect(a.events).toEqual(['progressed 183', 'offered b1 by 1xx', 'confirmed']);
    expect(b.events).toEqual(['asked', 'agreed a:yes(b1)', 'confirmed', 'acknowledged']);
    expect([a.agreed, b.agreed]).toEqual(['b1>a:yes(b1)', 'b1>a:yes(b1)']);
  });

  it('can be changed before it is answered, by UPDATE from either side', () => {
    for (const side of ['a', 'b'] as const) {
      const wire = new Wire(1, { b: { reliableProvisional: true } });
      wire.b.onIncoming = (call) => call.ring(183, true);
      wire.a.dial('b');
      wire.pass(1_000);
      const [a, b] = pair(wire);
      (side === 'a' ? a : b).change('UPDATE');
      wire.pass(1_000);
      expect(wire.lines.slice(-2)).toEqual([`${side} UPDATE`, `${side === 'a' ? 'b' : 'a'} 200 UPDATE`]);
      expect([a.agreed, a.agreed.slice(0, 2)]).toEqual([b.agreed, side === 'a' ? 'a2' : 'b1']);
      b.input({ kind: 'accept' });
      wire.pass(1_000);
      expect([a.session.phase, b.session.phase]).toEqual(['Confirmed', 'Confirmed']);
      expect(a.events.filter((each) => each.startsWith('unchanged'))).toEqual([]);
    }
  });

  it('is refused, and no one answers', () => {
    const busy = new Wire(1);
    busy.b.onIncoming = (call) => call.input({ kind: 'refuse', status: 486 });
    busy.a.dial('b');
    busy.pass(1_000);
    expect([busy.a.failed, busy.b.calls[0]?.ended]).toEqual([486, 'refused']);
    const silent = new Wire(1);
    silent.drop = () => true;
    silent.a.dial('b');
    silent.pass(40_000);
    expect(silent.a.failed).toBe(408);
  });
});

describe('an ACK', () => {
  it('that is lost brings the 2xx again, and the ACK again', () => {
    const wire = new Wire(1);
    let lost = 3;
    wire.drop = (line) => line === 'a ACK' && lost-- > 0;
    wire.a.dial('b');
    wire.pass(20_000);
    const [, b] = pair(wire);
    expect(
      wire.sent.filter((line) => line.includes('200')).map((line) => Number.parseInt(line, 10) - 10),
    ).toEqual([0, 500, 1_500, 3_500]);
    expect(wire.lines.filter((line) => line === 'a ACK')).toHaveLength(4);
    expect(b.events.filter((each) => each === 'acknowledged')).toHaveLength(1);
  });

  it('that never comes ends the call after 64 x T1; the 2xx is sent 11 times at most', () => {
    const wire = new Wire(1);
    wire.drop = (line) => line === 'a ACK';
    wire.a.dial('b');
    wire.pass(60_000);
    const [a, b] = pair(wire);
    expect(wire.lines.filter((line) => line === 'b 200 INVITE')).toHaveLength(11);
    expect([a.ended, b.ended]).toEqual(['remote', 'noAck']);
  });

  it('is waited for before BYE', () => {
    const wire = new Wire(1);
    let lost = 1;
    wire.drop = (line) => line === 'a ACK' && lost-- > 0;
    wire.a.dial('b');
    wire.pass(100);
    const [, b] = pair(wire);
    b.end();
    wire.pass(100);
    expect(wire.lines).not.toContain('b BYE');
    wire.pass(2_000);
    expect(wire.lines.slice(-3)).toEqual(['a ACK', 'b BYE', 'a 200 BYE']);
    expect(b.ended).toBe('local');
  });
});

describe('CANCEL', () => {
  const ringing = (): Wire => {
    const wire = new Wire(1);
    wire.b.onIncoming = (call) => call.ring(180);
    wire.a.dial('b');
    wire.pass(1_000);
    return wire;
  };

  it('ends a call that rings', () => {
    const wire = ringing();
    wire.a.cancel();
    wire.pass(1_000);
    expect(wire.since(2)).toEqual(['a CANCEL', 'b 200 CANCEL', 'b 487 INVITE', 'a ACK']);
    expect([wire.a.failed, wire.a.calls[0]?.ended, wire.b.calls[0]?.ended]).toEqual([
      487,
      'notChosen',
      'cancelled',
    ]);
  });

  it('that crosses the 2xx: the call is acknowledged and ended', () => {
    const wire = ringing();
    wire.b.calls[0]?.accept();
    wire.a.cancel();
    wire.pass(60_000);
    expect(wire.since(2)).toEqual([
      'b 200 INVITE',
      'a CANCEL',
      'a ACK',
      'a BYE',
      'b 200 CANCEL',
      'b 200 BYE',
    ]);
    expect(wire.a.failed).toBe(487);
    expect(wire.b.calls[0]?.ended).toBe('remote');
    expect(wire.a.calls[0]?.events).toEqual(['progressed 180']);
  });
});

describe('two changes at once', () => {
  it.each(['INVITE', 'UPDATE'] as const)('%s from both sides: 491 twice, then one after the other', (by) => {
    const wire = talking();
    const [a, b] = pair(wire);
    const before = wire.lines.length;
    a.change(by);
    b.change(by);
    wire.pass(10_000);
    const lines = wire.since(before);
    expect(lines.filter((line) => line.includes('491')).sort()).toEqual([`a 491 ${by}`, `b 491 ${by}`]);
    expect(lines.filter((line) => line.includes('200'))).toEqual([`a 200 ${by}`, `b 200 ${by}`]);
    // RFC 3261 14.1: the maker of the Call-ID waits longer.
    expect(a.agreed).toBe('a3>b:yes(a3)');
    expect(b.agreed).toBe(a.agreed);
  });

  it('are made one after the other when they come from one side', () => {
    const wire = talking();
    const [a, b] = pair(wire);
    a.change('INVITE');
    a.change('UPDATE');
    wire.pass(1_000);
    expect(wire.since(3)).toEqual(['a INVITE', 'b 200 INVITE', 'a ACK', 'a UPDATE', 'b 200 UPDATE']);
    expect([a.agreed, b.agreed]).toEqual(['a3>b:yes(a3)', 'a3>b:yes(a3)']);
  });
});

describe('a change', () => {
  it('by re-INVITE without an offer takes the offer of the peer', () => {
    const wire = talking();
    const [a, b] = pair(wire);
    a.change('INVITE', false);
    wire.pass(1_000);
    expect(b.events.slice(-3)).toEqual(['asked', 'acknowledged', 'agreed a:yes(b1)']);
    expect([a.agreed, b.agreed]).toEqual(['b1>a:yes(b1)', 'b1>a:yes(b1)']);
  });

  it('that is refused changes nothing', () => {
    const wire = talking();
    const [a, b] = pair(wire);
    b.automatic = false;
    a.change('INVITE');
    wire.pass(100);
    b.input({ kind: 'refuse', status: 488 });
    a.change('UPDATE');
    wire.pass(100);
    b.input({ kind: 'decline', status: 488 });
    wire.pass(100);
    expect(a.events.slice(-2)).toEqual(['unchanged 488', 'unchanged 488']);
    expect([a.agreed, b.agreed]).toEqual(['a1>b:yes(a1)', 'a1>b:yes(a1)']);
    expect(a.session.phase).toBe('Confirmed');
  });

  it('that meets a second one of the peer before it is answered: 500 with Retry-After', () => {
    const wire = talking();
    const [a, b] = pair(wire);
    b.automatic = false;
    a.change('UPDATE');
    wire.pass(100);
    b.change('UPDATE');
    b.change('INVITE');
    wire.pass(100);
    expect(wire.since(3)).toEqual(['a UPDATE']);
    b.answer();
    b.automatic = true;
    wire.pass(100);
    expect(wire.since(4)).toEqual(['b 200 UPDATE', 'b INVITE', 'a 200 INVITE', 'b ACK']);
    expect(a.agreed).toBe(b.agreed);
  });

  it('to a peer that has forgotten the call ends it', () => {
    const wire = talking();
    const [a] = pair(wire);
    wire.b.calls.length = 0;
    a.change('INVITE');
    wire.pass(1_000);
    expect(wire.since(3)).toEqual(['a INVITE', 'b 481 INVITE', 'a ACK', 'a BYE', 'b 481 BYE']);
    expect([a.ended, a.session.phase]).toEqual(['lost', 'Ended']);
  });
});

describe('the end of a call', () => {
  it('wanted by both at once is answered by both', () => {
    const wire = talking();
    const [a, b] = pair(wire);
    a.end();
    b.end();
    wire.pass(1_000);
    expect(wire.since(3).sort()).toEqual(['a 200 BYE', 'a BYE', 'b 200 BYE', 'b BYE']);
    expect([a.session.phase, b.session.phase]).toEqual(['Ended', 'Ended']);
  });

  it('in the middle of a change answers the change with 487', () => {
    const wire = talking();
    const [a, b] = pair(wire);
    b.automatic = false;
    a.change('INVITE');
    wire.pass(100);
    a.end();
    wire.pass(1_000);
    expect(wire.since(4)).toEqual(['a BYE', 'b 200 BYE', 'b 487 INVITE', 'a ACK']);
  });

  it('that crosses an offer of the peer: the 2xx is acknowledged without an answer', () => {
    const wire = talking();
    const [a, b] = pair(wire);
    b.automatic = false;
    a.change('INVITE', false);
    wire.pass(100);
    b.accept();
    a.end();
    wire.pass(40_000);
    expect(wire.lines.filter((line) => line === 'a ACK')).toHaveLength(2);
    expect([a.session.phase, b.session.phase]).toEqual(['Ended', 'Ended']);
  });

  it('that crosses the 2xx of a change: the 2xx is still acknowledged', () => {
    const wire = talking();
    const [a, b] = pair(wire);
    b.automatic = false;
    a.change('INVITE');
    wire.pass(100);
    b.accept();
    a.end();
    wire.pass(40_000);
    expect(wire.lines.filter((line) => line === 'b 200 INVITE')).toHaveLength(2);
    expect(wire.lines.filter((line) => line === 'a ACK')).toHaveLength(2);
    expect([a.session.phase, b.session.phase]).toEqual(['Ended', 'Ended']);
  });
});

describe('requests inside a call', () => {
  it('are handed over, answered and reported', () => {
    const wire = talking();
    const [a, b] = pair(wire);
    a.input({ kind: 'send', method: 'INFO', id: 'digit', content: { body: Buffer.from('Signal=5') } });
    wire.pass(100);
    expect(b.events.at(-1)).toBe('delivered INFO');
    expect(a.events.at(-1)).toBe('replied digit 200');
    wire.drop = (line) => line === 'b INFO';
    b.input({ kind: 'send', method: 'INFO', id: 'lost', content: {} });
    wire.pass(40_000);
    expect(b.events.at(-1)).toBe('replied lost nobody');
    expect(b.session.phase).toBe('Confirmed');
  });
});
