import type { RunningCalls } from '../../operation/index.ts';

/** The result of an operation. */
export type OperationOutcome = Awaited<NonNullable<ReturnType<RunningCalls['operate']>>>;
