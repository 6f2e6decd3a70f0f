export { alarmQueueRouter } from './alarm-queue.ts';
export { alarmQueuePushRouter } from './push.ts';
export { alarmQueueStreamRouter } from './stream.ts';
export { alarmQueueWallRouter } from './wall.ts';
