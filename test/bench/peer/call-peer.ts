import { freePorts } from '#test/support/site-port.ts';
import { launch } from '../media/program.ts';
import type { CalleeReady } from '../process/callee.ts';
import { startChild } from '../support/child-process.ts';
import { startKamailio } from '../support/kamailio.ts';
import type { Place } from '../support/place.ts';
import { syncedDatabase, WORKERS } from './same-job.ts';

/** A program that calls come to, with everything that it needs for them. */
export interface CallPeer {
  readonly title: string;
  readonly port: number;
  readonly pids: readonly number[];
}

/** Dialog in memory, an answer to the offer, one synced row for each call. */
export async function dialogPeer(place: Place): Promise<CallPeer> {
  const database = await syncedDatabase(place);
  const words = { WORKERS: String(WORKERS), DATABASE: database.url };
  const peer = await place.keep(startKamailio({ configuration: '../peer/kamailio-dialog', words }));
  return {
    title: 'Kamailio with dialog + PostgreSQL',
    port: peer.port,
    pids: [peer.pid, database.pid],
  };
}

/** Its transactions answer, and it knows nothing of the call. */
export async function replyPeer(place: Place): Promise<CallPeer> {
  const peer = await place.keep(startKamailio({ configuration: 'kamailio-call' }));
  return { title: 'Kamailio, reply only', port: peer.port, pids: [peer.pid] };
}

const HOST = '127.0.0.1';
const MEDIA_PORTS = { from: 32_000, to: 37_999 };

/** A call to a telephone behind it, whose audio goes through rtpengine: offer, answer, delete. The telephone is not counted. */
export async function mediaPeer(place: Place): Promise<CallPeer> {
  const [control = 0] = await freePorts(HOST, 1);
  const folder = place.folder();
  const engine = await place.keep(
    launch(
      'rtpengine',
      [
        '--table=-1',
        `--interface=${HOST}`,
        `--listen-ng=${HOST}:${control}`,
        `--port-min=${MEDIA_PORTS.from}`,
        `--port-max=${MEDIA_PORTS.to}`,
        // Else a call holds its ports for half a minute after its end.
        '--delete-delay=0',
        '--log-level=2',
        '--log-stderr',
        '--foreground',
        '--config-file=none',
        `--pidfile=${folder}/pid`,
      ],
      {},
    ),
  );
  const called = await place.keep(
    startChild<unknown, CalleeReady, never, null>(new URL('../process/callee.ts', import.meta.url), {}),
  );
  const words = {
    WORKERS: '4',
    RTPENGINE: `udp:${HOST}:${control}`,
    CALLEE: `sip:callee@127.0.0.2:${called.ready.port}`,
  };
  const peer = await place.keep(startKamailio({ configuration: '../peer/kamailio-media', words }));
  return { title: 'Kamailio + rtpengine', port: peer.port, pids: [peer.pid, engine.pid] };
}
