/** Public face of what a tenant's protocol profiles may hold. */
export {
  contentFault,
  mergeContent,
  type ProfileContent,
  type ProfileRoot,
  profileRoot,
  readContent,
} from './content.ts';
