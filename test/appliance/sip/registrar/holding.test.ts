import { describe, expect, test } from 'vitest';
import { type Binding, Registrar } from '#appliance/sip/registrar/index.ts';
import { AOR, type Asked, flow, registration, shown } from './fixture.ts';

/* A name is easily copied: a REGISTER without a secret has a say about its own address, and about nothing else. */

const OWN = 'sip:scaip-1@10.0.0.5:5060';
const FOREIGN = 'sip:scaip-1@203.0.113.66:5060';
const START = 1_800_000_000_000;
const HOUR = 3_600_000;
const device: Asked = { proven: false };
const stranger: Asked = { proven: false, callId: 'strange', flow: flow({ remoteAddress: '203.0.113.66' }) };
const contact = (uri: string, more = '') => `Contact: <${uri}>${more}`;

function rig(rows: readonly Binding[] = [], hasSecret = () => false, settings = {}) {
  const registrar = new Registrar(settings, hasSecret);
  registrar.restore(rows);
  const send = (fields: string[], asked: Asked, atMs = START) =>
    registrar.register(registration(fields, asked), atMs);
  const tried = (atMs = START) => registrar.lookup(AOR, atMs).map((each) => [each.contact, each.source]);
  return { registrar, send, tried };
}

const REGISTERED = [contact(OWN), 'Expires: 3600'];

describe('a REGISTER without a secret, from another address,', () => {
  test.each<[string, string[], Asked, string[]]>([
    ['with the same contact', [contact(OWN), 'Expires: 3600'], {}, [OWN]],
    [
      'with the same contact, Call-ID and a higher CSeq',
      [contact(OWN)],
      { callId: 'call-1', cseq: 9 },
      [OWN],
    ],
    ['with the same contact for one minute', [contact(OWN, ';expires=60')], {}, [OWN]],
    ['with a contact of its own and q=1', [contact(FOREIGN, ';q=1')], {}, [FOREIGN]],
    ['with the flow of the device', [contact(OWN, ';+sip.instance="<urn:uuid:1>";reg-id=1')], {}, [OWN]],
    ['with a newer flow', [contact(FOREIGN, ';+sip.instance="<urn:uuid:1>";reg-id=2')], {}, [FOREIGN]],
    ['that unregisters the contact', [contact(OWN), 'Expires: 0'], {}, []],
    ['that unregisters everything', ['Contact: *', 'Expires: 0'], {}, []],
    [
      'that unregisters the contact and adds one',
      [contact(OWN, ';expires=0'), contact(FOREIGN)],
      {},
      [FOREIGN],
    ],
    ['that asks what there is', [], {}, []],
  ])('%s, leaves what the device holds, and in front', (_name, fields, more, contacts) => {
    for (const registered of [REGISTERED, [contact(OWN, ';q=0.1;+sip.instance="<urn:uuid:1>";reg-id=1')]]) {
      const { registrar, send, tried } = rig();
      send(registered, device);
      const [before] = registrar.bindings(AOR, START);
      const result = send(fields, { ...stranger, ...more }, START + 1_000);
      expect(shown(result)).toMatchObject({ contacts });
      expect(tried(START + 1_000)[0]).toEqual([OWN, '198.51.100.7']);
      expect(registrar.bindings(AOR, START + 1_000)).toContainEqual(before);
      expect(tried(START + 1_000)).toHaveLength(1 + contacts.length);
      const reported = result.outcome === 'registered' ? result.others : [];
      expect(reported.map(({ contact: uri }) => uri)).toEqual(fields.length === 0 ? [] : [OWN]);
      expect(registrar.answering(AOR, '198.51.100.7', START + 1_000)).toEqual([before]);
    }
  });

  test('refreshes and takes back what it holds itself, under a row of its own', () => {
    const { registrar, send } = rig();
    send(REGISTERED, device);
    send(REGISTERED, { ...stranger, cseq: 1 });
    send([contact(OWN), 'Expires: 7200'], { ...stranger, cseq: 2 });
    const rows = registrar.bindings(AOR, START);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(2);
    expect(rows.map(({ expiresAtMs }) => (expiresAtMs - START) / HOUR).sort()).toEqual([1, 2]);
    send(['Contact: *', 'Expires: 0'], { ...stranger, cseq: 3 });
    expect(registrar.bindings(AOR, START).map(({ source }) => source)).toEqual(['198.51.100.7']);
  });

  test('finds no place where others hold every one, and takes none', () => {
    const { send, registrar } = rig([], undefined, { maxContacts: 3 });
    for (const port of [1, 2, 3]) send([contact(`sip:a@10.0.0.5:${port}`)], device);
    expect(send([contact(FOREIGN)], stranger)).toMatchObject({ outcome: 'full', others: [{}, {}, {}] });
    expect(send(['Contact: *', 'Expires: 0'], stranger).outcome).toBe('registered');
    send([contact('sip:a@10.0.0.5:4')], device);
    expect(registrar.bindings(AOR, START).map((each) => each.contact.at(-1))).toEqual(['4', '3', '2']);
  });
});

