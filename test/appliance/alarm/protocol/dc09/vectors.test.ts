import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeContent, decodeMessage, openContent } from '#appliance/alarm/protocol/dc09/index.ts';
import { readDatagram } from '#appliance/alarm/protocol/framed-ip/index.ts';
import { sealing, TestReceiver, written } from './panel.ts';

interface Plain {
  readonly id: string;
  readonly name: string;
  readonly frame?: string;
  readonly bytesHex?: string;
  readonly answer: string | null;
  readonly event?: Readonly<Record<string, unknown>>;
  readonly xdata?: Readonly<Record<string, string>>;
  readonly time?: string;
  readonly warnings?: readonly string[];
}
interface Encrypted extends Plain {
  readonly key: string;
  readonly plain: string;
  readonly now: string;
  readonly answerExample?: { readonly plain: string; readonly frame: string };
}
interface Observed {
  readonly id: string;
  readonly name: string;
  readonly frame: string;
  readonly crcOk: boolean;
  readonly lengthOk: boolean;
  readonly key?: string;
  readonly plain?: string;
}
const file = join(import.meta.dirname, '../../../../vectors/alarm/dc09.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as {
  keys: Record<string, string>;
  dc09: Plain[];
  dc09Encrypted: Encrypted[];
  dc09Observed: Observed[];
};

const wire = (frame: string) => Buffer.from(`\n${frame}\r`, 'latin1');
const bytesOf = ({ frame, bytesHex }: Plain) =>
  bytesHex === undefined ? wire(frame ?? '') : Buffer.from(bytesHex, 'hex');
const keyNamed = (name: string) => Buffer.from(vectors.keys[name] ?? '', 'hex');

function expectXdata(receiver: TestReceiver, xdata: Plain['xdata']): void {
  const fields = receiver.of('event')[0]?.source.fields as { xdata?: { id: string; text: string }[] };
  if (xdata)
    expect(Object.fromEntries((fields.xdata ?? []).map(({ id, text }) => [id, text]))).toEqual(xdata);
}

describe('DC-09 vectors', () => {
  it('are all here', () => {
    expect([vectors.dc09.length, vectors.dc09Encrypted.length, vectors.dc09Observed.length]).toEqual([
      11, 6, 4,
    ]);
  });

  it.each(vectors.dc09)('$id $name', (vector) => {
    const receiver = new TestReceiver();
    expect(receiver.send(bytesOf(vector))).toEqual(vector.answer === null ? [] : [vector.answer]);
    const [event] = receiver.of('event');
    const { fields, warnings } = event?.source ?? {};
    const time = (fields as { time?: string } | undefined)?.time;
    if (vector.event) {
      expect(fields).toMatchObject(vector.event);
      expect(event?.event.controllerId).toBe((fields as { account: string }).account);
    }
    if (vector.time) expect(Date.parse(time ?? '')).toBe(Date.parse(vector.time));
    expectXdata(receiver, vector.xdata);
    expect(warnings ?? []).toEqual(vector.warnings ?? []);
  });

  it.each(vectors.dc09Encrypted)('$id $name', (vector) => {
    const receiver = new TestReceiver();
    receiver.wallMs = Date.parse(vector.now);
    const key = keyNamed(vector.key);
    receiver.setting = { ...receiver.setting, key };
    const isAck = vector.answer === '*ACK';
    const answers = receiver.send(bytesOf(vector));
    if (!isAck) expect(answers).toEqual([vector.answer]);
    expect(receiver.of('event')).toHaveLength(isAck && !vector.name.startsWith('null') ? 1 : 0);
    expectXdata(receiver, vector.xdata);
    if (!isAck || vector.answerExample === undefined) return;

    const [found] = readDatagram(wire(answers[0] ?? ''));
    if (found?.kind !== 'frame') throw new Error('the answer is no frame');
    const message = decodeMessage(found.frame.body);
    if (!message.ok) throw new Error(message.error.reason);
    expect(message.value.head).toMatchObject({ token: 'ACK', encrypted: true });
    const content = openContent(message.value.body, { key, withData: false }, sealing.aes);
    expect(content.ok && content.value.timeMs).toBe(Date.parse(vector.now));

    // A second later, and padded with x, the answer to the repeat is the example, sign for sign.
    receiver.wallMs = Date.parse('2026-09-25T14:12:05Z');
    expect(receiver.send(bytesOf(vector))).toEqual([vector.answerExample.frame]);
  });

  it.each(vectors.dc09Observed)('$id $name', (vector) => {
    const [found] = readDatagram(wire(vector.frame));
    if (found?.kind !== 'frame') throw new Error('no frame');
    expect([true, found.frame.lengthOk]).toEqual([vector.crcOk, vector.lengthOk]);
    const message = decodeMessage(found.frame.body);
    if (!message.ok) throw new Error(message.error.reason);
    if (vector.key === undefined) {
      expect(decodeContent(message.value.body).warnings).toEqual([]);
      return;
    }
    const key = keyNamed(vector.key);
    const cipher = Buffer.from(message.value.body, 'hex');
    expect(Buffer.from(sealing.aes.decrypt(key, Buffer.alloc(16), cipher) ?? []).toString('latin1')).toBe(
      vector.plain,
    );
    expect(openContent(message.value.body, { key, withData: false }, sealing.aes)).toMatchObject({
      ok: true,
      value: { data: '', timeMs: Date.parse('2020-07-05T18:24:52Z') },
    });
  });

  it('writes frames as the vectors are written', () => {
    const receiver = new TestReceiver();
    receiver.send(bytesOf(vectors.dc09[0] as Plain));
    expect(receiver.of('answer').map(({ bytes }) => written(bytes))).toEqual([vectors.dc09[0]?.answer]);
  });
});
