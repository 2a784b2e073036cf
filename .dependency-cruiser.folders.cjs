/** No two folders import each other, tests and types aside: such folders would be one module under two names. */
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-folder-circles',
      severity: 'error',
      comment: 'Two folders that import each other are one module under two names.',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...options, tsPreCompilationDeps: false, exclude: { path: '\\.test\\.tsx?$' } },
};
