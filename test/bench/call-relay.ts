import type { CalleeReady } from './process/callee.ts';
import type { Bench, BenchContext, BenchResult } from './support/bench.ts';
import { startChild } from './support/child-process.ts';
import { startKamailio } from './support/kamailio.ts';
import { inPlace } from './support/place.ts';
import { sideBySide, windowsOf } from './support/side-by-side.ts';
import { callsTo, DOMAIN, startCalls, startLoad } from './support/start.ts';
import { worstDatagram } from './support/worst-datagram.ts';

/** Calls a second to each of the two. */
const PER_SECOND = 200;

/**
 * Row 5: a call between two telephones, all its signalling: INVITE, 180, 200, ACK, BYE, 200. Ours ends one call and makes
 * another (two dialogs, two descriptions, audio that would run through us); the peer passes every message on and has
 * itself written into the route.
 */
export const callRelay: Bench = { row: 5, name: 'call-relay', run };

async function run(context: BenchContext): Promise<BenchResult> {
  const { quick, say } = context;
  return await inPlace(async (place) => {
    const ours = await place.keep(startCalls({ folder: place.folder(), media: 'none', called: ['callee'] }));
    const peer = await place.keep(startKamailio({ configuration: 'kamailio-relay' }));
    const file = new URL('./process/callee.ts', import.meta.url);
    const registrar = { port: ours.ready.port, domain: DOMAIN, user: 'callee' };
    await place.keep(startChild<unknown, CalleeReady, never, null>(file, { registrar }));
    const called = await place.keep(startChild<unknown, CalleeReady, never, null>(file, {}));
    const load = await place.keep(
      startLoad([
        { ...callsTo(ours.ready.port, 'callee'), name: 'ours' },
        // The proxy goes by the Request-URI, which is the telephone's own address.
        { ...callsTo(peer.port, 'callee'), domain: `127.0.0.2:${called.ready.port}`, name: 'kamailio' },
      ]),
    );
    const found = await sideBySide(
      {
        load,
        perSecond: PER_SECOND,
        windows: windowsOf(quick),
        ours: { pid: ours.pid, stream: 'ours' },
        peer: { pids: [peer.pid], stream: 'kamailio', title: 'Kamailio' },
      },
      say,
    );
    const datagram = await worstDatagram(5, { ours, load, stream: 'ours', perSecond: PER_SECOND }, context);
    const { defects, logged } = await ours.ask('report');
    if (logged.length > 0) say(`ours says: ${logged.slice(0, 3).join('; ')}`);
    return {
      figures: [
        {
          row: 5,
          what: 'processor time for a call between two, both legs, signalling; peer Kamailio relay with Record-Route',
          unit: 'µs',
          ours: found.ours,
          peer: found.peer,
          spread: found.spread,
          judged: defects === 0 ? found.judged : Number.POSITIVE_INFINITY,
          gate: 3.5,
          ambition: 2.5,
          wanted: 'most',
        },
        datagram.figure,
      ],
      notes: [
        ...found.notes,
        datagram.note,
        'ours: back to back, legs without sockets, trace in the journal (synced); Kamailio: record_route, loose_route, t_relay',
      ],
    };
  });
}
