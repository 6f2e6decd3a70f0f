import {
  messageCommandSchema,
  RUNTIME_OPERATIONS,
  type RuntimeOperation,
} from '#shared/contract/runtime/index.ts';
import { ok } from '#shared/result.ts';
import type { AnswerOperation } from './operation-route.ts';

/** A command of the command queue; `kind` is a level of its topic. */
export interface OperationCommand {
  readonly kind: string;
  readonly command: unknown;
  readonly token: string;
}

interface Asked {
  readonly operation: RuntimeOperation;
  readonly body: unknown;
}

/** Carries a command out as the operation of the same name; its answer is that of the HTTP listeners. */
export async function answerCommand(
  { kind, command, token }: OperationCommand,
  domain: string,
  operate: AnswerOperation,
): Promise<Readonly<Record<string, unknown>>> {
  const asked = kind === 'message' ? messageOf(command) : recordingOf(command);
  if (asked === undefined) {
    const reason = `this is no command of ${kind} that is known here; see /asyncapi.json`;
    return { success: false, reason, error: { code: 'invalid', path: '/method' } };
  }
  const { operation, body } = asked;
  const answer = await operate({ operation, domain, authorization: `Bearer ${token}`, body: () => ok(body) });
  return answer.body;
}

function messageOf(command: unknown): Asked | undefined {
  const read = messageCommandSchema.safeParse(command);
  if (!read.success) return undefined;
  const { method: _method, id: _id, ...body } = read.data;
  return { operation: 'message', body };
}

/** Commands of call recording: `method` names the operation. */
function recordingOf(command: unknown): Asked | undefined {
  if (typeof command !== 'object' || command === null || !('method' in command)) return undefined;
  const { id: _id, ...body } = command as { readonly id?: unknown; readonly method: unknown };
  const name = `callrecording.${String(body.method).toLowerCase()}`;
  const operation = RUNTIME_OPERATIONS.find((each) => each === name);
  return operation && { operation, body };
}
