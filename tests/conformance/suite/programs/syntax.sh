# What a beginner sees most: what is wrong, in which line and where, in modules and in CommonJS.
dir=$(mktemp -d)
cd "$dir"
try() {
  for kind in mjs cjs; do
    printf "$1" > "a.$kind"
    echo "== $kind"
    node "a.$kind" 2>&1 | head -5 | sed -E 's,^(file://)?/.*/a,a,'
  done
}
try 'const ok = 1;\nconst x = ;\n'
try "let y = 'abc\n"
try '\n\nconsole.log("a"\n'
try 'if (true) {\n  console.log(1);\n'
try 'if (true) { }\n}\nconsole.log(1);\n'
try 'for (const i of [1, 2] console.log(i);\n'
try 'const c;\n'
try 'let a = 1;\nlet b = 2;\nlet a = 3;\n'
try 'break;\n'
try 'const s = `abc ${1\n'
module() {
  printf "$1" > a.mjs
  echo '== module'
  node a.mjs 2>&1 | head -5 | sed -E 's,^(file://)?/.*/a,a,'
}
module 'import { x from "y";\n'
module 'import fs from "fs";\nexport default function () {\n  return import.meta.url;\n}\nexport const a = 1, ;\n'
module 'function f() {\n  await 1;\n}\n'
module 'return 5;\n'
module 'export { nope };\n'
module 'with (globalThis) {}\n'
rm -r "$dir"
