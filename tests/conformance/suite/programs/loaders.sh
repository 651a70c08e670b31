# Hooks that load modules, imports of what is not there, and options that come from variables or bring others along.
folder=$(mktemp -d) && cd "$folder" || exit 1
cat > hooks.mjs <<'X'
export async function resolve(specifier, context, next) {
  return specifier === 'virtual:x' ? { url: 'virtual:x', shortCircuit: true } : next(specifier, context);
}
export async function load(url, context, next) {
  return url === 'virtual:x' ? { format: 'module', source: 'export default 42', shortCircuit: true } : next(url, context);
}
X
echo 'exports.a = 1;' > common.cjs
echo "import x from 'virtual:x'; console.log(x);" > main.mjs
echo "import { register } from 'node:module'; register('./hooks.mjs', import.meta.url);" > register.mjs
printf 'import { a,\n  gone } from "./common.cjs";\n' > two-lines.mjs
echo 'import { gone as here } from "./common.cjs";' > renamed.mjs
echo 'import whole, { resolve } from "./hooks.mjs";' > default.mjs
echo 'export { gone as here } from "./hooks.mjs";' > again.mjs
echo 'import "./default.mjs";' > deep.mjs
clean() { sed -e "s#$folder##; s/^(node:[0-9]*)/(node)/; s/:[0-9]*:[0-9]*)/)/" | grep -v '^    at async '; }
node --import ./register.mjs main.mjs 2>&1 | clean
node --experimental-loader ./hooks.mjs main.mjs 2>/dev/null
for name in two-lines renamed default again deep; do node $name.mjs 2>&1 | clean; done
node -e 'import("./default.mjs").catch((error) => console.log(error.stack.split("\n").slice(0, 4).join("\n")))' | clean
cat > both.mjs <<'X'
export default class Whole {}
export let count = 0;
export const add = () => ++count;
X
cat > required.cjs <<'X'
const both = require('./both.mjs');
both.add();
console.log(both.__esModule, both.count, new both.default().constructor.name, Object.keys(both), both === require('./both.mjs'), both);
console.log(require('./hooks.mjs').__esModule, 'default' in both);
import('./both.mjs').then((module) => console.log(module.__esModule, module.default === both.default, module.count));
X
node required.cjs
node --no-experimental-require-module -e 'try { require("./hooks.mjs") } catch (error) { console.log(error.code) }'
NODE_PENDING_DEPRECATION=1 node -e 'new Buffer(1)' 2>&1 | grep -c DeprecationWarning
mkdir real && echo 'console.log(__filename.split("/").at(-2))' > real/x.js && ln -s real linked
node linked/x.js && NODE_PRESERVE_SYMLINKS_MAIN=1 node linked/x.js
node -p 'process instanceof process.constructor'
node -p 'try { process.kill(0, 987) } catch (error) { error.message }'
rm -r "$folder"
