export {
  type Authority,
  type AuthorityChain,
  createAuthorityChain,
  type HostCertificate,
  type HostName,
  openAuthority,
  type ServerIdentity,
} from './authority.ts';
