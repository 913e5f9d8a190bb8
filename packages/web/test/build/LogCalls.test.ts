import { assert, describe, it } from "vitest"
import { withoutLogCalls } from "../../build/LogCalls.ts"

describe("a source without its log calls", () => {
  it("keeps everything else", () => {
    for (const [source, rest] of [
      ["this.log('a'); b()", "void 0; b()"],
      ["if (x) this.warn(`a ${f({ b: ')' })} c`); else d()", "if (x) void 0; else d()"],
      ['this.logger.log(`${a ? `(${b})` : "}"}`)\nnext()', "void 0\nnext()"],
      ["logger.debug('it\\'s (', x)", "void 0"],
      ["const log = this.login(1); other.log(2)", "const log = this.login(1); other.log(2)"],
      ["this.log(`a`) ; this.log(`b ${c()}`)", "void 0 ; void 0"]
    ] as const) {
      assert.strictEqual(withoutLogCalls(source), rest)
    }
  })

  it("says where a call has no end", () => {
    assert.throws(() => withoutLogCalls("this.log('a'"), /no end/)
  })
})
