import type { Forward } from '#shared/contract/peer/index.ts';
import { RUNTIME_OPERATIONS } from '#shared/contract/runtime/index.ts';
import { ok } from '#shared/result.ts';
import type { AnswerOperation, OperationAnswer } from '../../operation/index.ts';
import type { Member } from '../peer/index.ts';

type Forwarded = Pick<Forward, 'operation' | 'domain' | 'authorization' | 'body'>;

export interface ForwardPorts {
  /** hostId of this host. */
  readonly self: () => string;
  /** Another host of the site by its hostId, and whether nothing was heard of it for 5 s. */
  readonly other: (hostId: string) => { readonly member: Member; readonly dead: boolean } | undefined;
  /** This session is in our hands, whoever began it. */
  readonly isHere: (sessionId: string) => boolean;
  /** Operations as this host does them, also in the name of one that is lost. */
  readonly operateAs: (hostId: string) => AnswerOperation;
  /** The other host does it; undefined: it does not answer. */
  readonly ask: (to: Member, request: Forwarded) => Promise<OperationAnswer | undefined>;
}

/**
 * Follow-ups of an application (control plane 9): whichever host of the site it reaches, the one that has the session does it.
 *
 *   replyId names us, or no one ─▶ here
 *   its session is in our hands ─▶ here, in the name of the host that began it
 *   another host, which is dead ─▶ 404 sessionLost
 *   another host                ─▶ there; 503 ownerUnreachable when it does not answer
 */
export const siteForward =
  ({ self, other, isHere, operateAs, ask }: ForwardPorts): AnswerOperation =>
  async (request) => {
    const own = self();
    const body = request.body();
    const said = body.ok ? ownerNamed(body.value) : undefined;
    const again = { ...request, body: () => body };
    if (said === undefined || said.host === own) return await operateAs(own)(again);
    if (isHere(said.session)) return await operateAs(said.host)(again);
    const owner = other(said.host);
    if (owner === undefined) return await operateAs(own)(again);
    if (owner.dead) {
      const reason = `session ${said.session} ran on host ${said.host}, which is lost`;
      return { status: 404, body: { success: false, reason, error: { code: 'sessionLost' } } };
    }
    const { operation, domain, authorization } = request;
    const asked = { operation, domain, authorization, body: body.ok ? body.value : undefined };
    return (await ask(owner.member, asked)) ?? (await operateAs(own)(again));
  };

/** Carries out here an operation that another host has forwarded, by the caller's own token; undefined: it cannot be read. */
export async function forwardedHere(
  asked: Forward | undefined,
  operate: AnswerOperation,
): Promise<OperationAnswer | undefined> {
  const operation = RUNTIME_OPERATIONS.find((each) => each === asked?.operation);
  if (asked === undefined || operation === undefined) return undefined;
  const { domain, authorization, body } = asked;
  return await operate({ operation, domain, authorization, body: () => ok(body) });
}

/** Host and session that a replyId names; the host that it names judges its signature. */
function ownerNamed(body: unknown): { readonly host: string; readonly session: string } | undefined {
  const replyId = typeof body === 'object' && body !== null && 'replyId' in body ? body.replyId : undefined;
  const payload = typeof replyId === 'string' ? replyId.split('.')[1] : undefined;
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const { host, session } = claims as { host?: unknown; session?: unknown };
    return typeof host === 'string' && typeof session === 'string' ? { host, session } : undefined;
  } catch {
    return undefined;
  }
}
