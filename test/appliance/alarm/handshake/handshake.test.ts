import { describe, expect, it } from 'vitest';
import { HandshakeTable } from '#appliance/alarm/handshake/handshake-table.ts';
import { type Handshake, HandshakeMeter } from '#appliance/alarm/handshake/index.ts';

const meter = (asked: number, bad: number, digits: readonly (readonly [number, number, number?])[] = []) => {
  const one = new HandshakeMeter();
  for (let i = 0; i < asked; i++) one.asked();
  for (let i = 0; i < bad; i++) one.badString();
  for (const [levelDbm0, twistDb, noiseDbm0] of digits) one.digit({ levelDbm0, twistDb, noiseDbm0 });
  return one;
};

describe('one handshake', () => {
  it.each([
    [0, 0, true, 'first'],
    [1, 0, true, 'first'],
    [2, 0, true, 'retried'],
    [1, 1, true, 'retried'],
    [4, 0, false, 'failed'],
  ] as const)('treats %i requests and %i bad strings, taken %s, as %s', (asked, bad, taken, result) => {
    expect(meter(asked, bad).over('bs8521', taken)).toEqual({
      protocol: 'bs8521',
      result,
      requests: asked,
      badStrings: bad,
      digits: 0,
    });
  });

  it('has the means of what was measured in band; events of RFC 4733 measure nothing', () => {
    const one = meter(1, 0, [
      [-10, 2, -50],
      [-13, 1, -40],
    ]);
    one.digit({});
    expect(one.over('tt92', true)).toMatchObject({
      digits: 2,
      levelDbm0: -11.5,
      twistDb: 1.5,
      noiseDbm0: -45,
    });
  });

  it('is reported once: later strings of a call are none', () => {
    const one = meter(1, 0);
    expect(one.over('p100', true)).toBeDefined();
    expect(one.over('p100', true)).toBeUndefined();
  });
});

const GOOD: Handshake = {
  protocol: 'bs8521',
  result: 'first',
  requests: 1,
  badStrings: 0,
  digits: 27,
  levelDbm0: -10,
  twistDb: 2,
  noiseDbm0: -50,
};
const BAD: Handshake = {
  ...GOOD,
  result: 'failed',
  requests: 4,
  badStrings: 2,
  digits: 9,
  levelDbm0: -22,
  twistDb: 6,
};

