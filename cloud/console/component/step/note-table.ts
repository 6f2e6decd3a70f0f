import type { MessageDescriptor } from '@lingui/core';

/**
 * Words for the notes of hosts, by the sentence of the host. `…` stands for what the host puts in; the words get these values in
 * their order.
 */
export type NoteTable = Readonly<
  Record<string, MessageDescriptor | ((...values: string[]) => MessageDescriptor)>
>;
