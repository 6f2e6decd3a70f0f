import { stateAnswerSchema } from '#shared/contract/peer/index.ts';
import type { Member } from '../../peer/index.ts';
import type { PeerPorts } from './peer-port.ts';

const IDS = 500;
const WITHIN_MS = 10_000;

/**
 * Asks a host about rows of its own of which we keep a copy, older than `youngMs`, and have not heard that anybody has them:
 * it may have said so while we did not hear it. Copies of rows that are over are let go, so that a take-over delivers nothing
 * again, retention ends the copy and an erasure has nothing to wait for.
 *
 * Resolves to the rows that it does not know: it died between our write and its own, and was back before anybody took it for
 * dead. We may have answered for these rows, and no other host has them.
 */
export async function askAboutCopies(
  { self, journal, clock, call }: Pick<PeerPorts, 'self' | 'journal' | 'clock' | 'call'>,
  of: Member,
  youngMs: number,
): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  const beforeMs = clock.wallMs() - youngMs;
  for (let afterSeq = 0; of.uid !== self; ) {
    const rows = journal.owedCopies(of.uid, afterSeq, beforeMs, IDS);
    if (rows.length === 0) break;
    const held = rows.map(({ id }) => id);
    const heldAt = rows.map(({ madeAt }) => madeAt);
    const said = await call(of, 'state', { v: 1, from: self, ids: [], held, heldAt }, WITHIN_MS);
    const answer = stateAnswerSchema.safeParse(said).data;
    if (answer?.over === undefined) break;
    const ours = new Set(held);
    const over = answer.over.filter((id) => ours.has(id));
    for (const id of answer.unknown ?? []) if (ours.has(id)) lost.add(id);
    if (over.length > 0)
      await journal.commit(over.map((id) => ({ kind: 'peerDone', origin: of.uid, id }) as const));
    if (rows.length < IDS) break;
    afterSeq = rows.at(-1)?.seq ?? afterSeq;
  }
  return lost;
}
