// Modules without semicolons: a call of an import at the start of a line does not go on with the line above.
import assert, { equal } from 'node:assert'
import { join } from 'node:path'

const f = function () {}
equal(1, 1)
join('a', 'b').length
equal(f, f)

equal([1].map((x) => {
  return x
})[0], 1)
equal(1, 1)
assert(true)
switch (1) {
  case 1: f
    equal(1, 1)
    assert.ok(f)
}
try {
  f()
  equal(1, 2)
} catch ({ message, stack }) {
  console.log(message.split('\n')[0], /lines\.mjs:(\d+:\d+)/.exec(stack)[1])
}
console.log(String(() => {
  f()
  equal(1, 2)
}), join.constants, Object.isFrozen(process.versions))
