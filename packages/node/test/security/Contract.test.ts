import { assert, layer } from "@effect/vitest"
import { Effect, Predicate } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type ContractOperation, contractOperations, routeOf } from "./ContractFacts.ts"
import { type ContractValue, refusedValues, takenValues } from "./ContractValues.ts"
import { known, operations } from "./Operations.ts"
import { addVideo, ask, people, runningNode } from "./RunningNode.ts"

/** These end what the others need. */
const harmful: ReadonlySet<string> = new Set(["deleteMe", "revokeOAuthToken", "postJobsPause", "delUser"])

/** Where our answer is another one on purpose, each with its reason. */
const otherwise: ReadonlyArray<readonly [what: RegExp, reason: string]> = [
  [/ query count below the least$/, "0 asks for the total alone, as stock clients do"],
  [/ query include none of the choices$/, "a sum of flags, of which later releases have more"],
  [/^GET \/api\/v1\/search\/.* without search$/, "filters alone are a search (changed in 8.3)"],
  [/ body currentPassword too /, "it is compared, not set: whatever could once have been one"],
  [/ body displayName too short$/, "names have one letter at least (specification, Limits, 5)"],
  [/^GET \/tracker\/announce /, "BitTorrent says what is wrong in the body of a 200 (BEP 3)"],
  [/^GET \/(?:video-playlists|w)\//, "pages show their beginning where an address asks for no page there is"],
  [/^PUT \/api\/v1\/videos\/\{id\} body (?:thumbnailfile|previewfile)/, "a text where a file belongs is passed by"]
]

const isOtherwise = (what: string) => otherwise.some(([pattern]) => pattern.test(what))

/** Statuses of the contract that we do not describe, each with its reason. */
const otherStatuses: Readonly<Record<string, ReadonlyArray<number>>> = {
  // HLS files are found by the UUID of their video, never by their name alone.
  "GET /static/streaming-playlists/hls/{}": [403],
  // Nothing fails inside: federation that is switched off, and the search index that is not asked, are refused.
  "POST /api/v1/server/following": [500],
  "GET /api/v1/search/videos": [500],
  "GET /api/v1/search/video-channels": [500],
  "GET /api/v1/search/video-playlists": [500],
  // A host need not be known to be muted.
  "POST /api/v1/users/me/blocklist/servers": [404],
  // Since a release after 8.3; until then a job that is no longer held answers 400.
  "POST /api/v1/runners/jobs/{}/success": [409],
  // A page for tests of the other implementation.
  "GET /videos/test-embed": [404],
  "GET /video-playlists/test-embed": [404]
}

const asText = (value: unknown): string =>
  Array.isArray(value) ? String(value[0]) : Predicate.isObject(value) ? JSON.stringify(value) : String(value)

/** A form as stock clients send it: a list is its name, again for each item. */
const formOf = (fields: Readonly<Record<string, unknown>>): string => {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    for (const item of Array.isArray(value) ? (value as ReadonlyArray<unknown>) : [value])
      form.append(name, asText(item))
  return form.toString()
}

/** Everything of the node that parameters of paths name. */
const rows = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { id } = yield* addVideo()
  const [video] = yield* sql<{ uuid: string }>`select uuid::text as uuid from video where id = ${id}`
  const [comment] = yield* sql<{ id: number }>`
    insert into video_comment (url, video_id, account_id, text)
    select 'http://127.0.0.1/comments/' || v.id, v.id, v.account_id, 'x' from video v where v.id = ${id} returning id`
  const [playlist] = yield* sql<{ uuid: string }>`
    insert into video_playlist (name, owner_account_id, url, privacy, type)
    select 'List', v.account_id, 'http://127.0.0.1/video-playlists/' || v.id, 2, 1 from video v where v.id = ${id}
    returning uuid::text as uuid`
  return { video: video!.uuid, comment: String(comment!.id), playlist: playlist!.uuid }
})

type Rows = Effect.Success<typeof rows>

/** The path of an operation about things that are there. */
const addressOf = ({ path }: ContractOperation, there: Rows, given: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/\{([^}]+)\}/g, (_, name: string, at: number) => {
    const before = path.slice(0, at)
    const own = given[name]
    if (own !== undefined) return encodeURIComponent(own)
    if (/comments\/$|comment-threads\/$/.test(before)) return there.comment
    if (before.endsWith("video-playlists/")) return there.playlist
    if (/\/videos\/(?:watch\/|embed\/)?$/.test(before) || /^video(?:Id|IdOrUUID|UUID)$/.test(name)) return there.video
    if (before.endsWith("/users/")) return "1"
    if (name === "captionLanguage") return "en"
    if (name === "format") return "json"
    if (name === "host") return "nowhere.example"
    if (before.endsWith("/accounts/")) return "root"
    if (before.endsWith("/video-channels/")) return "root_channel"
    return known[name] ?? "1"
  })

