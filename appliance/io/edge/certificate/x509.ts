// The package asks for it at once.
import 'reflect-metadata';

/**
 * Making of requests and certificates; loaded when one is made, which is not at every start. By name, because the package is
 * CommonJS: a bundler learns its names when it runs, which is too late for a module of its own.
 */
export {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  PemConverter,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
