/** The part of WebAssembly's interface that the product uses: the libraries that declare it whole declare a browser too. */
declare namespace WebAssembly {
  interface Memory<Buffer extends ArrayBuffer | SharedArrayBuffer = SharedArrayBuffer> {
    /** Of a shared memory: views of an older buffer stay valid when it grows. Of another one they become empty. */
    readonly buffer: Buffer;
    /** In pages of 64 KiB; returns the number before. */
    grow(pages: number): number;
  }
  const Memory: {
    new (limits: { initial: number; maximum: number; shared: true }): Memory;
    new (limits: { initial: number }): Memory<ArrayBuffer>;
  };
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  const Module: new (binary: Uint8Array<ArrayBuffer>) => Module;
  class Instance {
    constructor(module: Module, imports: Record<string, object>);
    readonly exports: Record<string, unknown>;
  }
  function validate(binary: Uint8Array<ArrayBuffer>): boolean;
}
