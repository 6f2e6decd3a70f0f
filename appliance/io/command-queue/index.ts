export {
  CommandQueueBroker,
  type QueueCertificate,
  type QueueCommand,
  type QueueSetting,
} from './command-queue.ts';
