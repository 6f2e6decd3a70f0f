import {
  type FeedAnswer,
  type FeedAsk,
  feedAnswerSchema,
  feedAskSchema,
  forwardAnswerSchema,
  forwardSchema,
  type RecordingAsk,
  type RecordingPart,
  recordingAskSchema,
} from '#shared/contract/peer/index.ts';
import type { AnswerOperation, OperationAnswer } from '../../../operation/index.ts';
import type { Member, SiteView } from '../../peer/index.ts';
import { type ForwardPorts, forwardedHere } from '../site-forward.ts';
import type { PeerPorts } from './peer-port.ts';
import type { SitePeers } from './site-peers.ts';

const FORWARD_MS = 16_000;
/** The other one waits for the cloud in our place. */
const FEED_MS = 25_000;

export interface PeerRequestPorts {
  readonly link: Pick<SitePeers, 'answer'>;
  /** Operations as this host does them. */
  readonly operate: AnswerOperation;
  /** Signed bytes for another host that has no WAN, by its uid. */
  readonly feed: (uid: string, ask: FeedAsk) => Promise<unknown>;
  /** A part of a recording of this host. */
  readonly recordingPart: (ask: RecordingAsk) => Promise<RecordingPart | undefined>;
}

/** The answer to a request of another host, whose key stands for the uid `from`; undefined: it is not to be answered. */
export async function answerPeer(
  { link, operate, feed, recordingPart }: PeerRequestPorts,
  path: string,
  from: string,
  body: unknown,
): Promise<unknown> {
  switch (path) {
    case 'hello':
    case 'copy':
    case 'state':
      return await link.answer(path, from, body);
    case 'operation':
      return await forwardedHere(forwardSchema.safeParse(body).data, operate);
    case 'feed': {
      const ask = feedAskSchema.safeParse(body).data;
      return ask === undefined ? undefined : await feed(from, ask);
    }
    case 'recording': {
      const ask = recordingAskSchema.safeParse(body).data;
      return ask && (await recordingPart(ask));
    }
    default:
      return undefined;
  }
}

/** Asks the others that answer, one after the other, for signed bytes of the configuration; undefined: none has them. */
export async function askPeers(
  ask: FeedAsk,
  {
    members,
    view,
    call,
  }: Pick<PeerPorts, 'call'> & {
    readonly members: readonly Member[];
    readonly view: Pick<SiteView, 'links'>;
  },
): Promise<FeedAnswer | undefined> {
  for (const member of members) {
    if (view.links[member.uid]?.at !== 'up') continue;
    const answer = feedAnswerSchema.safeParse(await call(member, 'feed', ask, FEED_MS)).data;
    if (answer?.text !== undefined || answer?.notModified === true) return answer;
  }
  return undefined;
}

/** Lets another host carry out an operation; undefined: it does not answer. */
export const forwardBy =
  (self: string, call: PeerPorts['call']): ForwardPorts['ask'] =>
  async (to, request) => {
    const there = await call(to, 'operation', { v: 1, from: self, ...request }, FORWARD_MS);
    // The same program on another host of the site made the answer: the shape is ours.
    return forwardAnswerSchema.safeParse(there).data as OperationAnswer | undefined;
  };
