/** The kinds of events that are published. */
export type QueueTopic = 'message' | 'alarm';
export type CommandKind = 'message' | 'callrecording';

const KINDS: readonly CommandKind[] = ['message', 'callrecording'];
const EVENTS: readonly QueueTopic[] = ['message', 'alarm'];

/** Names that can stand in a topic and in a log. */
export const CLIENT_ID = /^[A-Za-z0-9_.-]{1,64}$/;

const commandTopic = (domain: string, kind: CommandKind): string => `cmd/${domain}/${kind}`;
export const replyTopic = (domain: string, clientId: string): string => `cmd/${domain}/reply/${clientId}`;
export const eventTopic = (domain: string, topic: QueueTopic): string => `event/${domain}/${topic}`;

/** The kind of command that is published here; undefined: no client may publish here. */
export const commandAt = (domain: string, topic: string): CommandKind | undefined =>
  KINDS.find((kind) => commandTopic(domain, kind) === topic);

/** May this client read this topic? Filters with wildcards are no topics. */
export const mayRead = (domain: string, clientId: string, topic: string): boolean =>
  topic === replyTopic(domain, clientId) || EVENTS.some((event) => eventTopic(domain, event) === topic);
