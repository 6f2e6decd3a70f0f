export { OPERATIONS, type Operations } from '../contract/api.codes.ts';
export {
  ApiFailure,
  type Client,
  type ClientOptions,
  createClient,
  type Input,
  type OperationName,
} from './client.ts';
