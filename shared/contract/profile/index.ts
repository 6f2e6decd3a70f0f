/** Public face of what a tenant's protocol profiles may hold. */
export {
  type CodeTableName,
  type CodeTableRow,
  codeSchema,
  EVENT_TABLES,
  type EventTableName,
  FIELD_TABLES,
  type FieldTableName,
} from './code.ts';
export {
  contentFault,
  mergeContent,
  type ProfileContent,
  type ProfileRoot,
  profileRoot,
  readContent,
} from './content.ts';
export { namedContent, namedRoot, type ProfileRows } from './layer.ts';
export { OFF_PROFILES, type ProfileUse, profileUseFault } from './use.ts';
