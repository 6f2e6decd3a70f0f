import { parentPort, workerData } from 'node:worker_threads';
import { fail, ok } from '#shared/result.ts';
import type { WebRtcId, WebRtcOpening } from '../../media/webrtc/index.ts';
import { makeCertificate } from './certificate.ts';
import { Peer } from './peer.ts';
import type { WebRtcAnswer, WebRtcCommand, WebRtcReport, WebRtcThreadSetting } from './webrtc-message.ts';

/** Entry of the WebRTC thread: handshakes in JavaScript take milliseconds, which no media thread has. */
const port = parentPort;
if (port === null) throw new Error('webrtc-worker.ts runs as a worker thread only');
const setting = workerData as WebRtcThreadSetting;
const report = (message: WebRtcReport): void => port.postMessage(message);

const NO_CERTIFICATE = 'The peer names no certificate of its own (a=fingerprint).';
const certificate = makeCertificate();
/** Looking for a free port and taking it are two steps of the library: one after the other, or two take the same. */
let gathering: Promise<unknown> = Promise.resolve();
const peers = new Map<WebRtcId, Peer>();

async function open(opening: WebRtcOpening): Promise<WebRtcAnswer> {
  const { id, remote } = opening;
  if (peers.has(id)) return fail('Refused', `A WebRTC leg ${id} is open already.`);
  if (remote?.fingerprints.length === 0) return fail('Refused', NO_CERTIFICATE);
  const shown = await (opening.ownCertificate === true ? makeCertificate() : certificate);
  const peer = new Peer(opening, setting, shown, (event) => report({ kind: 'event', event }));
  peers.set(id, peer);
  try {
    const opened = gathering.then(() => peer.open());
    gathering = opened.catch(() => undefined);
    return ok(await opened);
  } catch (thrown) {
    peers.delete(id);
    await peer.close();
    return fail('Failed', `WebRTC leg ${id} could not be opened: ${String(thrown)}`);
  }
}

async function answerTo(command: WebRtcCommand): Promise<WebRtcAnswer> {
  switch (command.kind) {
    case 'open':
      return open(command.opening);
    case 'end':
      for (const peer of peers.values()) await peer.close();
      return ok(undefined);
    default: {
      const peer = peers.get(command.id);
      return peer === undefined
        ? fail('Unknown', `There is no WebRTC leg ${command.id}.`)
        : answerOf(peer, command);
    }
  }
}

type PeerCommand = Exclude<WebRtcCommand, { readonly kind: 'open' | 'end' }>;

async function answerOf(peer: Peer, command: PeerCommand): Promise<WebRtcAnswer> {
  if (command.kind === 'close') {
    peers.delete(command.id);
    return ok(await peer.close());
  }
  if (command.kind === 'candidate') peer.addCandidate(command.candidate);
  else if (command.remote.fingerprints.length === 0) return fail('Refused', NO_CERTIFICATE);
  else peer.accept(command.remote);
  return ok(undefined);
}

port.on('message', async ({ id, command }: { readonly id: number; readonly command: WebRtcCommand }) => {
  let answer: WebRtcAnswer;
  try {
    answer = await answerTo(command);
  } catch (thrown) {
    answer = fail('Failed', String(thrown));
  }
  report({ kind: 'answer', id, answer });
  if (command.kind === 'end') port.close();
});
