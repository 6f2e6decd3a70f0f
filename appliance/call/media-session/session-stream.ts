import { programStreamFault } from '#shared/contract/callback/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { ivrStream, ivrStreamEnded } from './ivr-link.ts';
import type { Draft } from './state/media-session.ts';
import type { Operation, OperationGain, Refusal, SessionInput } from './state/session-input.ts';

type Of<K extends Operation['kind']> = Extract<Operation, { readonly kind: K }>;
type Done = Result<OperationGain, Refusal>;

/** Chosen: more programs on one connection are a mistake. */
const MOST_STREAMS = 4;

const noConnection = (id: string): Done =>
  fail('connectionUnknown', `there is no connection ${id} in this session`, '/connectionId');

/** startstream: a program hears the connection, and may speak in it. */
export function startStream(d: Draft, { connection: id, target }: Of<'startStream'>): Done {
  const connection = d.connections.get(id);
  if (connection === undefined) return noConnection(id);
  const fault = programStreamFault(target);
  if (fault !== undefined) return fail('invalid', fault.reason, `/streamTarget${fault.path}`);
  if (target.channels?.includes('outbound') === true && connection.kind !== 'pair')
    return fail(
      'invalid',
      'the connection has no outbound side; name inbound or mixed',
      '/streamTarget/channels',
    );
  const streams = connection.streams ?? [];
  if (streams.length >= MOST_STREAMS)
    return fail('conflict', `the connection has ${MOST_STREAMS} streams already; end one of them first`);
  const stream = { id: d.newStream(), target };
  d.link({ ...connection, streams: [...streams, stream] });
  return ok({ streamId: stream.id });
}

export function stopStream(d: Draft, { connection: id, stream }: Of<'stopStream'>): Done {
  const connection = d.connections.get(id);
  if (connection === undefined) return noConnection(id);
  if (connection.kind === 'ivr' && ivrStream(connection) === stream) {
    ivrStreamEnded(d, connection.id);
    return ok({});
  }
  if (!isStreamed(connection.streams, stream))
    return fail('conflict', `no stream ${stream} of this connection is running`, '/streamId');
  forget(d, stream);
  return ok({});
}

/** A stream came to its end by itself. */
export function streamEnded(
  d: Draft,
  { stream, reason }: Extract<SessionInput, { readonly kind: 'streamEnded' }>,
): void {
  forget(d, stream);
  for (const connection of [...d.connections.values()])
    if (connection.kind === 'ivr' && ivrStream(connection) === stream)
      ivrStreamEnded(d, connection.id, reason);
}

function forget(d: Draft, stream: string): void {
  for (const connection of [...d.connections.values()])
    if (isStreamed(connection.streams, stream))
      d.link({ ...connection, streams: (connection.streams ?? []).filter(({ id }) => id !== stream) });
}

const isStreamed = (streams: readonly { readonly id: string }[] = [], stream: string): boolean =>
  streams.some(({ id }) => id === stream);
