import { describe, expect, it } from 'vitest';
import { applyEventMap, compileEventMap, type EventMap, type EventRule } from '#shared/matching/index.ts';

const event = {
  sessionId: 's1',
  sipFrom: '+46855511000',
  alarmEvent: {
    deviceType: 'fallDetector',
    statusCode: 'alarm',
    deviceId: '0042',
    priority: 3,
    audio: 'none',
  },
  sourceAlarmEvent: { protocol: 'scaip', warnings: ['checkFailed'] },
};

function run(rules: readonly EventRule[], subject: unknown = event) {
  const compiled = compileEventMap({ rules });
  if (!compiled.ok) throw new Error(`${compiled.error.path}: ${compiled.error.reason}`);
  return applyEventMap(compiled.value, subject);
}

function refusal(rule: EventRule) {
  const compiled = compileEventMap({ rules: [rule] });
  return compiled.ok ? undefined : compiled.error;
}

it('runs the example of the decisions', () => {
  const map: EventMap = {
    rules: [
      {
        when: { 'alarmEvent.deviceType': 'fallDetector', sipFrom: '/^\\+46/' },
        path: '/fall',
        body: { type: 'FALL', unit: '{{alarmEvent.deviceId}}', raw: '{{sourceAlarmEvent}}' },
        set: { 'alarmEvent.priority': 9 },
        headers: { 'X-Kind': 'fall' },
        drop: false,
      },
    ],
    otherwise: 'default',
  };
  expect(run(map.rules)).toEqual({
    rule: 0,
    path: '/fall',
    body: { type: 'FALL', unit: '0042', raw: event.sourceAlarmEvent },
    headers: { 'X-Kind': 'fall' },
    drop: false,
  });
});

it('takes the first rule that matches', () => {
  const rules = [{ when: { sipFrom: 'x' }, path: '/a' }, { path: '/b' }, { path: '/c' }];
  expect(run(rules)).toMatchObject({ rule: 1, path: '/b' });
});

it('sends the default shape when none matches, or when there is no rule', () => {
  const unchanged = { rule: null, path: undefined, body: event, headers: {}, drop: false };
  expect(run([{ when: { sipFrom: 'x' } }])).toEqual(unchanged);
  expect(run([])).toEqual(unchanged);
});

it('drops', () => {
  expect(run([{ when: { sessionId: 's1' }, body: { a: 1 }, drop: true }])).toEqual({
    rule: 0,
    path: undefined,
    body: null,
    headers: {},
    drop: true,
  });
});

describe('when', () => {
  it.each([
    [{ 'alarmEvent.deviceType': 'fallDetector' }, true],
    [{ 'alarmEvent.deviceType': 'fall' }, false],
    [{ 'alarmEvent.priority': 3 }, true],
    [{ 'alarmEvent.priority': '3' }, false],
    [{ 'alarmEvent.priority': '/^[0-3]$/' }, true],
    [{ 'alarmEvent.priority': [1, 2, 3] }, true],
    [{ 'alarmEvent.priority': [1, 2] }, false],
    [{ 'alarmEvent.deviceType': ['/^fall/', 'bedMonitor'] }, true],
    [{ 'alarmEvent.location': null }, true],
    [{ 'alarmEvent.deviceType': null }, false],
    [{ 'alarmEvent.location': [null, 'kitchen'] }, true],
    [{ 'alarmEvent.location': '/./' }, false],
    [{ alarmEvent: '/./' }, false],
    [{ 'sourceAlarmEvent.warnings.0': 'checkFailed' }, true],
    [{ 'sourceAlarmEvent.warnings.1': null }, true],
    [{ sipFrom: '/55511/', 'alarmEvent.audio': 'duplex' }, false],
    [{ sipFrom: '/55511/', 'alarmEvent.audio': 'none' }, true],
    [{ sipFrom: '//' }, false],
    [{ 'alarmEvent.toString': null }, true],
    [{}, true],
  ] as const)('%j holds: %s', (when, holds) => {
    expect(run([{ when }]).rule).toBe(holds ? 0 : null);
  });
});

