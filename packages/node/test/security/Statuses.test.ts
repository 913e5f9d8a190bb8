import { assert, layer } from "@effect/vitest"
import { Effect, Predicate } from "effect"
import { fillAbout, known, type Operation, operations } from "./Operations.ts"
import { addVideo, type Answer, ask, people, runningNode } from "./RunningNode.ts"
import { wrongValues } from "./WrongValues.ts"

/** These end what the others need. */
const harmful: ReadonlySet<string> = new Set(["deleteMe", "revokeOAuthToken", "postJobsPause", "delUser"])

/** Names what every instance has. */
const byState = "getJobs"

/** Wrong values that are passed by, as each line says. */
const passedBy: ReadonlyArray<RegExp> = [
  // Pages show their beginning where an address asks for no page there is.
  /^GET \/(?: query|videos\/|search|my-library|my-account|a\/|c\/|w\/|video-playlists\/|video-channels\/|accounts\/|login|about)/,
  // 0 asks for the total alone.
  /^GET .* query count too small$/,
  // Players report where they are to a part of a second.
  /\/(?:views|watching) body currentTime a fraction$/,
  // BitTorrent says what is wrong in the body of a 200 (BEP 3).
  /^GET \/tracker\//
]

const isPassedBy = (what: string) => passedBy.some((one) => one.test(what))

const asText = (value: unknown): string => (Predicate.isObject(value) ? JSON.stringify(value) : String(value))

const unknownNames: Readonly<Record<string, string>> = {
  name: "nobody",
  nameWithHost: "nobody",
  channelHandle: "nobody_channel",
  handle: "nobody_channel",
  subscriptionHandle: "nobody_channel",
  accountName: "nobody",
  jobUUID: "00000000-0000-4000-8000-000000000000",
  uuid: "00000000-0000-4000-8000-000000000000",
  filename: "00000000-0000-4000-8000-000000000000.mp4",
  host: "nowhere.example",
  hostOrHandle: "nowhere.example"
}

layer(runningNode, { excludeTestServices: true, timeout: 120_000 })("what every operation answers", (it) => {
  /** What an answer has that its operation does not describe. */
  const undescribed = ({ path, statuses }: Operation, { status, text, type }: Answer): string | undefined => {
    if (status >= 500 && status !== 501) return `answers ${status}`
    // Before any operation is chosen: the request line is too long.
    if (status === 431) return undefined
    if (!statuses.has(status)) return `answers ${status}, which it does not describe`
    const isProblem = status >= 400 && path.startsWith("/api/v1/")
    return isProblem && !type.startsWith("application/problem+json")
      ? `answers ${type}: ${text.slice(0, 80)}`
      : undefined
  }

  it.effect(
    "a value that a parameter or field does not take is refused, as the description says",
    () =>
      Effect.gen(function* () {
        const { administrator } = yield* people
        const values = { ...known, ...(yield* addVideo()) }
        const failures: Array<string> = []
        let asked = 0
        for (const operation of yield* operations) {
          const { body, method, parameters, path } = operation
          if (harmful.has(operation.id)) continue
          const json = { ...administrator, "content-type": "application/json" }
          const judge = (what: string, answer: Answer) => {
            asked += 1
            const wrong = undescribed(operation, answer)
            if (wrong !== undefined) failures.push(`${method} ${path} ${what}: ${wrong}`)
            else if (answer.status < 400 && !isPassedBy(`${method} ${path} ${what}`)) {
              failures.push(`${method} ${path} ${what}: is taken (${answer.status})`)
            }
          }
          for (const { in: where, name, schema } of parameters) {
            if (where === "header") continue
            for (const { value, what } of wrongValues(schema, false)) {
              const given = encodeURIComponent(asText(value))
              // An empty part of a path is another path.
              if (where === "path" && given === "") continue
              const address =
                where === "path"
                  ? fillAbout(path.replace(`{${name}}`, given.replaceAll("%", "%25").replaceAll("%25", "%")), values)
                  : `${fillAbout(path, values)}?${name}=${given}`
              const sent = body === undefined ? undefined : "{}"
              judge(
                `${where} ${name} ${what}`,
                yield* ask(method, address, sent === undefined ? administrator : json, sent)
              )
            }
          }
          if (body === undefined) continue
          const address = fillAbout(path, values)
          for (const [name, schema] of Object.entries(body.properties)) {
            for (const { value, what } of wrongValues(schema, true)) {
              judge(`body ${name} ${what}`, yield* ask(method, address, json, JSON.stringify({ [name]: value })))
            }
          }
          for (const name of body.required) judge(`body without ${name}`, yield* ask(method, address, json, "{}"))
          judge("body that is no JSON", yield* ask(method, address, json, "{"))
          judge("body that is a list", yield* ask(method, address, json, "[1]"))
        }
        assert.deepStrictEqual(failures, [])
        assert.isAbove(asked, 2000)
      }),
    240_000
  )

  it.effect(
    "what nobody has is not found, by whom it may be asked for",
    () =>
      Effect.gen(function* () {
        const { administrator, anonymous, user } = yield* people
        const failures: Array<string> = []
        for (const operation of yield* operations) {
          const { id, method, parameters, path } = operation
          if (
            harmful.has(id) ||
            id === byState ||
            !path.startsWith("/api/v1/") ||
            !parameters.some((it) => it.in === "path")
          )
            continue
          const address = path.replaceAll(
            /\{(\w+)\}/g,
            (_, name: string) => unknownNames[name] ?? known[name] ?? "2147483647"
          )
          for (const headers of [anonymous, user, administrator]) {
            const answer = yield* ask(method, address, headers)
            const wrong = undescribed(operation, answer)
            if (wrong !== undefined) failures.push(`${id} ${address}: ${wrong}`)
            else if (answer.status < 400) failures.push(`${id} ${address}: is there (${answer.status})`)
          }
        }
        assert.deepStrictEqual(failures, [])
      }),
    120_000
  )
})
