import type { Bench, BenchContext, BenchResult } from './support/bench.ts';
import { startChild } from './support/child-process.ts';
import { measureGenerator } from './support/generator.ts';
import { startKamailio } from './support/kamailio.ts';
import { inPlace } from './support/place.ts';
import { type Compared, sideBySide, type Windows, windowsOf } from './support/side-by-side.ts';
import { callsTo, startCalls, startLoad } from './support/start.ts';
import { worstDatagram } from './support/worst-datagram.ts';

/** Calls a second to each of the two. */
const PER_SECOND = 400;

/**
 * Row 4: a call that is answered, INVITE with an offer, 200 with an answer, ACK, BYE, 200. Ours keeps a dialog, agrees on
 * audio and writes a trace; the peer answers both requests from its transactions and knows nothing of the call. The peer
 * has no audio: the gate is on ours without audio, the figure with an open leg stands in the notes.
 */
export const callAnswer: Bench = { row: 4, name: 'call-answer', run };

async function run(context: BenchContext): Promise<BenchResult> {
  const { quick, say } = context;
  const most = await measureGenerator('call', quick ? 1_000 : 4_000);
  say(`the generator alone: ${most.toFixed(0)} calls/s`);
  const windows = windowsOf(quick);
  const bare = await compared('none', windows, context);
  say('now the runtime alone');
  const floor = await runtimeAlone(windows, context);
  say('now with media');
  const whole = await compared('whole', quick ? windows : { ...windows, repetitions: 5 }, context);
  return {
    figures: [
      {
        row: 4,
        what: 'processor time for a call answered with dialog and SDP, UDP; peer Kamailio, stateful reply',
        unit: 'µs',
        ours: bare.ours,
        peer: bare.peer,
        judged: bare.judged,
        gate: 1.5,
        ambition: 1.1,
        wanted: 'most',
      },
      bare.datagram.figure,
    ],
    notes: [
      ...bare.notes,
      bare.datagram.note,
      `a program in the same runtime that answers from the text alone, without parser, transactions, dialog, SDP or trace: ${floor.ours.toFixed(0)} µs, ${floor.judged.toFixed(2)} ×`,
      `generator alone ${most.toFixed(0)}/s, ${((200 * PER_SECOND) / most).toFixed(0)} % of it used`,
      `with a media leg opened, agreed and closed for each call: ${whole.ours.toFixed(0)} µs, ${whole.judged.toFixed(2)} × (${whole.notes[1]})`,
      'ours: endpoint, authenticator, routing, call desk, trace in the journal (synced); Kamailio: t_newtran and t_reply to INVITE and BYE, no dialog, no SDP',
    ],
  };
}

async function compared(
  media: 'none' | 'whole',
  windows: Windows,
  context: BenchContext,
): Promise<Compared & { readonly datagram: Awaited<ReturnType<typeof worstDatagram>> }> {
  const { say } = context;
  return await inPlace(async (place) => {
    const ours = await place.keep(startCalls({ folder: place.folder(), media }));
    const peer = await place.keep(startKamailio({ configuration: 'kamailio-call' }));
    const load = await place.keep(
      startLoad([
        { ...callsTo(ours.ready.port, 'bridge'), name: 'ours' },
        { ...callsTo(peer.port, 'bridge'), name: 'kamailio' },
      ]),
    );
    const found = await sideBySide(
      {
        load,
        perSecond: PER_SECOND,
        windows,
        ours: { pid: ours.pid, stream: 'ours' },
        peer: { pid: peer.pid, stream: 'kamailio', title: 'Kamailio' },
      },
      say,
    );
    const datagram = await worstDatagram(4, { ours, load, stream: 'ours', perSecond: PER_SECOND }, context);
    const { defects, logged } = await ours.ask('report');
    if (logged.length > 0) say(`ours says: ${logged.slice(0, 3).join('; ')}`);
    return { ...found, datagram, ...(defects > 0 && { judged: Number.POSITIVE_INFINITY }) };
  });
}

/** Cost of a call that is only received, answered and sent: the floor under every program on this runtime. */
async function runtimeAlone(windows: Windows, { say }: BenchContext): Promise<Compared> {
  return await inPlace(async (place) => {
    const file = new URL('./process/reflector.ts', import.meta.url);
    const alone = await place.keep(
      startChild<unknown, { port: number }, never, null>(file, { answers: true }),
    );
    const peer = await place.keep(startKamailio({ configuration: 'kamailio-call' }));
    const load = await place.keep(
      startLoad([
        { ...callsTo(alone.ready.port, 'bridge'), name: 'ours' },
        { ...callsTo(peer.port, 'bridge'), name: 'kamailio' },
      ]),
    );
    const who = {
      ours: { pid: alone.pid, stream: 'ours' },
      peer: { pid: peer.pid, stream: 'kamailio', title: 'Kamailio' },
    };
    const shorter = { ...windows, warmUpMs: Math.min(windows.warmUpMs, 10_000), repetitions: 3 };
    return await sideBySide({ load, perSecond: PER_SECOND, windows: shorter, ...who }, say);
  });
}
