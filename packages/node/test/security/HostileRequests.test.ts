import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { fill, known, operations, type Operation } from "./Operations.ts"
import { ask, people, runningNode, traces } from "./RunningNode.ts"

/** What stands in a path or query, already encoded where it must be to travel. */
const hostile: ReadonlyArray<string> = [
  "%00",
  "a%00b",
  "..%2f..%2f..%2fetc%2fpasswd",
  "%2e%2e%2f%2e%2e%2fkinora.yaml",
  "..%5c..%5cpassword",
  "%252e%252e%252fetc",
  "%2fetc%2fpasswd",
  "....//",
  "%c0%ae%c0%ae%2f",
  "%ff%fe",
  "%",
  "%zz",
  "%ed%a0%80",
  "%F0%9F%90%87",
  "%E2%80%AEgpj.exe",
  "CON",
  "'%20or%20'1'='1",
  "1;drop%20table%20video;--",
  "1)%20union%20select%20password_hash%20from%20app_user--",
  "%25_",
  "__proto__",
  "constructor",
  "-1",
  "0",
  "1e3",
  "0x10",
  "1.5",
  "NaN",
  "9007199254740993",
  "99999999999999999999999999",
  "2147483648",
  "true",
  "%5B%5D",
  "%7B%22a%22:1%7D",
  "%0d%0aset-cookie:%20a=b",
  "<script>alert(1)</script>",
  "%3Csvg%20onload=alert(1)%3E",
  "${7*7}",
  "{{7*7}}",
  "root@169.254.169.254",
  "http:%2f%2f127.0.0.1:1%2f",
  "a".repeat(4000)
]

/** Shapes of query strings that parsers fold into objects. */
const shapes = (name: string): ReadonlyArray<string> => [
  `${name}[]=1`,
  `${name}[0]=1&${name}[1]=2`,
  `${name}[a][b][c][d][e][f]=1`,
  `${name}[__proto__][polluted]=1`,
  `${name}.constructor.prototype=1`,
  `${name}=1&${name}=2`,
  `${name}=`,
  name,
  Array.from({ length: 400 }, () => `${name}=1`).join("&")
]

/** Something of each path parameter and of each query parameter, all else as it should be. */
const requestsOf = ({ parameters, path }: Operation): ReadonlyArray<string> => {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  const query = parameters.filter((parameter) => parameter.in === "query").map((parameter) => parameter.name)
  const usual = fill(path, known)
  return [
    ...inPath.flatMap((name) => hostile.map((value) => fill(path, { ...known, [name]: value }))),
    ...query.flatMap((name) => hostile.map((value) => `${usual}?${encodeURIComponent(name)}=${value}`)),
    ...query.flatMap((name) => shapes(name).map((shape) => `${usual}?${shape}`)),
    `${usual}?${"a=1&".repeat(3000)}`,
    `${usual}?__proto__[polluted]=1&constructor[prototype][polluted]=1`,
    `${usual}%00`,
    `${usual}/..%2f..%2f..%2fetc%2fpasswd`,
    `${usual}//${"x".repeat(4000)}`
  ]
}

