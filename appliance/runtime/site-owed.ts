import { stateAnswerSchema } from '#shared/contract/peer/index.ts';
import type { Member } from '../peer/index.ts';
import type { PeerPorts } from './peer-port.ts';

const IDS = 500;
const WITHIN_MS = 10_000;
/** What is younger is most likely under way, and its host says by itself when it is done. */
const YOUNG_MS = 30_000;

/**
 * Asks a host about rows of its own of which we keep a copy and have not heard that anybody has them: it may have said so
 * while we did not hear it. What is over is let go, so that a take-over delivers nothing again, retention ends the copy and
 * an erasure waits for nobody. What the host itself does not know stays, for its disk may be a new one.
 */
export async function askAboutCopies(
  { self, journal, clock, call }: Pick<PeerPorts, 'self' | 'journal' | 'clock' | 'call'>,
  members: readonly Member[],
  of: string,
): Promise<void> {
  const member = members.find(({ uid }) => uid === of);
  if (member === undefined || of === self) return;
  const beforeMs = clock.wallMs() - YOUNG_MS;
  for (let afterSeq = 0; ; ) {
    const rows = journal.owedCopies(of, afterSeq, beforeMs, IDS);
    if (rows.length === 0) return;
    const held = rows.map(({ id }) => id);
    const said = await call(member, 'state', { v: 1, from: self, ids: [], held }, WITHIN_MS);
    const over = stateAnswerSchema.safeParse(said).data?.over;
    if (over === undefined) return;
    const ours = new Set(held);
    const known = over.filter((id) => ours.has(id));
    if (known.length > 0)
      await journal.commit(known.map((id) => ({ kind: 'peerDone', origin: of, id }) as const));
    if (rows.length < IDS) return;
    afterSeq = rows.at(-1)?.seq ?? afterSeq;
  }
}
