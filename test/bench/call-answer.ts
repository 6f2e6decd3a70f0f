import { type CallPeer, dialogPeer, mediaPeer, replyPeer } from './peer/call-peer.ts';
import type { Bench, BenchContext, BenchResult, Figure } from './support/bench.ts';
import { startChild } from './support/child-process.ts';
import { measureGenerator } from './support/generator.ts';
import { inPlace, type Place } from './support/place.ts';
import { type Compared, sideBySide, type Windows, windowsOf } from './support/side-by-side.ts';
import { callsTo, startCalls, startLoad } from './support/start.ts';
import { worstDatagram } from './support/worst-datagram.ts';

/** Calls a second to each of the two. */
const PER_SECOND = 400;
/** Calls with audio cost two to three times as much. */
const WITH_MEDIA_PER_SECOND = 200;

/**
 * Row 4: a call that is answered, INVITE with an offer, 200 with an answer, ACK, BYE, 200. Ours keeps a dialog, agrees on audio and
 * writes what happened to the disk; so does the peer, with a database. A peer that answers both requests from its transactions
 * and knows nothing of the call shows the distance to the limit, and one with rtpengine what audio adds.
 */
export const callAnswer: Bench = { row: 4, name: 'call-answer', run };

async function run(context: BenchContext): Promise<BenchResult> {
  const { quick, say } = context;
  const most = await measureGenerator('call', quick ? 1_000 : 4_000);
  say(`the generator alone: ${most.toFixed(0)} calls/s`);
  const windows = windowsOf(quick);
  const shorter = { ...windows, repetitions: Math.min(windows.repetitions, 5) };
  const same = await compared('none', dialogPeer, windows, context);
  say('now a peer that only replies');
  const bare = await compared('none', replyPeer, shorter, context);
  say('now the runtime alone');
  const floor = await runtimeAlone(windows, context);
  say('now with media');
  const whole = await compared('whole', mediaPeer, shorter, context);
  const figure = (row: string, what: string, found: Compared, gate: number, ambition: number): Figure => ({
    row,
    what,
    unit: 'µs',
    ours: found.ours,
    peer: found.peer,
    judged: found.judged,
    spread: found.spread,
    gate,
    ambition,
    wanted: 'most',
  });
  return {
    figures: [
      figure(
        '4',
        'processor time for a call answered with dialog, SDP and a synced record; peer Kamailio with dialog and one synced row, PostgreSQL counted in',
        same,
        1.5,
        0.8,
      ),
      figure('4r', 'the same; peer Kamailio, stateful reply', bare, 2.5, 1.5),
      figure(
        '4r',
        'processor time for a call answered with a media leg; peer Kamailio and rtpengine (offer, answer, delete)',
        whole,
        2,
        1.2,
      ),
      same.datagram.figure,
    ],
    notes: [
      ...same.notes,
      same.datagram.note,
      `a program in the same runtime that answers from the text alone, without parser, transactions, dialog, SDP or trace: ${floor.ours.toFixed(0)} µs, ${floor.judged.toFixed(2)} × of Kamailio that only replies`,
      `generator alone ${most.toFixed(0)}/s, ${((200 * PER_SECOND) / most).toFixed(0)} % of it used`,
      `beside the reply: ${bare.notes[1]}`,
      `with media: ${whole.notes.slice(0, 2).join('; ')}; the peer passes the call on to a telephone that is not counted, since its module answers a reply only`,
      'ours: endpoint, authenticator, routing, call control, trace in the journal (synced)',
    ],
  };
}

async function compared(
  media: 'none' | 'whole',
  openPeer: (place: Place) => Promise<CallPeer>,
  windows: Windows,
  context: BenchContext,
): Promise<Compared & { readonly datagram: Awaited<ReturnType<typeof worstDatagram>> }> {
  const { say } = context;
  const perSecond = media === 'none' ? PER_SECOND : WITH_MEDIA_PER_SECOND;
  return await inPlace(async (place) => {
    const ours = await place.keep(startCalls({ folder: place.folder(), media }));
    const peer = await openPeer(place);
    const load = await place.keep(
      startLoad([
        { ...callsTo(ours.ready.port, 'bridge'), name: 'ours' },
        { ...callsTo(peer.port, 'bridge'), name: 'kamailio' },
      ]),
    );
    const found = await sideBySide(
      {
        load,
        perSecond,
        windows,
        ours: { pid: ours.pid, stream: 'ours' },
        peer: { pids: peer.pids, stream: 'kamailio', title: peer.title },
      },
      say,
    );
    const datagram = await worstDatagram(4, { ours, load, stream: 'ours', perSecond }, context);
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
    const peer = await replyPeer(place);
    const load = await place.keep(
      startLoad([
        { ...callsTo(alone.ready.port, 'bridge'), name: 'ours' },
        { ...callsTo(peer.port, 'bridge'), name: 'kamailio' },
      ]),
    );
    const who = {
      ours: { pid: alone.pid, stream: 'ours' },
      peer: { pids: peer.pids, stream: 'kamailio', title: peer.title },
    };
    const shorter = { ...windows, warmUpMs: Math.min(windows.warmUpMs, 10_000), repetitions: 3 };
    return await sideBySide({ load, perSecond: PER_SECOND, windows: shorter, ...who }, say);
  });
}
