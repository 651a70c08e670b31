// vm.SourceTextModule and SyntheticModule, linked by hand.
const vm = require('node:vm');
(async () => {
  const synthetic = new vm.SyntheticModule(['x'], function () {
    this.setExport('x', 42);
  });
  const inner = new vm.SourceTextModule('export { x as z } from "x"; export const count = { value: 0 };');
  const outer = new vm.SourceTextModule(
    'import { x } from "x"; import * as inner from "inner"; export const y = x + inner.z; export default import.meta.name;',
    {
      identifier: 'outer.mjs',
      initializeImportMeta(meta) {
        meta.name = 'given';
      },
    },
  );
  const asked = [];
  await outer.link(async (specifier, { identifier }) => {
    asked.push([specifier, identifier]);
    return specifier === 'x' ? synthetic : inner;
  });
  console.log(outer.status, asked);
  await outer.evaluate();
  console.log(outer.status, outer.namespace.y, outer.namespace.default, Object.keys(inner.namespace));
  const failing = new vm.SourceTextModule('throw new TypeError("inside")', { identifier: 'failing.mjs' });
  await failing.link(() => {});
  await failing.evaluate().catch(({ message }) => console.log(failing.status, message, failing.error.message));
  try {
    new vm.SourceTextModule('export let 5');
  } catch (error) {
    console.log(error.name);
  }
})();
