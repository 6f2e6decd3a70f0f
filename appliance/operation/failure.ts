import type { Failure } from '#shared/result.ts';

export type OperationCode =
  | 'invalid'
  | 'malformed'
  | 'replyIdInvalid'
  | 'commandNotSupported'
  | 'unauthorized'
  | 'forbidden'
  | 'personStatementInvalid'
  | 'personStatementsRefused'
  | 'noVoiceCall'
  | 'controlCommandsDisabled'
  | 'ownerUnreachable'
  | 'deviceSilent'
  | 'noReceiver'
  | 'noEventSender'
  | 'noRoute'
  | 'overloaded'
  | 'storeFailed'
  | 'idempotencyConflict'
  | 'messageRefused'
  | 'tooLarge'
  | 'sessionUnknown'
  | 'participantUnknown'
  | 'connectionUnknown'
  | 'conflict';

export type OperationFailure = Failure<OperationCode>;

/** HTTP status of each failure (decisions 1 and protocols 13). */
const STATUS: Readonly<Record<OperationCode, number>> = {
  invalid: 400,
  malformed: 400,
  replyIdInvalid: 400,
  commandNotSupported: 400,
  unauthorized: 401,
  forbidden: 403,
  personStatementInvalid: 401,
  personStatementsRefused: 403,
  noVoiceCall: 409,
  controlCommandsDisabled: 409,
  ownerUnreachable: 503,
  deviceSilent: 504,
  noReceiver: 404,
  noEventSender: 409,
  noRoute: 409,
  overloaded: 503,
  storeFailed: 503,
  idempotencyConflict: 409,
  messageRefused: 409,
  tooLarge: 413,
  sessionUnknown: 404,
  participantUnknown: 404,
  connectionUnknown: 404,
  conflict: 409,
};

export const statusOf = ({ code }: OperationFailure): number => STATUS[code];
