import { z } from '@hono/zod-openapi';
import {
  RECORDING_COMMAND_SCHEMAS,
  RECORDING_COMMANDS,
  type RecordingCommand,
} from '#shared/contract/runtime/index.ts';
import type { RuntimeRelay } from '../../site/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { addRelayedRoute } from './alarm-call.ts';

const SUMMARY: Readonly<Record<RecordingCommand, string>> = {
  startfilerecording: 'Record a recording session to a file',
  startstream: 'Stream a recording session to a WebSocket',
  stopfilerecording: 'End a file recording and keep the file',
  stopstream: 'End a stream',
  stopsession: 'End a recording session with all its recordings and streams',
  startsiprecforward: 'Forward a recording session to recording servers',
  stopsiprecforward: 'End a forwarded recording session',
  stoprecording: 'End a recording and keep the file',
  cancelrecording: 'Discard a running recording',
  deleterecording: 'Delete a recording from temporary storage',
  storerecording: 'Store a recording in a bucket, with the requested cuts and silenced parts',
};

const started = {
  schema: z
    .object({
      success: z.literal(true),
      streamId: z.string().meta({ description: 'The recording or stream' }),
    })
    .meta({ id: 'RecordingCommandStarted', description: 'The recording or stream has begun' }),
  description: 'The recording or stream has begun',
};

/** `/callrecording` (media document 4.3): handed to the host that holds the session or what it left. */
export const recordingCommandRouter =
  (relay: RuntimeRelay) =>
  (gate: Gate): Api => {
    const router = createRouter();
    for (const command of RECORDING_COMMANDS)
      addRelayedRoute(router, gate, relay, {
        operation: `callrecording.${command}`,
        schema: RECORDING_COMMAND_SCHEMAS[command],
        summary: SUMMARY[command],
        tag: 'Call recording',
        path: `/callrecording/{domain}/${command}`,
        ...(command.startsWith('start') && { answer: started }),
      });
    return router;
  };
