# What node says of what nobody caught, and of modules in cycles or under the wrong name.
node -e 'try { require("./lib/cycle/a.cjs") } catch (error) { console.log(error.code, error.message.replace(process.cwd(), "")) }'
node -e 'import("./lib/cycle/b.mjs").catch((error) => console.log(error.code, error.message.replaceAll(process.cwd(), "")))'
printf 'export const a = 1;\n' > wrong.cjs
node wrong.cjs 2>&1 | grep -o 'Failed to load the ES module.*extension\.' | sed "s|$PWD||"
rm wrong.cjs
node -e 'import("./lib/ns.mjs").then((n) => { console.log(Object.isFrozen(n), Object.isSealed(n)); try { Object.freeze(n) } catch (error) { console.log(error.message) } })'
node -e 'process.on("multipleResolves", (type, promise, value) => console.log(type, value)); process.noDeprecation = true; new Promise((yes, no) => { yes(1); no(2); yes(3); }); new Promise((_, no) => { no(4); throw 5 }).catch(() => {})'
for text in 'throw null' 'throw undefined' 'throw Symbol("s")' 'throw () => 1' 'throw Object.create(null)' 'Promise.any([Promise.reject(1)])' 'Promise.reject({ stack: "S" })' 'throw Object.assign(new Error("z"), { stack: 5 })'; do
  printf '%s\n' "$text" > thrown.js
  node thrown.js 2>&1 | sed "s|$PWD||"
done
rm thrown.js
printf 'enum A { B }\n' > enum.ts
node enum.ts 2>&1 | sed "s|$PWD||" | head -5
rm enum.ts
