/** The part of WebAssembly's interface that the gallery uses: the libraries that declare it whole declare a browser too. */
declare namespace WebAssembly {
  class Memory {
    constructor(limits: { initial: number; maximum: number; shared: true });
    /** Of a shared memory: views of an older buffer stay valid when it grows. */
    readonly buffer: SharedArrayBuffer;
    /** In pages of 64 KiB; returns the number before. */
    grow(pages: number): number;
  }
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  const Module: new (binary: Uint8Array<ArrayBuffer>) => Module;
  class Instance {
    constructor(module: Module, imports: { env: { memory: Memory } });
    readonly exports: Record<string, unknown>;
  }
  function validate(binary: Uint8Array<ArrayBuffer>): boolean;
}
