export {
  type Authority,
  type HostCertificate,
  type HostName,
  openAuthority,
  type ServerIdentity,
} from './authority.ts';
