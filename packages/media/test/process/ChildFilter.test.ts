import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { childFilter } from "../../src/process/ChildFilter.ts"

const work = (script: string, onMessage: (line: string) => void = () => {}) => ({
  command: "/bin/sh",
  args: ["-c", script],
  env: { PATH: "/usr/bin:/bin" },
  onMessage
})

describe("ChildFilter", () => {
  it.live("gives all that a child wrote, also what is read after its end", () =>
    Effect.gen(function* () {
      const messages: Array<string> = []
      const child = yield* childFilter(work("head -c 100000 /dev/zero; echo done >&2", (line) => messages.push(line)))
      let size = (yield* child.next)!.length
      // Some is read, some waits in the pipe.
      assert.strictEqual((yield* child.ended).code, 0)
      for (let bytes = yield* child.next; bytes !== undefined; bytes = yield* child.next) size += bytes.length
      assert.strictEqual(size, 100_000)
      assert.deepStrictEqual(messages, ["done"])
      assert.isUndefined(yield* child.next)
    }).pipe(Effect.scoped)
  )

  it.live("passes bytes through, and is killed with its scope", () =>
    Effect.gen(function* () {
      const child = yield* childFilter(work("cat"))
      yield* child.write(Buffer.from("one"))
      assert.strictEqual((yield* child.next)?.toString(), "one")
      yield* child.write(Buffer.from("two"))
      yield* child.close
      assert.strictEqual((yield* child.next)?.toString(), "two")
      assert.isUndefined(yield* child.next)
      const stubborn = yield* Effect.scoped(childFilter(work("trap '' TERM; while :; do sleep 1; done")))
      assert.isNull((yield* stubborn.ended).code)
    }).pipe(Effect.scoped)
  )
})
