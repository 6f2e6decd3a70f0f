import { describe, expect, it } from 'vitest';
import { protocolProfileSchema } from '#shared/contract/provisioning/index.ts';
import { CENTRE } from '#test/support/pair.ts';
import {
  callbacksOf,
  centreBridge,
  EVENT,
  keptPairs,
  type Pair,
  send,
  sendingPair,
} from '#test/support/sending.ts';

const opened = keptPairs();
const KEY = '000102030405060708090a0b0c0d0e0f';

async function two(
  target: Record<string, unknown>,
  bridge: Record<string, unknown> = {},
  options: Parameters<typeof sendingPair>[1] = {},
) {
  const made = await sendingPair({ destAddr: `${CENTRE}:12300`, ...target }, options);
  opened.push(made);
  centreBridge(made, 'dc09', { destinationMatch: '#12345678$', ...bridge });
  return made;
}

describe('an event that goes out in frames of DC-09', () => {
  it.each([
    ['sia-dcs', 'tcp', undefined, '"SIA-DCS"'],
    ['adm-cid', 'udp', undefined, '"ADM-CID"'],
    ['sia-dcs', 'tcp', KEY, '"*SIA-DCS"'],
    ['adm-cid', 'udp', KEY, '"*ADM-CID"'],
  ] as const)(
    '%s over %s, key %s: arrives, is acknowledged and reported',
    async (protocol, transport, key, token) => {
      const dc09 = { line: '1', receiver: '2', transport, ...(key && { key }) };
      const made = await two({ protocol, dc09 }, key ? { dc09: { key } } : {});
      await send(made);
      await made.after(1_000);
      expect(made.frames.sent).toHaveLength(1);
      expect(made.frames.sent[0]).toContain(token);
      expect(made.frames.sent[0]).toContain('R2L1#12345678[');
      expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toMatchObject([
        {
          sourceAlarmProtocol: 'dc09',
          alarmEvent: { controllerId: '12345678', deviceId: protocol === 'sia-dcs' ? '42' : '042' },
        },
      ]);
      const [sent] = callbacksOf(made.sender, 'alarmSent');
      expect(sent).toMatchObject({
        protocol,
        alarmString: expect.stringMatching(/^"[A-Z-]+"\d{4}R2L1#12345678\[#12345678\|/),
      });
    },
  );

  it('is sent again with the same bytes until it is acknowledged, and is one event', async () => {
    const made = await two({ protocol: 'sia-dcs' });
    made.centre.breakDisk(true);
    await send(made);
    await made.after(7_000);
    expect(callbacksOf(made.sender, 'alarmSent')).toEqual([]);
    made.centre.breakDisk(false);
    await made.after(7_000);
    expect(new Set(made.frames.sent).size).toBe(1);
    expect(made.frames.sent.length).toBeGreaterThan(1);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
    expect(callbacksOf(made.sender, 'alarmSent')).toHaveLength(1);
  });

  it('that follow each other wait for each other, one outstanding', async () => {
    const made = await two({ protocol: 'adm-cid' });
    made.frames.cutTo(() => false);
    for (const unit of ['0001', '0002', '0003'])
      await send(made, { alarmEvent: { ...EVENT, deviceId: unit } });
    await made.after(1_000);
    expect(callbacksOf(made.sender, 'alarmSent')).toHaveLength(3);
    const sequences = made.frames.sent.map((frame) => /"(\d{4})/.exec(frame)?.[1]);
    expect(new Set(sequences).size).toBe(3);
  });

  it('reports a receiver that is supervised by NULL frames when it falls silent and when it is back', async () => {
    const made = await two({
      protocol: 'sia-dcs',
      dc09: { account: '12345678', supervisionInterval: 30_000 },
    });
    made.sender.notify('https://app.example/alarms');
    await made.after(1_000);
    expect(made.frames.sent.some((frame) => frame.includes('"NULL"'))).toBe(true);
    made.frames.cutTo(() => true);
    await made.after(65_000);
    made.frames.cutTo(() => false);
    await made.after(65_000);
    const alarms = made.sender.posted
      .filter(({ target }) => target.url.endsWith('/alarms'))
      .map(({ body }) => body);
    expect(alarms.map(({ type, destination }) => [type, destination])).toEqual([
      ['destinationDown', `${CENTRE}:12300`],
      ['destinationUp', `${CENTRE}:12300`],
    ]);
  });
});

describe('an event that goes out in frames of DC-07', () => {
  it.each([
    ['sia-dcs', 'Nri1'],
    ['adm-cid', '|1'],
  ])(
    '(%s) is plain, over TCP, with the sequence of DC-09, and repeated until it is acknowledged',
    async (protocol, data) => {
      const made = await two(
        { protocol, destAddr: `${CENTRE}:12300`, dc09: { key: KEY, transport: 'udp', line: '5' } },
        {},
        { mapper: { protocolProfile: 'software' } },
      );
      for (const site of [made.sender, made.centre])
        site.tenant.put(
          'protocolprofile',
          'software',
          protocolProfileSchema.parse({
            name: 'software',
            kind: 'ip',
            extends: 'dc07',
            content: { enabled: true },
          }),
        );
      centreBridge(made, 'dc09', { destinationMatch: '#12345678$', protocolProfile: 'software' });
      made.frames.loseAnswers((bytes) => made.frames.sent.length < 2 && bytes.length > 0);
      await send(made);
      await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
      expect(made.frames.sent).toHaveLength(2);
      expect(new Set(made.frames.sent).size).toBe(1);
      expect(made.frames.sent[0]).toMatch(/"(SIA-DCS|ADM-CID)"\d{4}L5#12345678\[#12345678\|/);
      expect(made.frames.sent[0]).toContain(data);
      expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([{ dialogId: `tcp ${CENTRE}:12300` }]);
      expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
    },
  );
});

describe('an appliance that dies before the acknowledge of an encrypted frame', () => {
  const target = { protocol: 'sia-dcs', destAddr: `${CENTRE}:12300`, dc09: { key: KEY } };

  /** First frame of the next life. */
  async function nextLife(first: Pair): Promise<string | undefined> {
    const { folder } = first.sender;
    opened.splice(0);
    await first.sender.close(true);
    const next = await sendingPair(target, { pair: { sender: { folder } } });
    opened.push(next);
    next.frames.loseAnswers(() => true);
    centreBridge(next, 'dc09', { destinationMatch: '#12345678$', dc09: { key: KEY } });
    next.sender.runtime.restore();
    await next.after(1_000);
    await first.centre.close();
    return next.frames.sent[0];
  }

  it('sends the same bytes: to its receiver that is a repeat', async () => {
    const made = await two(target, { dc09: { key: KEY } });
    made.frames.loseAnswers(() => true);
    await send(made);
    await made.after(12_000);
    expect(made.frames.sent.length).toBeGreaterThan(1);
    expect(new Set(made.frames.sent).size).toBe(1);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
    expect(await nextLife(made)).toBe(made.frames.sent[0]);
  });

  it('and of a receiver whose clock is not ours, those that show its time', async () => {
    const made = await two(target, { dc09: { key: KEY } });
    made.centre.setWallBy(300_000);
    // The NAK with its time arrives, the acknowledge does not.
    made.frames.loseAnswers((bytes) => !Buffer.from(bytes).includes('NAK'));
    await send(made);
    await made.after(4_000);
    const [refused, taken] = made.frames.sent;
    expect(taken).not.toBe(refused);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
    expect(await nextLife(made)).toBe(taken);
  });

  it('does not ask a receiver whose clock it knows for the time again', async () => {
    const made = await two(target, { dc09: { key: KEY } });
    made.centre.setWallBy(300_000);
    await send(made);
    await made.after(2_000);
    expect(made.frames.sent).toHaveLength(2);
    await send(made, { alarmEvent: { ...EVENT, deviceId: '0043' } });
    await made.after(2_000);
    expect(made.frames.sent).toHaveLength(3);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toHaveLength(2);
  });
});
