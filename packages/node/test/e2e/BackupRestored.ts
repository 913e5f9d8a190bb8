import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeClip } from "../support/chaos/Stage.ts"
import { ExternalDatabase } from "../support/ExternalDatabase.ts"
import { instanceFiles } from "../support/InstanceFiles.ts"
import { KinoraProcess, until } from "../support/KinoraProcess.ts"
import { createResumable, putChunk, uploadMultipart, untilReady, type VideoAnswer } from "../support/Uploads.ts"

/** Every row of a dump with the name of its table, and every other statement, sorted: tables have no order. */
export const contents = (folder: string): ReadonlyArray<string> =>
  gunzipSync(readFileSync(join(folder, "database.sql.gz")))
    .toString()
    .split("\n")
    .filter((line) => !line.startsWith("-- {"))
    .flatMap((line) => {
      const [, table, rows] = /^insert into (\S+) .* from json_array_elements\('(.*)'\) r;$/.exec(line) ?? []
      if (rows === undefined) return [line]
      return (JSON.parse(rows.replaceAll("''", "'")) as ReadonlyArray<unknown>).map(
        (row) => `${table} ${JSON.stringify(row)}`
      )
    })
    .toSorted()

/** Beginnings of what only one of two sorted lists has. */
export const differences = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [left, right] = [new Set(some), new Set(others)]
  return [...some.filter((line) => !right.has(line)), ...others.filter((line) => !left.has(line))].map((line) =>
    line.slice(0, 300)
  )
}

/** Paths, sizes and checksums, sorted. */
export const listed = (folder: string): ReadonlyArray<string> =>
  readFileSync(join(folder, "files.jsonl"), "utf8").trimEnd().split("\n").toSorted()

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"))

/** Every address that a video's details name. */
const addressesOf = (video: VideoAnswer): ReadonlyArray<string> => [
  ...new Set(
    (JSON.stringify(video).match(/"(?:https?:\/\/[^"]+\/(?:static|lazy-static)\/[^"]+)"/g) ?? []).map(
      (text) => JSON.parse(text) as string
    )
  )
]

/** What an operator's tools do while a backup runs: more uploads, privacies that change, deletions. */
const load = (node: KinoraProcess, auth: Record<string, string>, clip: string) => {
  const end = new AbortController()
  const done = { uploads: 0, privacies: 0, deletions: 0 }
  const ids: Array<number> = []
  const forEver = async (work: () => Promise<void>) => {
    while (!end.signal.aborted) await work()
  }
  const works = [
    forEver(async () => {
      const answer = await uploadMultipart(node, auth, clip, { name: `Upload ${done.uploads}`, privacy: "1" })
      expect(answer.status).toBe(200)
      const { video } = (await answer.json()) as { video: { id: number } }
      ids.push(video.id)
      done.uploads++
    }),
    forEver(async () => {
      const id = ids[done.privacies % Math.max(1, ids.length)]
      if (id === undefined) return void (await new Promise((next) => setImmediate(next)))
      const body = new URLSearchParams({ privacy: done.privacies % 2 === 0 ? "3" : "1" })
      const answer = await fetch(`${node.url}/api/v1/videos/${id}`, { method: "PUT", headers: auth, body })
      expect([204, 404, 409]).toContain(answer.status)
      done.privacies++
    }),
    forEver(async () => {
      if (ids.length < 6) return void (await new Promise((next) => setImmediate(next)))
      const answer = await fetch(`${node.url}/api/v1/videos/${ids.shift()}`, { method: "DELETE", headers: auth })
      expect(answer.status).toBe(204)
      done.deletions++
    })
  ]
  return {
    done,
    stop: async () => {
      end.abort()
      await Promise.all(works)
    }
  }
}

