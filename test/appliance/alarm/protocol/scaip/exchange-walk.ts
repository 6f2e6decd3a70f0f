import {
  decodeRequest,
  type Exchange,
  type ExchangeInput,
  type ExchangeState,
  initial,
  SCAIP_PROFILE,
  step,
} from '#appliance/alarm/protocol/scaip/index.ts';

type Arrived = Extract<ExchangeInput, { type: 'request' }>;

const CHECK = { policy: 'warn', result: 'ok' } as const;

function request(xml: string, to = 'way'): Arrived {
  const read = decodeRequest(`<mrq><ref>R1</ref><cid>123</cid><dty>0003</dty>${xml}</mrq>`);
  if (!read.ok) throw new Error(read.error.reason);
  return { type: 'request', at: 0, request: read.value, check: CHECK, to };
}

const emergency = {
  kind: 'emergency',
  destination: 'sip:help@arc.example',
  direction: 'duplex',
  via: { throughBridge: false },
} as const;

/** One input of every kind. */
export const INPUTS: Readonly<Record<string, ExchangeInput>> = {
  'first request': request(''),
  'other content': request('<mty>IN</mty><ite>more</ite>'),
  'part 1 of 2': request('<ame>1</ame>'),
  'part 2 of 2': request('<lco>021</lco><ame>0</ame>'),
  reset: request('<mty>RE</mty>'),
  cancel: request('<stc>0019</stc>'),
  'stored 0': { type: 'stored', at: 0, ordinal: 0 },
  'stored 1': { type: 'stored', at: 0, ordinal: 1 },
  'store failed 0': { type: 'storeFailed', at: 0, ordinal: 0 },
  'store failed 1': { type: 'storeFailed', at: 0, ordinal: 1 },
  'part stored': { type: 'partStored', at: 0, part: request('<ame>1</ame>').request.fingerprint },
  'part store failed': { type: 'partStoreFailed', at: 0, part: request('<ame>1</ame>').request.fingerprint },
  'decision drop': { type: 'decision', at: 0, decision: { kind: 'noVoice' } },
  'decision call': { type: 'decision', at: 0, decision: emergency },
  'decision not handled': { type: 'decision', at: 0, decision: { kind: 'notHandled', reason: 'none' } },
  'timer hold': { type: 'timer', at: 0, timer: 'hold' },
  'timer part': { type: 'timer', at: 0, timer: 'part' },
  'timer resend': { type: 'timer', at: 0, timer: 'resend' },
  'session ended': { type: 'sessionEnded', at: 0 },
  recovered: { type: 'recovered', at: 0 },
};

/** How each situation is reached. */
const PATHS = {
  new: [],
  collecting: ['part 1 of 2'],
  storing: ['first request'],
  asking: ['first request', 'stored 0'],
  'asking, held': ['first request', 'stored 0', 'timer hold'],
  'asking, held, decided': ['first request', 'stored 0', 'timer hold', 'decision call'],
  'asking, other content pending': ['first request', 'stored 0', 'other content'],
  answered: ['first request', 'stored 0', 'decision call'],
  'answered, other content pending': ['first request', 'stored 0', 'decision call', 'other content'],
  closed: ['first request', 'stored 0', 'decision drop'],
  'closed, never answered': ['first request', 'stored 0', 'timer hold', 'timer resend'],
} as const satisfies Record<string, readonly string[]>;

export type Situation = keyof typeof PATHS;
export const SITUATIONS = Object.keys(PATHS) as Situation[];

export function reach(situation: Situation): Exchange {
  let exchange = initial('123', 'R1', SCAIP_PROFILE);
  for (const name of PATHS[situation]) exchange = step(exchange, inputNamed(name)).state;
  return exchange;
}

export function inputNamed(name: string): ExchangeInput {
  const input = INPUTS[name];
  if (input === undefined) throw new Error(name);
  return input;
}

/** One cell: next state and what is done, in words short enough for a table. */
export function cell(exchange: Exchange, input: ExchangeInput): string {
  const { state, effects } = step(exchange, input);
  const done = effects
    .filter(({ type }) => type !== 'stopTimer' && type !== 'keep')
    .map((effect) => {
      if (effect.type === 'answer') return `snu ${effect.response.snu}${effect.response.mre ? ' voice' : ''}`;
      if (effect.type === 'event') return `${effect.kind} ${effect.ordinal}`;
      if (effect.type === 'startTimer') return `start ${effect.timer}`;
      if (effect.type === 'trace') return '-';
      return effect.type;
    });
  const next: ExchangeState = state.state;
  return `${next}: ${done.join(', ') || 'nothing'}`;
}
