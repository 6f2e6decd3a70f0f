export { OPERATIONS, type Operations } from '../api.codes.ts';
export {
  ApiFailure,
  type Client,
  type ClientOptions,
  createClient,
  type Input,
  type OperationName,
} from './client.ts';