describe('a REGISTER with a secret', () => {
  test('takes the place of what unproven ones hold, and is alone where calls go', () => {
    const { registrar, send, tried } = rig();
    send(REGISTERED, device);
    send(REGISTERED, stranger);
    send([contact(FOREIGN)], stranger);
    const moved = flow({ remoteAddress: '192.0.2.77' });
    send([contact(OWN)], { proven: true, flow: moved, callId: 'moved' });
    expect(tried()).toEqual([[OWN, '192.0.2.77']]);
    expect(registrar.answering(AOR, '203.0.113.66', START).map((each) => each.source)).toEqual([
      '192.0.2.77',
      '203.0.113.66',
    ]);
    send(['Contact: *', 'Expires: 0'], { proven: true, flow: moved, callId: 'gone' });
    expect(registrar.size).toBe(0);
  });

  test('stands though an unknown device without one unregisters everything', () => {
    const { send, tried } = rig();
    send(REGISTERED, { proven: true });
    send(['Contact: *', 'Expires: 0'], stranger);
    send([contact(FOREIGN)], stranger);
    expect(tried()).toEqual([[OWN, '198.51.100.7']]);
  });
});

describe('rows of another life', () => {
  /** As an older program wrote them. */
  function oldRow(): Binding {
    const { registrar, send } = rig();
    send(REGISTERED, device);
    const [row] = registrar.bindings(AOR, START);
    const { proven, source, heldSinceMs, ...old } = row as Binding;
    return JSON.parse(JSON.stringify(old)) as Binding;
  }

  test.each([
    [true, [OWN]],
    [false, []],
  ])('that do not say it are proven where the device has a secret: %s', (hasSecret, contacts) => {
    const { registrar, tried, send } = rig([oldRow()], () => hasSecret);
    expect(registrar.answering(AOR, '203.0.113.66', START).map((each) => each.contact)).toEqual(contacts);
    expect(registrar.answering(AOR, '198.51.100.7', START).map((each) => each.contact)).toEqual([OWN]);
    send([contact(FOREIGN)], stranger, START + 1);
    expect(tried(START + 1)[0]).toEqual([OWN, undefined]);
  });

  test('keep their holder when their connection is lost', () => {
    const { registrar, send } = rig();
    const tcp = flow({ transport: 'TCP', reliable: true, connection: 7 });
    send(REGISTERED, { ...device, flow: tcp });
    const restored = rig(registrar.bindings(AOR, START)).registrar;
    registrar.flowClosed(7);
    for (const each of [registrar, restored])
      expect(each.answering(AOR, '198.51.100.7', START)).toMatchObject([{ contact: OWN, flow: null }]);
  });
});

test('an address that returns after its bindings have run out is a new holder', () => {
  const { send, tried } = rig();
  send([contact(OWN), 'Expires: 60'], device);
  send([contact(FOREIGN), 'Expires: 7200'], stranger, START + 1_000);
  send([contact(OWN), 'Expires: 7200'], { ...device, cseq: 2 }, START + 30_000);
  expect(tried(START + HOUR).map(([uri]) => uri)).toEqual([OWN, FOREIGN]);
  send(['Contact: *', 'Expires: 0'], { ...device, callId: 'gone' }, START + HOUR);
  send([contact(OWN)], { ...device, callId: 'back' }, START + HOUR + 1_000);
  expect(tried(START + HOUR + 1_000).map(([uri]) => uri)).toEqual([FOREIGN, OWN]);
});
