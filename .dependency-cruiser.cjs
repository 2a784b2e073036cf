/**
 * The arrows between the folders, one small map with reasons:
 *   contracts <- domain <- { storage | vision | gallery } <- api <- service <- electron;  renderer -> contracts only.
 */
const never = (name, comment, from, to) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: to },
});

module.exports = {
  forbidden: [
    never(
      'contracts-stand-alone',
      'Every world reads the contracts, so they may need none of them.',
      '^core/contracts/',
      '^(core/(?!contracts/)|electron/|renderer/|node:)',
    ),
    {
      name: 'contracts-need-only-zod',
      severity: 'error',
      comment: 'A contract that pulls in a library pulls it into the browser too.',
      from: { path: '^core/contracts/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: 'node_modules/zod/' },
    },
    never(
      'domain-knows-no-io',
      'The rules are tested without a disk, a database, a model or a socket.',
      '^core/domain/(?!.*\\.test\\.ts$)',
      '^(core/(storage|vision|gallery|api|cli|service|main)|electron/|renderer/)',
    ),
    {
      name: 'domain-needs-no-platform',
      severity: 'error',
      comment: 'I/O arrives through ports.ts.',
      from: { path: '^core/domain/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core', 'npm'], pathNot: 'node_modules/zod/|^(node:)?crypto$' },
    },
    never(
      'storage-alone',
      'Storage, vision and gallery implement ports; service.ts wires them.',
      '^core/storage/',
      '^core/(vision|gallery|api|cli|service|main)',
    ),
    never(
      'vision-alone',
      'Storage, vision and gallery implement ports; service.ts wires them.',
      '^core/vision/',
      '^core/(storage|gallery|api|cli|service|main)',
    ),
    never(
      'gallery-alone',
      'Storage, vision and gallery implement ports; service.ts wires them.',
      '^core/gallery/',
      '^core/(storage|vision|api|cli|service|main)',
    ),
    never(
      'reports-alone',
      'A report is made of what it is told; it looks at nothing itself.',
      '^core/reports/',
      '^core/(storage|vision|gallery|api|cli|service|main)',
    ),
    never(
      'api-through-domain',
      'Routes speak to the domain; only service.ts knows what stands behind its ports.',
      '^core/api/(?!.*\\.test\\.ts$)',
      '^core/(storage|vision|gallery|reports|cli|service|main)',
    ),
    never(
      'renderer-only-contracts',
      'The dashboard knows the service by its wire shapes alone.',
      '^renderer/',
      '^(core/(?!contracts/)|electron/)',
    ),
    never(
      'core-without-window',
      'The service must run where no Electron is.',
      '^core/',
      '^(electron/|renderer/)',
    ),
    {
      name: 'electron-only-in-shell',
      severity: 'error',
      comment: "The only folder that imports 'electron'.",
      from: { pathNot: '^electron/' },
      to: { path: '(^|node_modules/)electron(-store)?(/|$)' },
    },
    never(
      'product-without-tests',
      'What ships imports nothing of what measures or tests it.',
      '^(core|electron|renderer)/(?!.*\\.test\\.tsx?$)',
      '^(test|bench)/|\\.test\\.tsx?$',
    ),
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'A circle has no bottom to start reading from.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'An import that resolves to nothing is checked by no rule.',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
