import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { createInterface } from "node:readline"
import { withDatabase } from "./lib/Database.ts"
import { freshDataDir, type Instance, login, residentMiB, start } from "./lib/Instance.ts"
import { type Figure, write } from "./lib/Report.ts"

/**
 * What it costs to tell many: publishing with 10,000 subscribers beside publishing with none, the time until all of them
 * are told, what others wait meanwhile, 2,000 sockets, and a node that dies in the middle. KINORA_BENCH_FANS,
 * KINORA_BENCH_SOCKETS and KINORA_BENCH_RUNS make it smaller.
 */
const fans = Number(process.env["KINORA_BENCH_FANS"] ?? 10_000)
const sockets = Number(process.env["KINORA_BENCH_SOCKETS"] ?? 2_000)
const runs = Number(process.env["KINORA_BENCH_RUNS"] ?? 30)
const port = 9475

const tokenOf = (n: number) => createHash("sha1").update(`token ${n}`).digest("hex")

/** The channel `loud` with all the fans, the channel `quiet` with none, and private videos in both. */
const seed = (videos: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`
      with a as (
        insert into actor (type, preferred_username, url, inbox_url, public_key, private_key)
        select 'Group', n, 'http://127.0.0.1/video-channels/' || n, 'i', 'k', 'p' from (values ('loud'), ('quiet')) c (n)
        returning id, preferred_username as name
      )
      insert into video_channel (actor_id, account_id, display_name)
      select a.id, c.id, a.name from a, account c join app_user u on u.id = c.user_id where u.username = 'root'`
    yield* sql`
      with actors as (
        insert into actor (type, preferred_username, url, inbox_url, public_key, private_key)
        select 'Person', 'fan' || n, 'http://127.0.0.1/accounts/fan' || n, 'i', 'k', 'p'
        from generate_series(1, ${fans}::integer) n returning id, preferred_username as name
      ), users as (
        insert into app_user (username, email, password_hash, role)
        select 'fan' || n, 'fan' || n || '@example.com', 'x', 2 from generate_series(1, ${fans}::integer) n
        returning id, username
      )
      insert into account (actor_id, user_id, display_name)
      select a.id, u.id, u.username from actors a join users u on u.username = a.name`
    yield* sql`
      insert into actor_follow (actor_id, target_actor_id, state)
      select f.actor_id, t.id, 'accepted' from account f join app_user u on u.id = f.user_id, actor t
      where u.username like 'fan%' and t.preferred_username = 'loud'`
    yield* sql`
      insert into video (channel_id, account_id, url, name, privacy, state, duration)
      select c.id, c.account_id, 'http://127.0.0.1/' || gen_random_uuid(), c.display_name || ' ' || n, 3, 1, 5
      from video_channel c, generate_series(1, ${videos}::integer) n where c.display_name in ('loud', 'quiet')`
    const tokens = Array.from({ length: sockets }, (_, n) => tokenOf(n))
    yield* sql`
      insert into oauth_token (access_token_hash, access_expires_at, refresh_token_hash, refresh_expires_at, oauth_client_id, user_id)
      select sha256(t.token::bytea), now() + interval '1 day', sha256(('r' || t.token)::bytea), now() + interval '1 day', c.id, u.id
      from unnest(${tokens}::text[]) with ordinality t (token, n) join app_user u on u.username = 'fan' || t.n,
        (select id from oauth_client limit 1) c`
    yield* sql`analyze`
  })

const privateVideos = (channel: string) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ id: number }>`
      select v.id from video v join video_channel c on c.id = v.channel_id where c.display_name = ${channel} and v.privacy = 3
      order by v.id`
  )