/** A backup under load, and everything that restoring it is about. */
export const backupRestored = (kind: "embedded" | "external") =>
  describe(`a backup under load with the ${kind} database, restored`, { timeout: 300_000 }, () => {
    const root = mkdtempSync(join(tmpdir(), "kinora-backup-"))
    const first = join(root, "first")
    const clip = makeClip()
    let node: KinoraProcess
    let copy: KinoraProcess
    let auth: Record<string, string>
    const databases: Array<ExternalDatabase> = []

    /** The settings of an instance with a database of its own. */
    const withDatabase = async (): Promise<Record<string, string>> => {
      if (kind === "embedded") return {}
      const database = await ExternalDatabase.create()
      databases.push(database)
      return { DATABASE_URL: database.url }
    }

    beforeAll(async () => {
      node = await KinoraProcess.create(await withDatabase())
      await node.start()
      auth = await node.login()
      // The restored instance has the address of the first.
      copy = await KinoraProcess.create({ KINORA_WEBSERVER_PORT: String(node.port), ...(await withDatabase()) })
    })
    afterAll(async () => {
      await node.remove()
      await copy.remove()
      for (const database of databases) await database.drop()
      rmSync(root, { recursive: true, force: true })
    })

    it("has every file that its rows name, whatever is uploaded, renamed and deleted meanwhile", async () => {
      const kept = (await (await uploadMultipart(node, auth, clip, { name: "Kept", privacy: "1" })).json()) as {
        video: { uuid: string }
      }
      await untilReady(node, kept.video.uuid, 1)
      const size = statSync(clip).size
      const path = await createResumable(node, auth, size, { name: "Half" })
      expect((await putChunk(node, auth, path, clip, 0, 1024, size)).status).toBe(308)

      const work = load(node, auth, clip)
      while (work.done.deletions < 1) await new Promise((next) => setTimeout(next, 50))
      const before = { ...work.done }
      const made = await node.command(["backup", first])
      expect(made.code, made.err).toBe(0)
      expect(made.out).toContain("It holds the secret key")
      while (work.done.privacies <= before.privacies || work.done.deletions <= before.deletions)
        await new Promise((next) => setTimeout(next, 50))
      await work.stop()
      expect(manifestOf(first).missing).toBe(0)
      expect(statSync(first).mode & 0o777).toBe(0o700)
      expect(statSync(join(first, "secret.key")).mode & 0o777).toBe(0o600)
      expect(existsSync(`${first}.partial`)).toBe(false)
    })

    it("is refused where it does not belong, and does not overwrite another", async () => {
      const twice = await node.command(["backup", first])
      expect(twice.code).toBe(1)
      expect(twice.err).toContain("exists already")
      const over = await node.command(["restore", first])
      expect(over.code).toBe(1)
      expect(over.err + over.out).toMatch(/belongs to a Kinora that runs|There is an instance already/)
      const elsewhere = await copy.command(["restore", first], "", { KINORA_WEBSERVER_HOSTNAME: "other.example" })
      expect(elsewhere.code).toBe(1)
      expect(elsewhere.err).toContain("--rename-host")

      const manifest = readFileSync(join(first, "manifest.json"), "utf8")
      const newer = JSON.parse(manifest)
      newer.head.schema.push({ id: 9999, name: "later", checksum: "0" })
      writeFileSync(join(first, "manifest.json"), JSON.stringify(newer))
      const later = await copy.command(["restore", first])
      writeFileSync(join(first, "manifest.json"), manifest)
      expect(later.code).toBe(1)
      expect(later.err).toContain("schema change 9999 (later)")
    })

    it("is refused when a byte of it has changed, and nothing stays of it", async () => {
      const { path } = JSON.parse(listed(first).find((line) => line.includes("files/thumbnails/")) ?? "")
      const file = join(first, path)
      const bytes = readFileSync(file)
      rmSync(file)
      writeFileSync(file, Buffer.from(bytes.map((byte, index) => (index === 100 ? byte ^ 1 : byte))))
      for (const args of [
        ["restore", "--dry-run", first],
        ["restore", first]
      ]) {
        const refused = await copy.command(args)
        expect(refused.code, refused.out).toBe(1)
        expect(refused.err).toContain(path)
      }
      writeFileSync(file, bytes)
      expect(existsSync(join(copy.dataDir, "secret.key"))).toBe(false)
    })

    it.skipIf(kind === "embedded")("that is killed half way is begun anew, and no node starts meanwhile", async () => {
      // The rows come after the files. They wait for another node that brings the database to its schema.
      const elsewhere = databases[1]!.open()
      const locked = await elsewhere.runPromise(
        Effect.flatMap(SqlClient, (sql) => sql`select pg_advisory_lock(5462001)`).pipe(Effect.as(true))
      )
      expect(locked).toBe(true)
      const halfway = copy.begin(["restore", first])
      await until("the files", 60, async () => (halfway.said().includes("Loading the database") ? true : undefined))
      halfway.kill()
      await halfway.ended
      await elsewhere.dispose()
      expect(instanceFiles(copy.dataDir)).toContain("secret.key")

      copy.spawn()
      expect(await copy.exit(60)).toBe(1)
      expect(copy.output).toMatch(/A restore into .* did not finish\. Run `kinora restore` again/)
      const user = await copy.command(["users", "create", "ada", "--email", "ada@example.com"])
      expect(user.code).toBe(1)
      expect(user.err).toContain("did not finish")

      const path = join(first, "files.jsonl")
      const list = readFileSync(path)
      rmSync(path)
      writeFileSync(path, Buffer.concat([list, Buffer.from("\n")]))
      const damaged = await copy.command(["restore", first])
      rmSync(path)
      writeFileSync(path, list)
      expect(damaged.err).toContain("A former restore did not finish: what it has written is removed.")
      expect(damaged.err).toContain("files.jsonl")
      expect(damaged.code).toBe(1)
      expect(instanceFiles(copy.dataDir)).toEqual([])
    })

    it("is the same again, row by row and file by file", async () => {
      const dry = await copy.command(["restore", "--dry-run", first])
      expect(dry.code, dry.err).toBe(0)
      expect(dry.out).toContain("Nothing was changed")
      const restored = await copy.command(["restore", first])
      expect(restored.code, restored.err).toBe(0)
      const again = await copy.command(["backup", join(root, "again")])
      expect(again.code, again.err).toBe(0)
      expect(differences(contents(join(root, "again")), contents(first))).toEqual([])
      expect(contents(join(root, "again"))).toHaveLength(contents(first).length)
      expect(differences(listed(join(root, "again")), listed(first))).toEqual([])
      const checked = await copy.command(["storage", "check"])
      expect(checked.code, checked.out).toBe(0)
      expect(checked.out).toContain("Missing files that rows name: 0.")
      const third = await copy.command(["restore", first])
      expect(third.code).toBe(1)
      expect(third.err).toContain("There is an instance already")
    })

    it("that is killed after its last row is ended by the next one, and not by that of another backup", async () => {
      const files = instanceFiles(copy.dataDir)
      copyFileSync(join(first, "files.jsonl"), join(copy.dataDir, "unfinished-restore.jsonl"))
      const wrong = await copy.command(["restore", join(root, "again")])
      // Files of both are the same, in another order.
      expect(wrong.err).toContain("The restore of another backup did not finish here")
      expect(wrong.code).toBe(1)
      const right = await copy.command(["restore", first])
      expect(right.code, right.err).toBe(0)
      expect(instanceFiles(copy.dataDir)).toEqual(files)
    })

    it.skipIf(kind === "embedded")("leaves files that a wrong DATABASE_URL knows nothing of alone", async () => {
      const { DATABASE_URL } = await withDatabase()
      copy.spawn({ DATABASE_URL: DATABASE_URL! })
      expect(await copy.exit(60)).toBe(1)
      expect(copy.output).toMatch(/The database holds no instance, but .* shows that one was kept here/)
      const files = instanceFiles(copy.dataDir)
      expect(files.length).toBeGreaterThan(3)
    })

    it("restores the dump of its database alone beside files that are there", async () => {
      const other = await KinoraProcess.create({ KINORA_WEBSERVER_PORT: String(node.port), ...(await withDatabase()) })
      cpSync(join(first, "files", "thumbnails"), join(other.dataDir, "thumbnails"), { recursive: true })
      const restored = await other.command(["restore", join(first, "database.sql.gz")])
      expect(restored.code, restored.err).toBe(0)
      expect((await other.command(["backup", join(root, "other"), "--without-secret-key"])).code).toBe(0)
      expect(differences(contents(join(root, "other")), contents(first))).toEqual([])
      const twice = await other.command(["restore", join(first, "database.sql.gz")])
      expect(twice.err).toContain("The database holds an instance already")
      await other.remove()
    })

    it("takes files from the newest one beside it, is whole by itself, and keeps as many as are wanted", async () => {
      const daily = join(root, "daily")
      const [one, two, three] = ["one", "two", "three"].map((name) => join(daily, name)) as [string, string, string]
      const whole = await node.command(["backup", "--incremental", one])
      expect(whole.code, whole.err).toBe(0)
      expect(whole.err).toContain("every file is copied")
      // A file of its own shows where the next one gets it from: linked files would all be the instance's.
      const { path, size } = JSON.parse(listed(one).find((line) => line.includes("files/thumbnails/")) ?? "")
      const own = readFileSync(join(one, path))
      rmSync(join(one, path))
      writeFileSync(join(one, path), own)
      const gone = JSON.parse(listed(one).find((line) => line.includes("files/torrents/")) ?? "")
      rmSync(join(one, gone.path))

      const next = await node.command(["backup", "--incremental", two])
      expect(next.code, next.err).toBe(0)
      expect(next.err).toContain(`Files that ${one} has are taken from there.`)
      expect(statSync(join(two, path)).ino).toBe(statSync(join(one, path)).ino)
      expect(statSync(join(two, path)).size).toBe(size)
      // What the earlier one lacks comes from the instance.
      expect(existsSync(join(two, gone.path))).toBe(true)

      const last = await node.command(["backup", "--incremental", "--keep", "2", three])
      expect(last.code, last.err).toBe(0)
      expect(last.out).toContain("Removed: one")
      expect([one, two, three].map((folder) => existsSync(folder))).toEqual([false, true, true])
      const empty = await KinoraProcess.create({ KINORA_WEBSERVER_PORT: String(node.port), ...(await withDatabase()) })
      const dry = await empty.command(["restore", "--dry-run", three])
      expect(dry.code, dry.err).toBe(0)
      await empty.remove()
    })

    it("runs: every address that a video names answers", async () => {
      await node.stop()
      await copy.start()
      const signedIn = await copy.login()
      // Jobs of the backup go on, and some replace files: addresses stay once they are done. That takes a while: once will do.
      for (const state of kind === "embedded" ? ["waiting", "active"] : []) {
        await until(`no job is ${state}`, 120, async () => {
          const { total } = await copy.json<{ total: number }>(`/api/v1/jobs/${state}`, signedIn)
          return total === 0 ? true : undefined
        })
      }
      const { data } = await copy.json<{ data: ReadonlyArray<{ uuid: string }> }>(
        "/api/v1/users/me/videos?count=100",
        signedIn
      )
      expect(data.length).toBeGreaterThan(1)
      for (const { uuid } of kind === "embedded" ? data : []) {
        const video = await copy.json<VideoAnswer>(`/api/v1/videos/${uuid}`, signedIn)
        for (const address of addressesOf(video)) {
          const { pathname } = new URL(address)
          expect((await copy.get(pathname, signedIn)).status, `${video.name}: ${pathname}`).toBe(200)
        }
      }
    })
  })
