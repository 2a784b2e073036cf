/** The file of the package that is an ES module; what it says of its types is true of this file, and not of its CommonJS one. */
declare module 'bidi-js/dist/bidi.mjs' {
  import type types from 'bidi-js';
  const bidiFactory: typeof types.default;
  export default bidiFactory;
}
