import { describe, expect, it } from 'vitest';
import { encodeAtm, NOWIP_PROFILE } from '#appliance/alarm/protocol/nowip/index.ts';
import { type CalledLine, CalledMessages } from '#appliance/alarm/sending/called/called-messages.ts';
import type { CommandOutcome } from '#appliance/alarm/voice/index.ts';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';

const DEVICE = 'sip:unit@care.example';
const US = 'sip:carer@care.example';
const ADDRESS = '192.0.2.50';

const flowTo = (remoteAddress: string, remotePort = 5060) =>
  ({ transport: 'UDP', remoteAddress, remotePort, connection: 0 }) as never;
const contactAt = (address: string) => ({ uri: `sip:unit@${address}`, routes: [], flow: flowTo(address) });

/** A device on the line; messages to it are written down, and reach the place at `ADDRESS`. */
function room({ contacts = [] as object[], protocol = 'nowip' as CalledLine['protocol'] } = {}) {
  let nowMs = 0;
  const clock = { monoMs: () => nowMs, wallMs: () => nowMs };
  const timers = new EngineTimers({ clock }, (defect) => {
    throw defect;
  });
  const said: { readonly places: readonly { readonly uri: string }[]; readonly xml: string }[] = [];
  const outcomes: string[] = [];
  let inCall: unknown;
  const messages = new CalledMessages({ clock, timers } as never, {
    reply: {
      sayAt: (places, _to, xml, _trace, onFlow) => {
        said.push({ places, xml });
        onFlow?.(flowTo(ADDRESS));
      },
    },
    registrations: { contactsOf: () => contacts } as never,
    profiles: { nowip: () => NOWIP_PROFILE, nowIpController: () => NOWIP_PROFILE },
    turn: (work) => work(),
  });
  const trace = new SessionTrace('t', () => 0);
  messages.open('leg', { protocol, device: DEVICE, us: US, flow: () => inCall as never, trace });
  const done = (name: string) => (outcome: CommandOutcome) =>
    void outcomes.push(`${name} ${outcome.kind === 'done' ? 'done' : outcome.code}`);
  return {
    messages,
    said,
    outcomes,
    timers,
    callRunsTo: (address: string) => {
      inCall = flowTo(address);
    },
    command: (command: Parameters<CalledMessages['command']>[1], id = 'leg') =>
      messages.command(id, command, done(command)),
    /** The device answers; false: the message is not for us. */
    answer: (type: string, { from = DEVICE, to = US, address = ADDRESS, data = '' } = {}) =>
      messages.take(
        {
          body: Buffer.from(encodeAtm({ version: '2', type, data, time: 't', mac: 'm' } as never)),
          from: { uriText: from },
          to: { uriText: to },
        } as never,
        flowTo(address),
      ),
    at: (ms: number) => {
      nowMs = ms;
      timers.advance(ms);
    },
  };
}

describe('a command to a NOW-IP device that we have called', () => {
  it('is said by message, and done when the device acknowledges it', () => {
    const at = room();
    at.command('volumeUp');
    expect(at.said).toHaveLength(1);
    expect(at.outcomes).toEqual([]);
    expect(at.answer('A')).toBe(true);
    expect(at.outcomes).toEqual(['volumeUp done']);
    expect(at.timers.size).toBe(0);
  });

  it('waits behind the one before', () => {
    const at = room();
    at.command('volumeUp');
    at.command('volumeDown');
    expect(at.said).toHaveLength(1);
    at.answer('A');
    expect(at.said).toHaveLength(2);
    at.answer('A');
    expect(at.outcomes).toEqual(['volumeUp done', 'volumeDown done']);
  });

  it('is said four times, then the device is silent', () => {
    const at = room();
    at.command('volumeUp');
    for (let due = at.timers.nextDueMs; due !== undefined; due = at.timers.nextDueMs) at.at(due);
    expect(at.said).toHaveLength(4);
    expect(new Set(at.said.map(({ xml }) => xml.replace(/<time>.*?<\/time>/, ''))).size).toBe(1);
    expect(at.outcomes).toEqual(['volumeUp deviceSilent']);
  });

  it.each([
    ['no line of this name', 'other', 'noVoiceCall'],
    ['a call that is over', 'leg', 'noVoiceCall'],
  ])('fails at %s', (_, id, code) => {
    const at = room();
    at.messages.close('leg');
    at.command('volumeUp', id);
    expect(at.said).toEqual([]);
    expect(at.outcomes).toEqual([`volumeUp ${code}`]);
  });

  it('is forgotten with its call', () => {
    const at = room();
    at.command('volumeUp');
    at.messages.close('leg');
    expect(at.timers.size).toBe(0);
    expect(at.answer('A')).toBe(false);
    expect(at.outcomes).toEqual([]);
  });

  it('goes to the address of the device where no contact is known', () => {
    const at = room();
    at.command('volumeUp');
    expect(at.said[0]?.places.map(({ uri }) => uri)).toEqual([DEVICE]);
  });

  it('goes to the contact that is in the call first, then to the others', () => {
    const contacts = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(contactAt);
    const at = room({ contacts });
    at.callRunsTo('192.0.2.2');
    at.command('volumeUp');
    expect(at.said[0]?.places.map(({ uri }) => uri)).toEqual([
      'sip:unit@192.0.2.2',
      'sip:unit@192.0.2.1',
      'sip:unit@192.0.2.3',
    ]);
  });
});

describe('a message is no answer to a command', () => {
  it.each([
    ['before anything was said', false, 'A', {}],
    ['from an address that nothing was said to', true, 'A', { address: '192.0.2.99' }],
    ['from another device', true, 'A', { from: 'sip:other@care.example' }],
    ['to another number of ours', true, 'A', { to: 'sip:desk@care.example' }],
    ['when it is an alarm', true, '1', { data: '010012345678000001001000' }],
  ])('%s', (_, speaks, type, sender) => {
    const at = room();
    if (speaks) at.command('volumeUp');
    expect(at.answer(type, sender)).toBe(false);
    expect(at.outcomes).toEqual([]);
  });

  it('but the names are compared without their case', () => {
    const at = room();
    at.command('volumeUp');
    expect(at.answer('A', { from: 'sip:UNIT@care.example', to: 'sip:Carer@care.example' })).toBe(true);
  });
});
