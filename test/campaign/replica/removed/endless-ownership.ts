import { type Ownership, stepOwnership as step } from '#cloud/shard/ownership.ts';

export * from '#cloud/shard/ownership.ts';

/* The ownership of shards whose lease never runs out by the own clock: it ends when a row says so. */

export const isHeld = ({ held }: Ownership, sh: string): boolean => held.has(sh);

export const stepOwnership: typeof step = (state, input, hash) =>
  input.kind === 'due' ? { state, effects: [] } : step(state, input, hash);
