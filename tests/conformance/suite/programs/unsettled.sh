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
