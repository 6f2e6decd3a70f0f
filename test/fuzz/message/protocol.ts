import { bodyOf, type Draw, type Kind, type Message } from './damage.ts';
import { type Body, type Outcome, receiveLacs, receiveNowIp } from './receiver.ts';

/** A protocol with valid messages and the kinds of damage that only it knows. */
export interface Protocol {
  readonly message: (draw: Draw) => Message;
  readonly receive: (body: Body) => Outcome;
  readonly kinds: Readonly<Record<string, Kind>>;
  readonly unitOf: (message: Message) => string;
}

const digits = (count: number, { below }: Draw): string =>
  Array.from({ length: count }, () => below(10)).join('');
/** C, D, T, controller, unit, event, place, priority, status. */
const alarmDigits = (draw: Draw): string => `1100${digits(12, draw)}${draw.any(['004', '011', '101'])}20190`;
const textOf = ({ elements }: Message, tag: string): string =>
  elements.find(([name]) => name === tag)?.[1] ?? '';
const withText = (message: Message, tag: string, text: string): string =>
  bodyOf({ ...message, elements: message.elements.map((each) => (each[0] === tag ? [tag, text] : each)) });
/** Between each four digits of the data. */
const parted = (message: Message, between: () => string): string =>
  withText(message, 'data', (textOf(message, 'data').match(/.{1,4}/g) ?? []).join(between() || ' '));

export const NOWIP_KINDS: Readonly<Record<string, Kind>> = {
  'separators among the digits': (message, { any }) => ({
    body: parted(message, () => any([' ', '-', '.', ', ', ' / ', ':', '  ', '_', ';'])),
  }),
  'stray bytes among the digits': (message, { any, below }) => ({
    body: Buffer.from(
      parted(message, () => String.fromCharCode(any([58 + below(2), 65 + below(26), 160 + below(90)]))),
      'latin1',
    ),
  }),
  'digits doubled': (message) => ({ body: withText(message, 'data', textOf(message, 'data').repeat(2)) }),
  'type padded, lost or strange': (message, { any }) => ({
    body: withText(message, 'type', any(['01', '1.', ' 1 ', '"1"', '', '??', '1x1'])),
  }),
  'type doubled': ({ root, elements }, { any }) => ({
    body: bodyOf({ root, elements: [...elements, ['type', any(['0', '5', 'A', '2'])]] }),
  }),
  'alarm and its withdrawal': ({ root, elements }, { any }) => {
    const data = elements.find(([tag]) => tag === 'data')?.[1] ?? '';
    const quiet: [string, string] = ['data', `${data.slice(0, 16)}00020190`];
    return {
      body: bodyOf({
        root,
        elements: any([
          [...elements, quiet],
          [quiet, ...elements],
        ]),
      }),
    };
  },
  'too much data': (message) => ({
    body: withText(message, 'data', `${textOf(message, 'data')}${'7'.repeat(700)}`),
    expected: 'inPart',
  }),
};

export const LACS_KINDS: Readonly<Record<string, Kind>> = {
  'event code doubled': ({ root, elements }) => ({
    body: bodyOf({ root, elements: [...elements, ['event', 'F2']] }),
  }),
  'event code lost or strange': (message, { any }) => ({
    body: withText(message, 'event', any(['', '??', 'f1', '\u00e4'])),
    expected: 'inPart',
  }),
};

export const PROTOCOLS: Readonly<Record<string, Protocol>> = {
  'NOW-IP': {
    message: (draw) => ({
      root: 'ATM',
      elements: [
        ['version', '1'],
        ['type', '1'],
        ['data', `${alarmDigits(draw)}`],
        ['time', '2026-09-25T14:12:04Z'],
        ['mac', '00:11:22:33:44:55'],
      ],
      identity: 'data',
      other: alarmDigits(draw),
      mandatory: ['type', 'data'],
    }),
    receive: receiveNowIp,
    kinds: NOWIP_KINDS,
    unitOf: (message) => textOf(message, 'data').slice(4, 16),
  },
  LACS: {
    message: (draw) => ({
      root: 'alarm',
      elements: [
        ['controller', `C${digits(6, draw)}`],
        ['unit', `U${digits(3, draw)}`],
        ['event', 'F1'],
        ['ref', digits(4, draw)],
      ],
      identity: 'controller',
      other: `C${digits(7, draw)}`,
      mandatory: ['controller', 'unit', 'event'],
    }),
    receive: receiveLacs,
    kinds: LACS_KINDS,
    unitOf: (message) => textOf(message, 'controller') + textOf(message, 'unit'),
  },
};
