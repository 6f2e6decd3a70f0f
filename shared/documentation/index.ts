export { type DocumentationAnswer, type DocumentationFiles, documentationAnswer } from './answer.ts';
export { keptDocumentation, type UnpackPort } from './kept.ts';
export type { PackedName } from './packed.ts';
