export {
  DOCUMENTATION_POLICY,
  type DocumentationAnswer,
  type DocumentationFiles,
  documentationAnswer,
} from './answer.ts';
export { keptDocumentation, type UnpackPort } from './kept.ts';
export { type PackedName, unpackedDocumentation } from './packed.ts';
