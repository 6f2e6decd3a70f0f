import type { RunningCalls } from '../../operation/index.ts';

/** What became of an operation. */
export type OperationOutcome = Awaited<NonNullable<ReturnType<RunningCalls['operate']>>>;
