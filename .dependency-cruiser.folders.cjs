/** No two folders import each other, tests aside: such folders would be one module under two names. */
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
  options: { ...options, exclude: { path: '\\.test\\.tsx?$' } },
};