/** What no answer may hold: another user's secret, a file of the machine, or how the program is made. */
const forbidden = /root:x:0|\$argon2|\$2[aby]\$|node_modules|SqlError|syntax error at|\bat [\w.]+ \(/

/**
 * They ask for nothing, and do what they do whatever is said besides: end the session that asks, make a token or an archive, pause
 * the jobs, of which the audit log has an entry.
 */
const always: ReadonlySet<string> = new Set([
  "revokeOAuthToken",
  "postRunnersRegistrationTokensGenerate",
  "requestUserExport",
  "postJobsPause",
  "postJobsResume"
])

layer(runningNode, { excludeTestServices: true, timeout: 120_000 })("hostile requests", (it) => {
  it.effect(
    "get an answer in time from every operation, never a 500, and leave nothing behind",
    () =>
      Effect.gen(function* () {
        const everybody = yield* people
        // The registration token of a new instance has the id 1, which the requests name: the administrator would delete it.
        yield* ask("DELETE", "/api/v1/runners/registration-tokens/1", everybody.administrator)
        const before = yield* traces
        const failures: Array<string> = []
        let count = 0
        for (const operation of yield* operations) {
          if (always.has(operation.id)) continue
          const requests = requestsOf(operation)
          yield* Effect.forEach(
            requests,
            Effect.fnUntraced(function* (path) {
              count++
              const answer = yield* ask(operation.method, path, everybody.administrator)
              const described = `${operation.method} ${path.slice(0, 150)}: ${answer.status}`
              if (answer.status >= 500) failures.push(described)
              // The description of the API names what it describes.
              else if (operation.id !== "getOpenApiDocument" && forbidden.test(answer.text)) {
                failures.push(`${described} tells ${forbidden.exec(answer.text)?.[0]}`)
              } else if (answer.type.includes("html") && answer.text.includes("<script>alert(1)")) {
                failures.push(`${described} repeats a script`)
              }
            }),
            { concurrency: 8, discard: true }
          )
        }
        assert.deepStrictEqual(failures, [])
        assert.isAbove(count, 3000)
        assert.deepStrictEqual(yield* traces, before)
        assert.notProperty({}, "polluted")
        assert.strictEqual((yield* ask("GET", "/api/v1/videos")).status, 200)
      }),
    300_000
  )

  it.effect(
    "get an answer in time for every method on every path",
    () =>
      Effect.gen(function* () {
        const everybody = yield* people
        const before = yield* traces
        const described = yield* operations
        for (const path of new Set(described.map((operation) => operation.path))) {
          const own = new Set(described.filter((operation) => operation.path === path).map(({ method }) => method))
          for (const method of ["PUT", "POST", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "PROPFIND"]) {
            if (own.has(method)) continue
            const body = method === "HEAD" || method === "TRACE" ? undefined : '{"name":"x"}'
            const headers = { ...everybody.administrator, "content-type": "application/json" }
            const answer = yield* ask(method, fill(path, known), headers, body)
            assert.isBelow(answer.status, 500, `${method} ${path}`)
            if (!["HEAD", "OPTIONS"].includes(method)) assert.isAtLeast(answer.status, 400, `${method} ${path}`)
          }
        }
        assert.deepStrictEqual(yield* traces, before)
      }),
    120_000
  )

  it.effect("with hostile bodies are refused as problems", () =>
    Effect.gen(function* () {
      const everybody = yield* people
      const before = yield* traces
      const bodies: ReadonlyArray<readonly [type: string, body: string]> = [
        ["application/json", ""],
        ["application/json", "null"],
        ["application/json", "[]"],
        ["application/json", '"text"'],
        ["application/json", "{"],
        ["application/json", '{"__proto__":{"polluted":1},"name":1}'],
        ["application/json", `${"[".repeat(50_000)}${"]".repeat(50_000)}`],
        ["application/json", `{"name":"${"a".repeat(60_000)}"}`],
        ["application/json", '{"name":"\\u0000","channelId":1,"filename":"../../x"}'],
        ["application/json", '{"name":"\\ud800","channelId":1e400,"filename":"x.mp4"}'],
        ["application/x-www-form-urlencoded", "grant_type=password&username[$ne]=x&password[$ne]=x"],
        ["application/x-www-form-urlencoded", "grant_type=__proto__&client_id=%00&client_secret=%00"],
        ["application/x-www-form-urlencoded", "a=1&".repeat(5000)],
        ["multipart/form-data", "no boundary"],
        ["multipart/form-data; boundary=x", "--x\r\n"],
        [
          "multipart/form-data; boundary=x",
          '--x\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\n1\r\n--x--'
        ],
        [`multipart/form-data; boundary=${"b".repeat(3000)}`, "--b--"],
        ["application/octet-stream", "\0"],
        ["text/xml", '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
        ["application/json; charset=utf-7", "+AHs-"]
      ]
      // Their body may be missing, and so may all of its fields.
      const nothingNeeded = new Set(["postUsersMeHistoryVideosRemove"])
      for (const { id, method, path, takesBody } of yield* operations) {
        if (method === "GET" || method === "DELETE" || always.has(id)) continue
        for (const [type, body] of bodies) {
          const answer = yield* ask(
            method,
            fill(path, known),
            { ...everybody.administrator, "content-type": type },
            body
          )
          const what = `${id} ${type} ${body.slice(0, 40)}`
          // A change whose fields may all be missing does nothing about fields it does not know, as the traces show.
          const hasFields =
            body === "" ||
            body.startsWith('{"') ||
            type === "application/x-www-form-urlencoded" ||
            (nothingNeeded.has(id) && body.includes("form-data"))
          const isFine =
            !takesBody || (answer.status === 204 && (method === "PUT" || nothingNeeded.has(id)) && hasFields)
          if (!isFine) assert.isAtLeast(answer.status, 400, what)
          assert.isBelow(answer.status, 500, what)
          assert.notMatch(answer.text, forbidden, what)
        }
      }
      assert.notProperty({}, "polluted")
      assert.deepStrictEqual(yield* traces, before)
    })
  )
})
