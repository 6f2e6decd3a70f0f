export { AlarmQueue, type AlarmQueuePort, type AskHost } from './alarm-queue.ts';
export { QueueFigures } from './queue-figures.ts';
export { type Push, type PushSender, QueuePush } from './queue-push.ts';
export { type QueueFollower, QueueStream } from './queue-stream.ts';
export { QueueWalls, type QueueWallsPort } from './queue-wall.ts';
export { followReplicas } from './replica-follower.ts';