layer(runningNode, { excludeTestServices: true, timeout: 120_000 })("the contract's operations", (it) => {
  /** Those that there are here. */
  const ours = Effect.gen(function* () {
    const described = new Map((yield* operations).map((operation) => [routeOf(operation), operation]))
    return contractOperations.flatMap((operation) => {
      const own = described.get(routeOf(operation))
      return own === undefined ? [] : [{ operation, own }]
    })
  })

  it.effect("are described with the contract's statuses", () =>
    Effect.gen(function* () {
      const missing: Array<string> = []
      for (const { operation, own } of yield* ours) {
        const route = routeOf(operation)
        for (const status of operation.statuses) {
          if (status < 400 || own.statuses.has(status) || otherStatuses[route]?.includes(status) === true) continue
          missing.push(`${route} ${status}`)
        }
      }
      assert.deepStrictEqual(missing, [])
    })
  )

  it.effect(
    "refuse what is missing, of another kind, too small, too large, too short or too long",
    () =>
      Effect.gen(function* () {
        const { administrator } = yield* people
        const there = yield* rows
        const failures: Array<string> = []
        let asked = 0
        for (const { operation } of yield* ours) {
          if (harmful.has(operation.id)) continue
          const { body, method, params = [], path } = operation
          const isForm = body?.type.includes("multipart") === true || body?.type.includes("urlencoded") === true
          const json = { ...administrator, "content-type": "application/json" }
          const form = { ...administrator, "content-type": "application/x-www-form-urlencoded" }
          const send = Effect.fnUntraced(function* (what: string, address: string, fields?: Record<string, unknown>) {
            asked += 1
            const content =
              fields === undefined || body === undefined ? undefined : isForm ? formOf(fields) : JSON.stringify(fields)
            const headers = content === undefined ? administrator : isForm ? form : json
            const { status, text, type } = yield* ask(method, address, headers, content)
            const said = `${method} ${path} ${what}`
            if (isOtherwise(said)) return
            if (status >= 500 && status !== 501) failures.push(`${said}: ${status} ${text.slice(0, 80)}`)
            else if (status < 400) failures.push(`${said}: is taken (${status})`)
            else if (path.startsWith("/api/") && !type.startsWith("application/problem+json"))
              failures.push(`${said}: ${status} ${type}`)
          })
          for (const parameter of params) {
            const { in: where, name } = parameter
            if (where === "header") continue
            for (const { value, what } of refusedValues(parameter, false)) {
              const text = asText(value)
              if (where === "path" && text === "") continue
              const address =
                where === "path"
                  ? addressOf(operation, there, { [name]: text })
                  : `${addressOf(operation, there)}?${name}=${encodeURIComponent(text)}`
              yield* send(`${where} ${name} ${what}`, address, {})
            }
            if (where === "query" && parameter.required === true)
              yield* send(`query without ${name}`, addressOf(operation, there), {})
          }
          // Of a form, texts alone are sent: a file part has its own tests.
          const fields = (body?.fields ?? []).filter(({ type }) => !type.includes("binary"))
          for (const one of fields) {
            const wrong: ReadonlyArray<ContractValue> = refusedValues(one, !isForm)
            for (const { value, what } of wrong)
              yield* send(`body ${one.name} ${what}`, addressOf(operation, there), { [one.name]: value })
            if (one.required === true) yield* send(`body without ${one.name}`, addressOf(operation, there), {})
          }
        }
        assert.deepStrictEqual(failures, [])
        assert.isAbove(asked, 1000)
      }),
    240_000
  )

  it.effect(
    "take every choice and bound that a query may have",
    () =>
      Effect.gen(function* () {
        const { administrator } = yield* people
        const there = yield* rows
        const failures: Array<string> = []
        let asked = 0
        for (const { operation } of yield* ours) {
          if (operation.method !== "GET" || !operation.path.startsWith("/api/")) continue
          const address = addressOf(operation, there)
          const plain = yield* ask("GET", address, administrator)
          if (plain.status >= 400) continue
          for (const parameter of operation.params ?? []) {
            if (parameter.in !== "query" || parameter.name === "searchTarget") continue
            for (const name of [parameter.name, ...(parameter.names ?? [])]) {
              for (const value of takenValues(parameter)) {
                asked += 1
                const asking = `${address}?${name}=${encodeURIComponent(value)}`
                const { status, text } = yield* ask("GET", asking, administrator)
                if (status >= 400) failures.push(`${asking}: ${status} ${text.slice(0, 160)}`)
              }
            }
          }
        }
        assert.deepStrictEqual(failures, [])
        assert.isAbove(asked, 300)
      }),
    240_000
  )
})
