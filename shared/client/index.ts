export {
  type CallFailure,
  type Client,
  type ClientPort,
  createClient,
  type Fetch,
  type Input,
  type OperationName,
} from './client.ts';
export { OPERATIONS, type Operations } from './operation.codes.ts';
