/** A function of a compiled loop. It takes addresses and numbers, and gives a number or nothing. */
export type CompiledFunction = (...given: (number | boolean)[]) => number;

/**
 * Instantiates a compiled loop over a memory.
 * @param names the functions that the caller needs
 * @throws Error if the module does not export one of them: the file is older than its source
 */
export function instantiateOver<Name extends string>(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory | WebAssembly.Memory<ArrayBuffer>,
  names: readonly Name[],
): Record<Name, CompiledFunction> {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const functionOf = (name: Name) => {
    const exported = exports[name];
    if (!isFunction(exported))
      throw new Error(`The compiled module has no function ${name}: run \`npm run kernels\`.`);
    return [name, exported];
  };
  return Object.fromEntries(names.map(functionOf)) as Record<Name, CompiledFunction>;
}

function isFunction(value: unknown): value is CompiledFunction {
  return typeof value === 'function';
}
