// The package asks for it at once.
import 'reflect-metadata';

/** Making of requests and certificates; loaded when one is made, which is not at every start. */
export * from '@peculiar/x509';
