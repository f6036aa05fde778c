/** The house, ground floor first. A room imports only floors below its own; rooms on one floor do not see each other. */
const floors = [
  ['base'],
  ['columnar', 'config'],
  ['expr'],
  ['catalog', 'functions'],
  ['logical', 'sources'],
  ['sql', 'physical'],
  ['distributed'],
  ['explain', 'cluster', 'planfile'],
  ['session'],
  ['cli'],
];

const upwardOrSideways = floors.flatMap((rooms, floor) =>
  rooms.map((room) => ({
    name: `floor-${floor}-${room}`,
    comment: `${room}/ may import only the floors below it: ${floors.slice(0, floor).flat().join(', ') || 'none'}`,
    severity: 'error',
    from: { path: `^src/${room}/` },
    to: { path: '^src/', pathNot: `^src/(${[room, ...floors.slice(0, floor).flat()].join('|')})/` },
  })),
);

/** `path` may be imported only inside `room`. */
const door = (name, room, path) => ({
  name: `door-${name}`,
  comment: `only src/${room}/ imports ${name}`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/${room}/` },
  to: { path },
});

export default {
  forbidden: [
    ...upwardOrSideways,
    door('apache-arrow', 'columnar', 'node_modules/apache-arrow/'),
    door('sqlparser', 'sql/parser', '(^|/)dist/vendor/sqlparser|sqlparser-ts'),
    door('commander', 'cli', 'node_modules/(commander|log-update)/'),
    door('chalk-and-tables', '(cli|explain)', 'node_modules/(chalk|cli-table3)/'),
    door(
      'processes-and-sockets',
      'cluster/transport',
      '^(node:)?(child_process|cluster|dgram|http|http2|https|net|tls|worker_threads)$',
    ),
    {
      name: 'operators-do-not-plan',
      comment: 'an operator states what it needs and what it gives; planning and rules read it, never the other way',
      severity: 'error',
      from: { path: '^src/physical/operators/' },
      to: { path: '^src/(logical/|physical/(planner|rules)/)' },
    },
    {
      name: 'parser-sees-only-base',
      comment: 'text → syntax tree needs no catalog, no types and no settings',
      severity: 'error',
      from: { path: '^src/sql/parser/' },
      to: { path: '^src/', pathNot: '^src/(base|sql/parser)/' },
    },
    {
      name: 'no-circular',
      comment: 'interfaces of one room may name each other; modules that run may not',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'could-not-resolve', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'outside-the-house',
      comment: 'every folder of src/ has a floor: add the room to the list above',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(${floors.flat().join('|')})/` },
      to: {},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'src/tsconfig.json' },
    exclude: { path: '^(dist/(src|test|bundle|lib)|src/columnar/kernels)/' },
    doNotFollow: { path: '(node_modules|dist/vendor)' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
