import { invalid } from '#shared/contract/invalid.ts';
import {
  type HandshakeEntry,
  type HandshakeQuery,
  handshakeQuerySchema,
} from '#shared/contract/runtime/index.ts';
import { ok, type Result } from '#shared/result.ts';
import type { OperationFailure } from './failure.ts';

/** Statistics of this host. */
export interface KnownHandshakes {
  readonly list: (query: HandshakeQuery) => readonly HandshakeEntry[];
}

/** alarmbridge/handshakes: how calls of tone devices began here, by device, number and trunk. */
export async function handshakes(
  ports: { readonly handshakes: KnownHandshakes },
  body: unknown,
): Promise<Result<{ readonly entries: readonly HandshakeEntry[] }, OperationFailure>> {
  const said = handshakeQuerySchema.safeParse(body);
  return said.success
    ? ok({ entries: ports.handshakes.list(said.data) })
    : { ok: false, error: invalid(said.error) };
}
