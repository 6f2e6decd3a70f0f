import { describe, expect, it } from 'vitest';
import { decodeContent } from '#appliance/alarm/protocol/dc09/index.ts';
import { encodeFrame } from '#appliance/alarm/protocol/framed-ip/index.ts';
import { fastestMs } from '../mutate.ts';
import { framed, TestReceiver } from './panel.ts';

/** Code and zone of each event of a frame, and its warnings. */
function received(body: string) {
  const receiver = new TestReceiver();
  const answers = receiver.send(framed(body)).map((answer) => answer.slice(8));
  const events = receiver
    .of('event')
    .map(({ source: { fields, warnings } }) => [
      `${fields.code ?? fields.event} ${fields.zone}`,
      ...warnings,
    ]);
  return { answers, events };
}

describe('a frame of several data fields', () => {
  it.each([
    ['SIA', '"SIA-DCS"0001L0#1234[#1234|NBA1][#1234|NFA2]', [['BA 1'], ['FA 2']]],
    ['Contact ID', '"ADM-CID"0001L0#1234[#1234|1131 01 015][#1234|3131 01 016]', [['131 015'], ['131 016']]],
    ['without #', '"SIA-DCS"0001L0#4711[4711|NBA1][4711|NFA2]', [['BA 1'], ['FA 2']]],
    ['without an account', '"SIA-DCS"0001L0#1234[|NBA1][|NFA2]', [['BA 1'], ['FA 2']]],
    ['extended data between', '"SIA-DCS"0001L0#1234[#1234|NBA1][Ihall][#1234|NFA2]', [['BA 1'], ['FA 2']]],
    [
      'no bracket between',
      '"SIA-DCS"0001L0#1234[#1234|NBA1[#1234|NFA2]',
      [
        ['BA 1', 'bracket'],
        ['FA 2', 'bracket'],
      ],
    ],
    ['one that is unreadable', '"SIA-DCS"0001L0#1234[#1234|???][#1234|NFA2]', [['FA 2', 'unreadData']]],
  ])('%s: each event that can be read is delivered', (_, body, events) => {
    const account = /#\w+/.exec(body)?.[0];
    expect(received(body)).toEqual({ answers: [`"ACK"0001L0${account}[]`], events });
  });

  it('keeps the data of each event, and the extended data', () => {
    const receiver = new TestReceiver();
    receiver.send(framed('"SIA-DCS"0001L0#1234[#1234|NBA1][Ihall][#1234|NFA2]'));
    expect(receiver.of('event').map(({ source }) => source.fields)).toMatchObject([
      { data: '#1234|NBA1', xdata: [{ id: 'I', text: 'hall' }] },
      { data: '#1234|NFA2', xdata: [{ id: 'I', text: 'hall' }] },
    ]);
  });

  it('is of either kind, whatever its token says', () => {
    expect(received('"ADM-CID"0001L0#1234[#1234|NBA1]').events).toEqual([['BA 1']]);
    expect(received('"SIA-DCS"0001L0#1234[#1234|1131 01 015]').events).toEqual([['131 015']]);
  });
});

describe('texts', () => {
  const textsOf = (body: Buffer) => {
    const receiver = new TestReceiver();
    receiver.send(encodeFrame(body));
    const { text, xdata } = (receiver.of('event')[0]?.source.fields ?? {}) as {
      text?: string;
      xdata?: { text: string }[];
    };
    return [text, ...(xdata ?? []).map((each) => each.text)];
  };
  const frame = (text: string, encoding: BufferEncoding) =>
    Buffer.from(`"SIA-DCS"0001L0#1234[#1234|NBA1^${text}^][I${text}]`, encoding);

  it.each(['Küche', 'Büro Straße', 'Æblehaven', 'Salle à manger'])(
    '%s is read in UTF-8 and Windows-1252',
    (text) => {
      expect(textsOf(frame(text, 'utf8'))).toEqual([text, text]);
      expect(textsOf(frame(text, 'latin1'))).toEqual([text, text]);
    },
  );

  it('beyond Windows-1252 are read in UTF-8', () => {
    expect(textsOf(frame('Кухня 厨房 🚪', 'utf8'))).toEqual(['Кухня 厨房 🚪', 'Кухня 厨房 🚪']);
  });

  it('are read in one frame of both kinds, each in its own', () => {
    const body = Buffer.concat([
      Buffer.from('"SIA-DCS"0001L0#1234[#1234|NBA1^Küche^]', 'latin1'),
      Buffer.from('[IKüche]', 'utf8'),
    ]);
    expect(textsOf(body)).toEqual(['Küche', 'Küche']);
  });

  it('that look like UTF-8 and are none are Windows-1252', () => {
    const body = Buffer.concat([
      Buffer.from('"SIA-DCS"0001L0#1234[#1234|NBA1^'),
      Buffer.from([0xe0, 0x80, 0x80, 0x80]),
      Buffer.from('^]'),
    ]);
    expect(textsOf(body)).toEqual(['à€€€']);
  });
});

describe('a field without its end', () => {
  const time = '_14:12:04,09-25-2026';
  it.each([
    ['data', '#1|NBA1', { data: '#1|NBA1', xdata: [] }],
    ['data before a time', `#1|NBA1${time}`, { data: '#1|NBA1', timeMs: Date.parse('2026-09-25T14:12:04Z') }],
    ['extended data', '#1|NBA1][Vabc', { data: '#1|NBA1', xdata: [{ id: 'V', text: 'abc' }] }],
    ['extended data before a time', `#1|NBA1][Vabc${time}`, { xdata: [{ id: 'V', text: 'abc' }] }],
  ])('%s: ends there, with a warning', (_, text, expected) => {
    expect(decodeContent(text)).toMatchObject({ ...expected, warnings: ['bracket'] });
  });

  it('takes a time without its sign, and blanks around it', () => {
    expect(decodeContent('#1|NBA1] 14:12:04,09-25-2026 ')).toMatchObject({
      timeMs: Date.parse('2026-09-25T14:12:04Z'),
      warnings: [],
    });
  });
});

it.each(['[', ']', '[#', '[#1|', '[|', '_', '|', '#', '['.repeat(9), '][V'])(
  '8 KiB of %s: at most 5 ms',
  (unit) => {
    const text = `#1234|NBA1]${unit.repeat(8000 / unit.length)}`;
    decodeContent(text);
    expect(fastestMs(() => decodeContent(text))).toBeLessThan(5);
  },
);
