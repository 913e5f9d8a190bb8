import { assert, layer } from "@effect/vitest"
import { Effect, Predicate } from "effect"
import * as fc from "fast-check"
import { fill, known, operations, type Parameter } from "./Operations.ts"
import { addVideo, ask, people, runningNode } from "./RunningNode.ts"

const edges = [-1, 0, 1, 2, 15, 100, 101, 2147483647, 2147483648, 4294967296, 9007199254740992, 1e21, -0.5]

const odd = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.constantFrom("", " ", "\0", "%", "_", "\\", "'", '"', "*", "-", "- -x", '"a', ":*", "a & | ! <-> b", "null", "[]"),
  fc.constantFrom("2026-02-30T25:61:61Z", "0000-00-00", "-271821-04-20", "275760-09-13T00:00:00.001Z", "P1D", "NaN"),
  fc.double().map(String)
)

const property = (value: unknown, name: string): unknown =>
  Predicate.isObject(value) ? value[name as never] : undefined

/** Values a schema of our OpenAPI document describes, those at its edges above all. */
const described = (schema: unknown): fc.Arbitrary<string> => {
  const choices = property(schema, "enum")
  const items = property(schema, "items")
  const either = property(schema, "anyOf") ?? property(schema, "oneOf")
  if (Array.isArray(choices)) return fc.constantFrom(...choices.map(String))
  if (Array.isArray(either)) return fc.oneof(...either.map(described))
  if (items !== undefined) return described(items)
  switch (property(schema, "type")) {
    case "boolean":
      return fc.constantFrom("true", "false")
    case "integer":
    case "number":
      return fc.oneof(fc.integer({ min: 0, max: 20 }).map(String), fc.constantFrom(...edges).map(String))
    default:
      return fc.oneof(
        fc.constantFrom(
          "en",
          "root",
          "a b",
          "video",
          "2026-01-01T00:00:00.000Z",
          "localhost",
          "#tag",
          "@root@127.0.0.1"
        ),
        fc.uuid(),
        odd
      )
  }
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** One parameter as it stands in a query: mostly as described, also repeated, as a list, or something else altogether. */
const written = ({ name, schema }: Parameter): fc.Arbitrary<string> => {
  const value = fc.oneof({ weight: 4, arbitrary: described(schema) }, { weight: 1, arbitrary: odd })
  return fc.oneof(
    { weight: 5, arbitrary: value.map((it) => `${name}=${encoded(it)}`) },
    {
      weight: 1,
      arbitrary: fc.array(value, { maxLength: 4 }).map((all) => all.map((it) => `${name}=${encoded(it)}`).join("&"))
    },
    {
      weight: 1,
      arbitrary: fc.array(value, { maxLength: 4 }).map((all) => all.map((it) => `${name}[]=${encoded(it)}`).join("&"))
    }
  )
}

const queries = (parameters: ReadonlyArray<Parameter>): fc.Arbitrary<string> =>
  fc
    .subarray([...parameters], { minLength: 1, maxLength: Math.min(parameters.length, 6) })
    .chain((chosen) => fc.tuple(...chosen.map(written)))
    .map((parts) => parts.filter((part) => part !== "").join("&"))

const runs = 60

layer(runningNode, { excludeTestServices: true, timeout: 120_000 })("what queries combine", (it) => {
  it.effect(
    "is answered or refused, whoever asks: never a 500, never late",
    () =>
      Effect.gen(function* () {
        const everybody = yield* people
        const video = yield* addVideo()
        const seed = Math.trunc(Math.random() * 2 ** 31)
        const failures: Array<string> = []
        let answered = 0
        for (const { id, method, parameters, path } of yield* operations) {
          const inQuery = parameters.filter((parameter) => parameter.in === "query")
          if (method !== "GET" || inQuery.length === 0) continue
          const address = fill(path, { ...known, ...video })
          yield* Effect.forEach(
            fc.sample(queries(inQuery), { numRuns: runs, seed }),
            Effect.fnUntraced(function* (query, i) {
              const who = i % 3 === 0 ? everybody.anonymous : i % 3 === 1 ? everybody.user : everybody.administrator
              const { status } = yield* ask(method, `${address}?${query}`, who)
              if (status < 500) answered += 1
              else failures.push(`${id} ${address}?${query}: ${status}`)
            }),
            { concurrency: 4, discard: true }
          )
        }
        assert.deepStrictEqual(failures, [], `seed ${seed}`)
        assert.isAbove(answered, 30 * runs)
      }),
    240_000
  )
})
