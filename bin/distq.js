#!/usr/bin/env node
/* Old syntax only, so that an old Node can run this file and say what it lacks. */
var required = [20, 19];
var running = process.versions.node.split('.').map(Number);
if (running[0] < required[0] || (running[0] === required[0] && running[1] < required[1])) {
  process.stderr.write(
    'distq needs Node ' + required.join('.') + ' or newer; this is Node ' + process.versions.node + '.\n',
  );
  process.exitCode = 2;
} else {
  var main = new URL('../dist/bundle/js/main.js', import.meta.url);
  import(main.href).then(
    function (loaded) {
      return loaded.main(process.argv.slice(2));
    },
    function (error) {
      if (error && error.code === 'ERR_MODULE_NOT_FOUND' && error.url === main.href) {
        process.stderr.write('distq is not built: npm run build\n');
        process.exitCode = 1;
        return;
      }
      throw error;
    },
  );
}