describe('statistics', () => {
  it('stand under the device, the number and the trunk, weighed by digits', () => {
    const table = new HandshakeTable();
    const of = { deviceId: 'unit', number: '+461', trunkId: 'pstn' };
    table.add(of, GOOD, 1);
    table.add({ ...of, deviceId: undefined }, BAD, 2);
    expect(table.entries({ limit: 9 }).map(({ kind, key, calls }) => [kind, key, calls])).toEqual([
      ['trunk', 'pstn', 2],
      ['number', '+461', 2],
      ['device', 'unit', 1],
    ]);
    expect(table.entries({ kind: 'trunk', limit: 9 })).toEqual([
      {
        kind: 'trunk',
        key: 'pstn',
        protocol: 'bs8521',
        calls: 2,
        firstTry: 1,
        retried: 0,
        failed: 1,
        requests: 5,
        badStrings: 2,
        digits: 36,
        levelDbm0: -13,
        twistDb: 3,
        noiseDbm0: -50,
        events: 0,
        saidAsEvents: 0,
        protocols: { bs8521: 1 },
        lastMs: 2,
      },
    ]);
    expect(table.entries({ key: 'nobody', limit: 9 })).toEqual([]);
    expect(table.figures).toMatchObject({
      'tone_handshakes{protocol="bs8521",result="first"}': 1,
      'tone_handshakes{protocol="bs8521",result="failed"}': 1,
      'tone_line_requests{trunk="pstn"}': 5,
      'tone_line_bad_strings{trunk="pstn"}': 2,
      'tone_line_level_dbm0{trunk="pstn"}': -13,
      'tone_line_twist_db{trunk="pstn"}': 3,
      'tone_line_noise_dbm0{trunk="pstn"}': -50,
    });
    // A collector keeps what it gets for long: no device and no number is a label.
    expect(Object.keys(table.figures).join('\n')).not.toMatch(/unit|461|device="|number="/);
  });

  it('stand under the kind of the device and the alarm bridge, with what is offered to change', () => {
    const table = new HandshakeTable();
    const of = { number: '', trunkId: undefined, deviceType: 'alarmbridgeAlarmUnit', bridgeId: 'tones' };
    for (let call = 0; call < 20; call++) {
      const said = meter(call < 12 ? 1 : 3, 0);
      said.digit({});
      const handshake = said.over('tt92', true);
      if (handshake !== undefined)
        table.add({ ...of, deviceId: `unit-${call}` }, { ...handshake, saidAs: '2833' }, call);
    }
    for (const kind of ['deviceType', 'bridge'] as const)
      expect(table.entries({ kind, limit: 9 })).toMatchObject([
        {
          key: kind === 'bridge' ? 'tones' : 'alarmbridgeAlarmUnit',
          calls: 20,
          firstTry: 12,
          events: 20,
          saidAsEvents: 20,
          protocols: { tt92: 20 },
          offers: [{ setting: 'tones', value: 'inaudio' }],
        },
      ]);
    // One call of each device tells nothing.
    expect(table.entries({ kind: 'device', limit: 1 })[0]).not.toHaveProperty('offers');
    expect(table.figures).toMatchObject({
      'tone_line_handshakes{device_type="alarmbridgeAlarmUnit",result="first"}': 12,
      'tone_line_offers{bridge="tones",setting="tones",value="inaudio"}': 1,
    });
  });

  it('show in figures the last hundred of each kind, whatever their names are made of', () => {
    const table = new HandshakeTable();
    for (let i = 0; i < 150; i++) table.add({ deviceId: undefined, number: '', trunkId: `n${i}` }, GOOD, i);
    table.add({ deviceId: undefined, number: '', trunkId: 'a"b\\c' }, GOOD, 151);
    const shown = Object.keys(table.figures).filter((name) => name.startsWith('tone_line_requests'));
    expect([shown.length, shown[0], shown[1], shown.at(-1)]).toEqual([
      100,
      'tone_line_requests{trunk="a\\"b\\\\c"}',
      'tone_line_requests{trunk="n149"}',
      'tone_line_requests{trunk="n51"}',
    ]);
  });

  it('come back as they were kept, and whatever else the file holds is left alone', () => {
    const table = new HandshakeTable();
    table.add({ deviceId: 'unit', number: '', trunkId: undefined }, GOOD, 1);
    const again = new HandshakeTable();
    again.restore(table.kept);
    expect(again.entries({ limit: 9 })).toEqual(table.entries({ limit: 9 }));
    for (const text of ['', '{', 'null', '{"version":2,"sums":[]}', '{"version":1}']) {
      const other = new HandshakeTable();
      other.restore(text);
      expect(other.entries({ limit: 9 })).toEqual([]);
    }
  });

  it('are bounded: the one that was silent longest goes', () => {
    const table = new HandshakeTable();
    for (let i = 0; i <= 5_000; i++)
      table.add({ deviceId: undefined, number: '', trunkId: `n${i}` }, GOOD, i);
    const all = table.entries({ limit: 10_000 });
    expect([all.length, all[0]?.key, all.at(-1)?.key]).toEqual([5_000, 'n5000', 'n1']);
  });
});

describe('check methods that fit (policy learn)', () => {
  const learned = (...methods: string[]) => {
    const made = new HandshakeMeter();
    made.learned(methods);
    return made;
  };

  it('are counted for each device and number, of strings that were taken, and kept', () => {
    const table = new HandshakeTable();
    const of = { deviceId: 'unit', number: '', trunkId: undefined };
    for (const [methods, taken] of [
      [['sumMod100', 'luhn'], true],
      [['sumMod100'], true],
      [['luhn'], false],
      [[], true],
    ] as const) {
      const handshake = learned(...methods).over('bs8521', taken);
      if (handshake !== undefined) table.add(of, handshake, 1);
    }
    const again = new HandshakeTable();
    again.restore(table.kept);
    for (const one of [table, again])
      expect(one.entries({ limit: 9 })).toMatchObject([
        { key: 'unit', calls: 4, checkMethods: { sumMod100: 2, luhn: 1 } },
      ]);
  });

  it('are absent where nothing was learned', () => {
    const table = new HandshakeTable();
    const handshake = learned().over('bs8521', true);
    if (handshake !== undefined)
      table.add({ deviceId: 'unit', number: '', trunkId: undefined }, handshake, 1);
    expect(table.entries({ limit: 9 })[0]).not.toHaveProperty('checkMethods');
  });
});
