/** A style sheet; the bundler collects it. */
declare module '*.css';
