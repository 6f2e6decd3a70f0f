export { alarmQueueRouter } from './alarm-queue.ts';
export { alarmQueueStreamRouter } from './stream.ts';
export { alarmQueueWallRouter } from './wall.ts';
