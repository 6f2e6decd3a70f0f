/**
 * The answer that RFC 4475 asks of an endpoint for each of its messages, by the name of the file. `final`: any final status
 * but 400, since whose call it is does not matter. `none`: a response, or a request that nothing may be sent back for.
 */
export type TortureAnswer = 'final' | 'none' | readonly number[];

export const TORTURE: Readonly<Record<string, TortureAnswer>> = {
  // 3.1.1: valid messages
  wsinv: 'final',
  intmeth: [501, 405],
  esc01: 'final',
  escnull: 'final',
  esc02: [501, 405],
  lwsdisp: 'final',
  longreq: 'final',
  dblreq: 'final',
  semiuri: 'final',
  transports: 'final',
  mpart01: 'final',
  unreason: 'none',
  noreason: 'none',
  // 3.1.2: invalid messages
  badinv01: [400],
  clerr: [400],
  ncl: [400],
  scalar02: [400],
  scalarlg: 'none',
  quotbal: [400],
  ltgtruri: [400],
  lwsruri: [400],
  lwsstart: [400],
  trws: [400],
  escruri: [400],
  // The RFC lets an element read a Date that it does not use.
  baddate: 'final',
  regbadct: [400],
  badaspec: [400],
  baddn: [400],
  badvers: [505],
  mismatch01: [400],
  mismatch02: [400, 501],
  bigcode: 'none',
  // 3.2: transaction layer
  badbranch: 'final',
  // 3.3: application layer
  insuf: [400],
  unkscm: [416],
  novelsc: [416],
  unksm2: 'final',
  bext01: [420],
  invut: [415],
  regaut01: 'final',
  multi01: [400],
  mcl01: [400],
  bcast: 'none',
  zeromf: [483, 200],
  cparam01: 'final',
  cparam02: 'final',
  regescrt: 'final',
  sdp01: [406, 488, 400, 404],
  // 3.4: backward compatibility
  inv2543: 'final',
};

/** Over a stream these are unfinished: RFC 4475 3.1.2.2 lets the receiver wait, and the copies of `baddn` lack the blank line. */
export const UNFINISHED: ReadonlySet<string> = new Set(['clerr', 'baddn']);
