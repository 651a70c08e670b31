# Programs that end while a module waits at its top level: exit code and words.
exec 2>&1
run() { node "$@"; echo "code $?"; }
printf 'console.log("a");\nconst x = 1 + await new Promise(() => {});\n' > plain.mjs; run plain.mjs
printf 'import "./plain.mjs";\nprocess.on("exit", (c) => console.log("exit", c, process.exitCode));' > imports.mjs; run imports.mjs
printf 'await import("./plain.mjs")' > dynamic.mjs; run dynamic.mjs
printf 'import("./plain.mjs")' > from.cjs; run from.cjs
printf 'let b;\nfor await (b of [new Promise(() => {})]) ;\n' > each.mjs; run each.mjs
printf 'await using a = { [Symbol.asyncDispose]: () => new Promise(() => {}) };\n' > using.mjs; run using.mjs
printf 'process.exitCode = 5;\nawait new Promise(() => {});\n' > code.mjs; run code.mjs
printf 'process.on("exit", () => { process.exitCode = 7 });\nawait new Promise(() => {});\n' > listener.mjs; run listener.mjs
printf 'setTimeout(() => process.exit(), 10);\nawait new Promise(() => {});\n' > leaves.mjs; run leaves.mjs
printf 'setTimeout(() => console.log("later"), 10);\nawait new Promise((resolve) => setTimeout(resolve, 20));\n' > settles.mjs; run settles.mjs
printf 'require("timers/promises").setTimeout(1, 0, { ref: false }).then(() => console.log("never"));\n' > unreferenced.cjs; run unreferenced.cjs
# Nothing runs behind an exit, whoever would catch what unwinds it, nor behind a signal to oneself; after a stop it goes on.
printf 'const say = (e) => require("fs").writeSync(1, "caught " + e + "\\n");\nfor (let i = 0; i < 20; i++) Promise.resolve().then(() => process.exit(3)).catch(say).finally(say);\n' > caught.cjs; run caught.cjs; run caught.cjs
printf 'try { process.exit(4) } catch (e) { require("fs").writeSync(1, "caught\\n") } finally { require("fs").writeSync(1, "at last\\n") }\n' > tried.cjs; run tried.cjs
printf 'try { process.kill(process.pid, process.argv[2]) } catch {} finally { require("fs").writeSync(1, "goes on\\n") }\n' > signals.cjs; run signals.cjs SIGCONT
(run signals.cjs SIGKILL) 2>/dev/null | grep -v Killed
node signals.cjs SIGSTOP & while kill -CONT $! 2>/dev/null; do sleep 0.1; done; wait $!; echo "code $?"
# What compiles in the background is waited for.
cat > wasm.cjs <<'X'
const leb = (n) => { const out = []; do { out.push((n & 127) | (n > 127 ? 128 : 0)); n >>>= 7; } while (n); return out; };
const section = (id, ...parts) => { const body = Buffer.concat(parts.map((part) => Buffer.from(part))); return Buffer.concat([Buffer.from([id, ...leb(body.length)]), body]); };
const [count, length] = [10000, 602];
const one = Buffer.from([...leb(length), 0, ...Array.from({ length: 200 }, (_, i) => [0x41, i & 63, 0x1a]).flat(), 0x0b]);
const source = Buffer.concat([Buffer.from([0, 97, 115, 109, 1, 0, 0, 0]), section(1, [1, 0x60, 0, 0]), section(3, leb(count), Buffer.alloc(count)), section(10, leb(count), Buffer.concat(Array(count).fill(one)))]);
process.on('beforeExit', () => console.log('before exit'));
const way = { compile: () => WebAssembly.compile(source), instantiate: () => WebAssembly.instantiate(source), stream: () => WebAssembly.compileStreaming(new Response(source, { headers: { 'content-type': 'application/wasm' } })) }[process.argv[2]];
way().then((made) => console.log(process.argv[2], made), (error) => console.log(error.message));
X
for way in compile instantiate stream; do run wasm.cjs $way; done
printf 'process.on("unhandledRejection", (e) => console.log("unhandled", e.name)); WebAssembly.compile(Buffer.from("no"));' > bad-wasm.cjs; run bad-wasm.cjs
