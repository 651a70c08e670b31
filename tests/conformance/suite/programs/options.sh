# What the command line does before the program: environment files, scripts of package.json, what is loaded first.
printf 'FOO=from file\nBAR="q"\n' > my.env
node --env-file=my.env -p 'process.env.FOO + process.env.BAR'
node --env-file=none.env -p 1
echo "code $?"
node --env-file-if-exists=none.env -p 2
echo 'globalThis.pre = 1
console.log("preloaded")' > pre.mjs
node --import ./pre.mjs -p 'globalThis.pre'
node -r ./pre.mjs -e 'console.log(1)'
NODE_OPTIONS='--no-warnings --import ./pre.mjs' node -p 3
node --input-type=module -e 'console.log(import.meta.dirname, typeof require)'
echo 'console.log(import.meta.url)' | node --input-type=module - | sed "s#$PWD#.#"
node --check pre.mjs
echo $?
echo 'let x = ;' > bad.js
node --check bad.js 2>&1 | sed "s#$PWD#.#" | head -5
node --bogus 2>&1
echo $?
node -e 'process.exit(5)'
echo $?
node -pe '[1,{a:2}]'
node --version
node -e 'throw new Error("x")' 2>&1 | head -6
node --stack-trace-limit=2 -e 'console.log(Error.stackTraceLimit)'
node --title=abc -p process.title
node --disable-warning=DEP0040 -p 4
node --trace-warnings -e 'process.emitWarning("w")' 2>&1 | head -2 | sed 's/node:[0-9]*/node:N/'
node --throw-deprecation -e 'new Buffer(1)' 2>&1 | grep -c DEP0005
node --pending-deprecation -p 5
node --conditions=dev -p 6
node --enable-source-maps -p 7
node --experimental-vm-modules -p 'typeof require("vm").SourceTextModule'
node --no-experimental-require-module -p 8
node --test-reporter=tap --test nonexist.js 2>&1 | head -3
node --print 'process.allowedNodeEnvironmentFlags.has("--import")'
node --run nothing 2>&1 | head -3
echo '{"scripts":{"hi":"echo hello $npm_lifecycle_event","pre":"exit 3"}}' > package.json
node --run hi -- a
node --run pre
echo $?
node --run zzz
echo $?
rm package.json
for option in --unhandled-rejections=bad --input-type=bad --trace-require-module=bad --max-old-space-size-percentage=bad --disable-proto=bad --secure-heap=3 --cpu-prof-dir=x --title= --debug '--tls-min-v1.3 --tls-max-v1.2' '--use-openssl-ca --use-bundled-ca' '--check -e 1' '--watch --test-force-exit'; do
  node $option -p 1 2>&1 | sed "s#^/[^:]*node: #node: #"
done
node --disable-proto=delete -p '({}).__proto__'
node --disable-proto=throw -e 'try { ({}).__proto__ } catch ({ code, message }) { console.log(code, message) }'
node --network-family-autoselection-attempt-timeout=500 -p 'net.getDefaultAutoSelectFamilyAttemptTimeout()'
node --no-network-family-autoselection -p 'net.getDefaultAutoSelectFamily()'
node --no-warnings --entry-url 'data:text/javascript,console.log(import.meta.url)'
node --test-shard=x --test a.js 2>&1 | grep -c ERR_INVALID_ARG_VALUE
node --completion-bash | sed "s/'.*'/'…'/"
printf 'function f() {\n  const error = new TypeError("late");\n  error.code = 1;\n  if (error) {\n    throw error;\n  }\n}\nf();\n' > late.js
node late.js 2>&1 | sed -n 2,3p
node --abort-on-uncaught-exception -e 'throw 1' > /dev/null 2>&1 || echo "trap $?"