describe('{{path}}', () => {
  it.each([
    ['{{alarmEvent.priority}}', 3],
    ['{{ alarmEvent.priority }}', 3],
    ['{{alarmEvent}}', event.alarmEvent],
    ['{{alarmEvent.nothing}}', null],
    ['p{{alarmEvent.priority}}', 'p3'],
    ['{{sipFrom}}/{{alarmEvent.deviceId}}', '+46855511000/0042'],
    ['<{{alarmEvent.nothing}}>', '<>'],
    ['w: {{sourceAlarmEvent.warnings}}', 'w: ["checkFailed"]'],
    ['{{sourceAlarmEvent.warnings.0}}', 'checkFailed'],
    ['{{sipFrom}}{{sipFrom}}', '+46855511000+46855511000'],
    ['plain } text {', 'plain } text {'],
    [17, 17],
    [null, null],
    [
      [true, '{{sessionId}}'],
      [true, 's1'],
    ],
    [{ a: { b: '{{sessionId}}' } }, { a: { b: 's1' } }],
  ])('%j becomes %j', (body, filled) => {
    expect(run([{ body }]).body).toEqual(filled);
  });

  it('inserts what the event holds, without reading it again as a template', () => {
    expect(run([{ body: 'x{{sipFrom}}' }], { sipFrom: '{{sessionId}}' }).body).toBe('x{{sessionId}}');
  });
});

describe('set', () => {
  it('changes a copy, which body and headers see', () => {
    const before = structuredClone(event);
    const mapped = run([
      {
        set: {
          'alarmEvent.priority': 9,
          'alarmEvent.note.by': '{{sipFrom}}',
          'sourceAlarmEvent.warnings.0': 'seen',
        },
        headers: { 'X-Priority': 'p={{alarmEvent.priority}}' },
      },
    ]);
    expect(mapped.body).toEqual({
      ...event,
      alarmEvent: { ...event.alarmEvent, priority: 9, note: { by: '+46855511000' } },
      sourceAlarmEvent: { protocol: 'scaip', warnings: ['seen'] },
    });
    expect(mapped.headers).toEqual({ 'X-Priority': 'p=9' });
    expect(event).toEqual(before);
  });
});

it('keeps what a device wrote inside one header line', () => {
  const mapped = run([{ headers: { 'X-From': '{{sipFrom}}', 'X-None': '{{no}}' } }], {
    sipFrom: 'a\r\nHost: evil 日 å',
  });
  expect(mapped.headers).toEqual({ 'X-From': 'a??Host: evil ? å', 'X-None': '' });
});

describe('is refused when provisioned:', () => {
  const deep = (levels: number): unknown => (levels === 0 ? 'end' : [deep(levels - 1)]);
  it.each([
    [{ when: { 'a..b': 1 } }, '/rules/0/when/a..b'],
    [{ when: { 'a.__proto__': 1 } }, '/rules/0/when/a.__proto__'],
    [{ when: { a: '/(x/' } }, '/rules/0/when/a'],
    [{ when: { 'a/b': 1 } }, '/rules/0/when/a~1b'],
    [{ path: 'fall' }, '/rules/0/path'],
    [{ path: '/a/../b' }, '/rules/0/path'],
    [{ path: '/a/%2e%2E/b' }, '/rules/0/path'],
    [{ path: '/a?b=1' }, '/rules/0/path'],
    [{ path: '/a b' }, '/rules/0/path'],
    [{ path: '' }, '/rules/0/path'],
    [{ body: { a: ['{{b'] } }, '/rules/0/body/a/0'],
    [{ body: '{{constructor.name}}' }, '/rules/0/body'],
    [{ body: '{{}}' }, '/rules/0/body'],
    [{ set: { 'a.prototype': 1 } }, '/rules/0/set/a.prototype'],
    [{ set: { a: { b: '{{' } } }, '/rules/0/set/a/b'],
    [{ headers: { 'X Y': 'a' } }, '/rules/0/headers/X Y'],
    [{ headers: { Authorization: 'a' } }, '/rules/0/headers/Authorization'],
    [{ headers: { host: 'a' } }, '/rules/0/headers/host'],
    [{ headers: { a: '{{' } }, '/rules/0/headers/a'],
    [{ body: deep(40) }, `/rules/0/body${'/0'.repeat(33)}`],
    [{ body: Array.from({ length: 201 }, () => '{{a}}') }, '/rules/0/body/200'],
  ] as const)('%j', (rule, path) => {
    expect(refusal(rule as EventRule)).toMatchObject({ code: 'eventMapInvalid', path });
  });

  it('with the position inside a pattern', () => {
    expect(refusal({ when: { a: ['x', '/ab(?=c)/'] } })).toMatchObject({ position: 2 });
  });

  it('with the index of the rule', () => {
    const compiled = compileEventMap({ rules: [{}, {}, { path: 'x' }] });
    expect(compiled).toMatchObject({ ok: false, error: { path: '/rules/2/path' } });
  });
});