const publish = async ({ url }: Instance, token: string, id: number): Promise<number> => {
  const from = performance.now()
  const answer = await fetch(`${url}/api/v1/videos/${id}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: '{"privacy":1}'
  })
  if (answer.status !== 204) throw new Error(`publish: ${answer.status} ${await answer.text()}`)
  return performance.now() - from
}

const told = (id: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ rows: number; users: number }>`
      select count(*)::integer as rows, count(distinct user_id)::integer as users
      from user_notification where video_id = ${id}`
  )

/** Milliseconds until all fans are told of a video, from when it was published. */
const untilTold = async (
  { dataDir }: Instance,
  id: number
): Promise<{ readonly ms: number; readonly rows: number }> => {
  const from = performance.now()
  return await withDatabase(
    dataDir,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      while ((yield* sql`select 1 from notification_event limit 1`).length > 0) {
        if (performance.now() - from > 60_000) return yield* Effect.die(new Error("not all are told after a minute"))
        yield* Effect.sleep("10 millis")
      }
      const ms = performance.now() - from
      const [now] = yield* told(id)
      return { ms, rows: now!.rows }
    })
  )
}

const at = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN

/** How long others wait while something runs, one request after another. */
const waits = async <A>({ url }: Instance, during: Promise<A>): Promise<readonly [A, ReadonlyArray<number>]> => {
  const times: Array<number> = []
  const state = { done: false }
  const asking = (async () => {
    while (!state.done) {
      const from = performance.now()
      await (await fetch(`${url}/api/v1/videos?count=15`)).arrayBuffer()
      times.push(performance.now() - from)
    }
  })()
  const result = await during
  state.done = true
  await asking
  return [result, times]
}

const data = freshDataDir()
const figures: Array<Figure> = []
let instance = await start(data.dir, port)
try {
  await withDatabase(data.dir, seed(runs + 12))
  const token = await login(instance.url)
  const [loud, quiet] = await Promise.all(
    ["loud", "quiet"].map(async (name) => (await withDatabase(data.dir, privateVideos(name))).map(({ id }) => id))
  )
  const next = (ids: Array<number>) => ids.shift()!

  for (let n = 0; n < 5; n++) {
    await publish(instance, token, next(quiet!))
    const id = next(loud!)
    await publish(instance, token, id)
    await untilTold(instance, id)
  }
  const times = { loud: [] as Array<number>, quiet: [] as Array<number>, all: [] as Array<number> }
  for (let n = 0; n < runs; n++) {
    times.quiet.push(await publish(instance, token, next(quiet!)))
    const id = next(loud!)
    times.loud.push(await publish(instance, token, id))
    const { ms, rows } = await untilTold(instance, id)
    if (rows !== fans) throw new Error(`${rows} of ${fans} were told`)
    times.all.push(ms)
  }
  figures.push(
    {
      name: `publishing with ${fans} subscribers, p95`,
      value: at(times.loud, 0.95) / at(times.quiet, 0.95),
      unit: "of the time with none",
      goal: { kind: "at most", value: 1.2 },
      note: `p50 ${at(times.loud, 0.5).toFixed(1)} and ${at(times.quiet, 0.5).toFixed(1)} ms, p95 ${at(times.loud, 0.95).toFixed(1)} and ${at(times.quiet, 0.95).toFixed(1)} ms, ${runs} runs in turns`
    },
    {
      name: `${fans} notifications made, p95`,
      value: at(times.all, 0.95) / 1000,
      unit: "s",
      goal: { kind: "at most", value: 2 },
      note: `median ${(at(times.all, 0.5) / 1000).toFixed(2)} s`
    }
  )

  const [, alone] = await waits(instance, new Promise((done) => setTimeout(done, 1500)))
  const together: Array<number> = []
  for (let n = 0; n < 4; n++) {
    const id = next(loud!)
    const [, meanwhile] = await waits(
      instance,
      publish(instance, token, id).then(() => untilTold(instance, id))
    )
    together.push(...meanwhile)
  }
  figures.push({
    name: "list of 15 while all are told, p95",
    value: at(together, 0.95),
    unit: "ms",
    beside: { name: "the same alone (ms)", value: at(alone, 0.95) },
    note: `p50 ${at(together, 0.5).toFixed(1)} ms, alone ${at(alone, 0.5).toFixed(1)} ms; one request after another`
  })

  const before = residentMiB(instance.pid)
  const file = join(data.dir, "tokens.txt")
  writeFileSync(file, Array.from({ length: sockets }, (_, n) => tokenOf(n)).join("\n"))
  const clients = spawn(process.execPath, [join(import.meta.dirname, "lib/SocketLoad.ts"), String(port), file], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  const lines = createInterface({ input: clients.stdout })[Symbol.asyncIterator]()
  if ((await lines.next()).value !== "ready") throw new Error("the sockets did not connect")
  await new Promise((done) => setTimeout(done, 3_000))
  const open = residentMiB(instance.pid)
  figures.push({
    name: `${sockets} sockets, resident memory of the node`,
    value: open - before,
    unit: "MiB more",
    goal: { kind: "at most", value: 150 },
    note: `${before.toFixed(0)} MiB before, ${open.toFixed(0)} with them`
  })
  clients.stdin.write("go\n")
  const heard = next(loud!)
  await publish(instance, token, heard)
  const reached = JSON.parse(String((await lines.next()).value)) as Record<"told" | "half" | "most" | "all", number>
  figures.push({
    name: `until ${sockets} sockets of ${fans} subscribers were told`,
    value: reached.all / 1000,
    unit: "s",
    note: `${reached.told} told; half after ${(reached.half / 1000).toFixed(2)} s, nine in ten after ${(reached.most / 1000).toFixed(2)} s`
  })
  clients.stdin.end()

  const last = next(loud!)
  await publish(instance, token, last)
  await new Promise((done) => setTimeout(done, 150))
  await instance.stop("SIGKILL")
  instance = await start(data.dir, port)
  await untilTold(instance, last)
  const [after] = await withDatabase(data.dir, told(last))
  figures.push({
    name: "lost or doubled by a node that is killed in the middle",
    value: Math.abs(fans - after!.users) + (after!.rows - after!.users),
    unit: "",
    goal: { kind: "at most", value: 0 }
  })
  write("notifications", figures, {})
} finally {
  await instance.stop()
  data.remove()
}
