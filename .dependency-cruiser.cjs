/**
 * Which folder may import which, with the reason of each rule:
 *   contracts <- domain <- { storage | vision | signatures | gallery | reports | transfer | metrics | mosip | api } <- service <- { cli | electron };
 *   renderer -> contracts and uploader; uploader -> contracts only.
 */
const never = (name, comment, from, to) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: to },
});
/** As {@link never}, but the types of the store may be imported: they leave nothing in the compiled program. */
const neverButTypesOfStorage = (name, comment, from, to) => [
  never(name, comment, from, `(?!^core/storage/)(${to})`),
  {
    name,
    severity: 'error',
    comment,
    from: { path: from },
    to: { path: '^core/storage/', dependencyTypesNot: ['type-only'] },
  },
];

/** Folders that implement ports. */
const ADAPTERS = ['storage', 'vision', 'signatures', 'gallery', 'reports', 'transfer', 'metrics', 'mosip'];
/** Leaf folders that adapters share. */
const SHARED = ['platform', 'workers', 'decoding', 'encryption'];
/** Folders through which callers come in, and the composition root. */
const ENTRANCES = ['api', 'cli', 'service'];
const OUTSIDE_DOMAIN = [...ADAPTERS, ...ENTRANCES, ...SHARED].join('|');

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
    ...neverButTypesOfStorage(
      'domain-knows-no-io',
      'The rules are given the store, a model or a socket; of the store they know the types.',
      '^core/domain/(?!.*\\.test\\.ts$)',
      `^(core/(${OUTSIDE_DOMAIN})/|electron/|renderer/)`,
    ),
    {
      name: 'domain-needs-no-platform',
      severity: 'error',
      comment: 'I/O arrives through core/domain/ports.',
      from: { path: '^core/domain/', pathNot: '\\.test\\.ts$' },
      to: {
        dependencyTypes: ['core', 'npm'],
        pathNot: 'node_modules/zod/',
      },
    },
    never(
      'ports-name-no-capability',
      'A port is implemented elsewhere, so it names shapes and no rule.',
      '^core/domain/ports/',
      '^core/domain/(?!ports/|scores/|settings/)',
    ),
    ...ADAPTERS.flatMap((folder) =>
      (folder === 'storage' ? never : neverButTypesOfStorage)(
        `${folder}-alone`,
        'An adapter implements ports of the domain; the composition root connects it with the others.',
        `^core/${folder}/(?!.*\\.test\\.ts$)`,
        `^core/(${[...ADAPTERS, ...ENTRANCES].filter((other) => other !== folder).join('|')})/`,
      ),
    ),
    ...neverButTypesOfStorage(
      'api-through-domain',
      'A route calls the domain; only the composition root knows what implements its ports.',
      '^core/api/(?!.*\\.test\\.ts$)',
      `^core/(${[...ADAPTERS, ...ENTRANCES].filter((other) => other !== 'api').join('|')})/`,
    ),
    ...SHARED.map((folder) =>
      never(
        `${folder}-alone`,
        'Several folders share it, so it needs the contracts, ports and formats at most.',
        `^core/${folder}/(?!.*\\.test\\.ts$)`,
        `^core/(${[...ADAPTERS, ...ENTRANCES].join('|')})/`,
      ),
    ),
    never(
      'renderer-only-contracts',
      'The dashboard knows the service by its wire shapes, and shares the sending of a folder with the terminal.',
      '^renderer/',
      '^(core/(?!(contracts|uploader)/)|electron/)',
    ),
    never(
      'uploader-only-contracts',
      'The terminal and the browser share it, so its files, its network and its clock are ports.',
      '^core/uploader/(?!.*\\.test\\.ts$)',
      '^(core/(?!(contracts|uploader)/)|electron/|renderer/|node:)',
    ),
    {
      name: 'uploader-needs-no-platform',
      severity: 'error',
      comment:
        'A library or a module of Node in it would not load in the browser, or weigh on its first page.',
      from: { path: '^core/uploader/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'] },
    },
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
      to: { path: '(^electron$|node_modules/electron(-store)?/)' },
    },
    never(
      'window-outside-the-service',
      'The window starts the service and sends it requests; the service is another process.',
      '^electron/(?!.*\\.test\\.ts$)',
      '^core/(?!contracts/|platform/|cli/client/)|^renderer/',
    ),
    never(
      'product-without-tests',
      'What ships imports nothing of what measures or tests it.',
      '^(core|electron|renderer)/(?!.*\\.test\\.tsx?$)',
      '^(test|bench|research)/|\\.test\\.tsx?$',
    ),
    {
      name: 'networks-only-in-workers',
      severity: 'error',
      comment: 'Worker processes alone load the runtime of the networks. A start must not wait for it.',
      from: { path: '^core/service/' },
      to: { path: '(^|node_modules/)onnxruntime-node(/|$)', reachable: true },
    },
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'Two files that import each other cannot be read, tested or loaded one after the other.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
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
