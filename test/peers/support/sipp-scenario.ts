/**
 * Scenarios of calls for SIPp, written in steps. A step is a piece of SIPp's XML; `scenario` joins them.
 *
 *   caller: `invite`, `hear`, `ack`, `ask` …        callee: `take`, `reply`, `demand` …
 *
 * Fields of a call (`-inf`): 0 who calls, 1 who is called, 2 SIPp's authentication keyword.
 */
export type Step = string;

export interface Part {
  /** A description: PCMA at SIPp's media port, with this direction. */
  readonly sdp?: true | 'sendonly' | 'recvonly';
  readonly headers?: readonly string[];
  /** A body of another kind: its type and its lines. */
  readonly body?: { readonly type: string; readonly lines: readonly string[] };
}

export interface HearOptions {
  readonly optional?: boolean;
  /** XML of further actions. */
  readonly action?: string;
  /** Gives up after this, ms. */
  readonly withinMs?: number;
  readonly auth?: boolean;
}

export const scenario = (name: string, ...steps: readonly (Step | readonly Step[])[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<scenario name="${name}">\n${steps.flat().join('\n')}\n</scenario>\n`;

const SDP = [
  'v=0',
  'o=sipp 1 [call_number] IN IP[local_ip_type] [media_ip]',
  's=-',
  'c=IN IP[media_ip_type] [media_ip]',
  't=0 0',
  'm=audio [media_port] RTP/AVP 8 101',
  'a=rtpmap:8 PCMA/8000',
  'a=rtpmap:101 telephone-event/8000',
  'a=ptime:20',
];
const VIA = 'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch];rport';
const CONTACT = 'Contact: <sip:sipp@[local_ip]:[local_port];transport=[transport]>';

function message(lines: readonly string[], { sdp, headers = [], body: other }: Part): string {
  const described = sdp === undefined ? [] : [...SDP, ...(sdp === true ? [] : [`a=${sdp}`])];
  const body = other?.lines ?? described;
  const type = other?.type ?? (sdp === undefined ? undefined : 'application/sdp');
  const typed =
    type === undefined ? ['Content-Length: 0'] : [`Content-Type: ${type}`, 'Content-Length: [len]'];
  return `<![CDATA[\n${[...lines, ...headers, ...typed, '', ...body].join('\n')}\n]]>`;
}

const send = (text: string, again: boolean): Step => `<send${again ? ' retrans="500"' : ''}>${text}</send>`;

// ---- the caller

const CALLER = 'From: <sip:[field0]@[domain]>;tag=[pid]x[call_number]';
const CALLEE = 'To: <sip:[field1]@[domain]>';

/** A request of the caller; in the dialog unless it is the first INVITE. */
const request = (method: string, cseq: number, part: Part, inDialog: boolean, via = VIA): string =>
  message(
    [
      inDialog ? `${method} [next_url] SIP/2.0` : `${method} sip:[field1]@[domain] SIP/2.0`,
      via,
      ...(inDialog ? ['[routes]'] : []),
      'Max-Forwards: 70',
      CALLER,
      CALLEE + (inDialog ? '[peer_tag_param]' : ''),
      'Call-ID: [call_id]',
      `CSeq: ${cseq} ${method}`,
      CONTACT,
    ],
    part,
  );

export const invite = (part: Part = { sdp: true }, cseq = 1): Step =>
  send(request('INVITE', cseq, part, false), true);

/** The INVITE of so many steps ago comes a second time, as if by the network. */
export const inviteAgain = (stepsAgo: number, part: Part = { sdp: true }, cseq = 1): Step =>
  send(request('INVITE', cseq, part, false, VIA.replace('[branch]', `[branch-${stepsAgo}]`)), false);

/** A request in the dialog. */
export const ask = (method: string, cseq: number, part: Part = {}): Step =>
  send(request(method, cseq, part, true), true);

/** ACK to a 2xx. */
export const ack = (cseq = 1, part: Part = {}): Step => send(request('ACK', cseq, part, true), false);

/** Requests that go hop by hop with the INVITE: its CANCEL and the ACK to a refusal, with its Via and its Request-URI. */
export const hop = (method: 'CANCEL' | 'ACK', cseq = 1): Step =>
  send(
    message(
      [
        `${method} sip:[field1]@[domain] SIP/2.0`,
        '[last_Via:]',
        'Max-Forwards: 70',
        CALLER,
        method === 'ACK' ? '[last_To:]' : CALLEE,
        'Call-ID: [call_id]',
        `CSeq: ${cseq} ${method}`,
      ],
      {},
    ),
    method === 'CANCEL',
  );

export const hear = (status: number, { optional, action = '', withinMs, auth }: HearOptions = {}): Step =>
  `<recv response="${status}" rrs="true"${optional === true ? ' optional="true"' : ''}${
    auth === true ? ' auth="true"' : ''
  }${withinMs === undefined ? '' : ` timeout="${withinMs}"`}>${actions(action)}</recv>`;

/** 100 may come or not. */
export const trying: Step = '<recv response="100" optional="true"/>';

// ---- the callee

/** Takes the first INVITE and keeps what its own requests and late answers need. */
export const called = (action = ''): Step =>
  `<recv request="INVITE" rrs="true">${actions(keep('remote', 'From') + keep('local', 'To') + kept + action)}</recv>
  <Reference variables="remote,local,via,from,to,cseq"/>`;

const keep = (name: string, header: string): string =>
  `<ereg regexp=".*" search_in="hdr" header="${header}:" assign_to="${name}"/>`;

/** As an action: `reply` with `kept` answers this request. */
export const kept = keep('via', 'Via') + keep('from', 'From') + keep('to', 'To') + keep('cseq', 'CSeq');

export const take = (method: string, { optional, action = '', withinMs }: HearOptions = {}): Step =>
  `<recv request="${method}" rrs="true"${optional === true ? ' optional="true"' : ''}${
    withinMs === undefined ? '' : ` timeout="${withinMs}"`
  }>${actions(action)}</recv>`;

export interface Answer extends Part {
  readonly reason?: string;
  /** Tag of To; null: none. */
  readonly tag?: string | null;
  /** Repeats it until the next step happens, as a 2xx to INVITE must be. */
  readonly again?: boolean;
  /** Answers the INVITE that was kept instead of what came last. */
  readonly kept?: boolean;
}

/** Answers what came last. */
export function reply(status: number, answer: Answer = {}): Step {
  const { reason = 'Told', tag = 'b[call_number]', again = false, kept: late = false, ...part } = answer;
  const mark = tag === null ? '' : `;tag=${tag}`;
  const head = late
    ? ['Via:[$via]', 'From:[$from]', `To:[$to]${mark}`, '[last_Call-ID:]', 'CSeq:[$cseq]']
    : [
        '[last_Via:]',
        '[last_Record-Route:]',
        '[last_From:]',
        `[last_To:]${mark}`,
        '[last_Call-ID:]',
        '[last_CSeq:]',
      ];
  return send(message([`SIP/2.0 ${status} ${reason}`, ...head, CONTACT], part), again);
}

/** Answers a request in the dialog: its To has the tag already. */
export const settle = (status: number, answer: Omit<Answer, 'tag'> = {}): Step =>
  reply(status, { ...answer, tag: null });

/** A request of the callee in the dialog. */
export const demand = (method: string, cseq: number, part: Part = {}, again = method !== 'ACK'): Step =>
  send(
    message(
      [
        `${method} [next_url] SIP/2.0`,
        VIA,
        '[routes]',
        'Max-Forwards: 70',
        'From:[$local];tag=b[call_number]',
        'To:[$remote]',
        'Call-ID: [call_id]',
        `CSeq: ${cseq} ${method}`,
        CONTACT,
      ],
      part,
    ),
    again,
  );

/** The callee's ACK to a refusal of its own INVITE, with the Via of that INVITE. */
export const demandHop = (cseq: number): Step => demand('ACK', cseq, {}, false).replace(VIA, '[last_Via:]');

// ---- both

export const pause = (ms: number): Step => `<pause milliseconds="${ms}"/>`;

/** The header field must be there and match. */
export const has = (header: string, pattern: string, name: string): string =>
  `<ereg regexp="${pattern}" search_in="hdr" header="${header}:" check_it="true" assign_to="${name}"/>`;

/** Variables that are only checked. */
export const checked = (...names: readonly string[]): Step => `<Reference variables="${names.join(',')}"/>`;

const actions = (action: string): string => (action === '' ? '' : `<action>${action}</action>`);

// ---- what most calls have in common

export const rings: readonly Step[] = [invite(), trying, hear(180)];
export const talks: readonly Step[] = [...rings, hear(200), ack()];
export const hangsUp = (cseq = 2): readonly Step[] => [ask('BYE', cseq), hear(200)];
export const answers: readonly Step[] = [
  called(),
  reply(180),
  reply(200, { sdp: true, again: true }),
  take('ACK'),
];
export const isLeft: readonly Step[] = [take('BYE'), settle(200)];
