import { randomUUID } from "node:crypto"
import { request } from "node:http"
import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import * as Database from "@kinora/storage/platform/database/Database"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { embeddedServer } from "../support/EmbeddedServer.ts"
import { instanceFiles } from "../support/InstanceFiles.ts"
import { KinoraProcess } from "../support/KinoraProcess.ts"

type Auth = Readonly<Record<string, string>>

/** Headers of everybody who may ask; `expired` belongs to the administrator. */
export interface People {
  readonly anonymous: Auth
  readonly garbage: Auth
  readonly expired: Auth
  readonly user: Auth
  readonly moderator: Auth
  readonly administrator: Auth
}

const password = "a password for tests"

/** Roles as the API names them. */
const roles = { user: 2, moderator: 1 } as const

const enrol = async (node: KinoraProcess, maker: Auth, name: keyof typeof roles): Promise<Auth> => {
  const quota = { videoQuota: -1, videoQuotaDaily: -1 }
  const made = await fetch(`${node.url}/api/v1/users`, {
    method: "POST",
    headers: { ...maker, "content-type": "application/json" },
    body: JSON.stringify({ username: name, password, email: `${name}@example.com`, role: roles[name], ...quota })
  })
  if (made.status !== 200) throw new Error(`${name}: ${made.status} ${await made.text()}`)
  return await node.login(name, password)
}

/** Makes its people through the API: a command for each of them would take a second each. */
const enrolAll = async (node: KinoraProcess): Promise<Omit<People, "expired">> => {
  const maker = await node.login()
  const user = await enrol(node, maker, "user")
  const moderator = await enrol(node, maker, "moderator")
  // Tests of every operation ask for the session 1 among others: it must be none that somebody uses.
  await fetch(`${node.url}/api/v1/users/revoke-token`, { method: "POST", headers: maker })
  return {
    anonymous: {},
    garbage: { authorization: `Bearer ${"0".repeat(40)}` },
    user,
    moderator,
    administrator: await node.login()
  }
}

/** The program in a process of its own, as a person runs it, with its people. */
export class RunningNode extends Context.Service<
  RunningNode,
  { readonly process: KinoraProcess; readonly people: Omit<People, "expired"> }
>()("@kinora/node/test/security/RunningNode") {
  /** With settings of its own. */
  static readonly layerWith = (env: Record<string, string>) =>
    Layer.effect(
      RunningNode,
      Effect.gen(function* () {
        const node = yield* Effect.acquireRelease(
          Effect.promise(() => KinoraProcess.create(env)),
          (it) => Effect.promise(() => it.remove())
        )
        yield* Effect.promise(() => node.start())
        const people = yield* Effect.promise(() => enrolAll(node))
        return RunningNode.of({ process: node, people })
      })
    )
}

/** The running node's own database. */
const database = Layer.unwrap(
  Effect.map(RunningNode, ({ process }) => {
    const server = embeddedServer(process.dataDir)
    const host = encodeURIComponent(server.socket.slice(0, server.socket.lastIndexOf("/")))
    const url = `postgresql://kinora:${encodeURIComponent(server.password)}@localhost/kinora?host=${host}`
    return Database.layer({ url: Redacted.make(url), maxConnections: 2, applicationName: "security test" })
  })
)

export const runningNodeWith = (env: Record<string, string>) =>
  database.pipe(Layer.provideMerge(RunningNode.layerWith(env)))

export const runningNode = runningNodeWith({})

/** Everybody, a session that has just expired included. */
export const people = Effect.gen(function* () {
  const { people, process } = yield* RunningNode
  const sql = yield* SqlClient
  const expired = yield* Effect.promise(() => process.login())
  yield* sql`
    update oauth_token set access_expires_at = now() - interval '1 second'
    where id = (select max(id) from oauth_token)`
  return { ...people, expired } satisfies People
})

/** A video with a file, public and of the administrator unless it is said: values of path parameters. */
export const addVideo = Effect.fnUntraced(function* (privacy = VideoPrivacy.public as number, owner = "root") {
  const sql = yield* SqlClient
  const uuid = randomUUID()
  const rows = yield* sql<{ id: number }>`
    insert into video (uuid, channel_id, account_id, url, name, privacy, state, description, duration)
    select ${uuid}, c.id, a.id, ${`http://127.0.0.1/videos/watch/${uuid}`}, 'Of the administrator', ${privacy}, 1, 'x', 5
    from app_user u join account a on a.user_id = u.id join video_channel c on c.account_id = a.id
    where u.username = ${owner} order by c.id limit 1 returning id`
  const id = rows[0]!.id
  const files = yield* sql<{ id: number }>`
    insert into video_file (video_id, resolution, fps, size, extname, filename, has_audio, has_video)
    values (${id}, 720, 25, 100, '.mp4', ${`${uuid}-720.mp4`}, true, true) returning id`
  yield* sql`
    insert into video_source (video_id, input_filename, filename, size)
    values (${id}, 'secret-name.mov', ${`${uuid}.mov`}, 100)`
  return { id: String(id), videoFileId: String(files[0]!.id) }
})

/** What a task or a connection keeps at its own time, and where changes wait for it. */
const passing: ReadonlySet<string> = new Set([
  ...["search_word", "search_word_change"],
  ...["video_count", "video_count_change"],
  "feed_version"
])

/** Number of rows of each table, and every file outside the database, logs and caches. */
export const traces = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { dataDir } = (yield* RunningNode).process
  const tables = yield* sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`
  const rows: Record<string, number> = {}
  for (const { name } of tables.filter((table) => !passing.has(table.name))) {
    const [row] = yield* sql<{ count: number }>`select count(*)::int as count from ${sql(name)}`
    rows[name] = row!.count
  }
  return { rows, files: instanceFiles(dataDir) }
})

export interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

/** What came of a request that must be answered within this time. */
export const patience = 10_000

const send = (node: KinoraProcess, method: string, path: string, headers: Auth, body: string | undefined) =>
  new Promise<Answer>((done, fail) => {
    // Node's client frames no body of DELETE and OPTIONS by itself: its bytes would be the next request.
    const framed = body === undefined ? headers : { ...headers, "content-length": String(Buffer.byteLength(body)) }
    const sent = request({ host: "127.0.0.1", port: node.port, method, path, headers: framed }, (response) => {
      let text = ""
      response.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")))
      response.on("error", fail)
      response.on("end", () =>
        done({ status: response.statusCode ?? 0, type: response.headers["content-type"] ?? "", text })
      )
    })
    const watch = setTimeout(() => sent.destroy(new Error(`no answer in ${patience} ms`)), patience)
    sent.on("error", (cause) => fail(new Error(`${method} ${path.slice(0, 200)}: ${cause.message}`, { cause })))
    sent.on("close", () => clearTimeout(watch))
    sent.end(body)
  })

/** Sends exactly this path, as node's own client lets it through, and reads the whole answer. */
export const ask = Effect.fnUntraced(function* (
  method: string,
  path: string,
  headers: Auth = {},
  body?: string | undefined
) {
  const { process } = yield* RunningNode
  return yield* Effect.promise(() => send(process, method, path, headers, body))
})
