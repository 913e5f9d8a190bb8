import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { MovingReport } from "../../src/instance/moving/MovingReport.ts"
import { ExternalDatabase } from "../support/ExternalDatabase.ts"
import { KinoraProcess, until } from "../support/KinoraProcess.ts"
import { laterVersion, peerExtras } from "../support/PeerExtras.ts"
import { atPeerAddress, change, peerDatabase, peerStorage, rowsOf } from "../support/PeerInstance.ts"

/** Holds a lock on a table of a database until it is released. */
const holding = async (database: ExternalDatabase, table: string, mode: string) => {
  const runtime = database.open()
  let release = (): void => undefined
  const gate = new Promise<void>((open) => (release = open))
  let locked = (): void => undefined
  const isLocked = new Promise<void>((done) => (locked = done))
  const ended = runtime.runPromise(
    Effect.flatMap(SqlClient, (sql) =>
      sql.withTransaction(
        Effect.andThen(
          sql.unsafe(`lock table ${table} in ${mode} mode`),
          Effect.promise(() => {
            locked()
            return gate
          })
        )
      )
    )
  )
  await isLocked
  return async () => {
    release()
    await ended
    await runtime.dispose()
  }
}

const filesBelow = (folder: string): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => statSync(join(folder, name)).isFile())
    : []

describe("moving in", () => {
  let source: ExternalDatabase
  let storage: string
  const targets: Array<ExternalDatabase> = []
  const nodes: Array<KinoraProcess> = []

  /** An empty instance at the address of the old one. */
  const empty = async (env: Record<string, string> = {}) => {
    const target = await ExternalDatabase.create()
    const node = await KinoraProcess.create({ ...atPeerAddress, DATABASE_URL: target.url, ...env })
    targets.push(target)
    nodes.push(node)
    const args = ["import-peertube", "--json", "--storage", storage]
    const from = { PEERTUBE_DATABASE_URL: source.url }
    return {
      target,
      node,
      move: (...more: ReadonlyArray<string>) => node.command([...args, ...more], "", from),
      begin: () => node.begin(args, "", from)
    }
  }

  beforeEach(async () => {
    source = await peerDatabase()
    storage = peerStorage()
    await change(source, ...peerExtras)
  })

  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.remove()
    for (const database of [source, ...targets.splice(0)]) await database.drop()
    rmSync(storage, { recursive: true })
  })

  it("writes nothing in a dry run, and reports what would come", async () => {
    const { move, node, target } = await empty()
    const result = await move("--dry-run")
    expect([result.code, result.err]).toEqual([0, "Nothing was changed.\n"])
    const report = JSON.parse(result.out) as MovingReport
    expect(report.dryRun).toBe(true)
    expect(report.tables.find(({ table }) => table === "videoComment")).toMatchObject({ rows: 54, written: null })
    expect(report.files).toMatchObject({ files: 61, missingCount: 0 })
    expect(
      await rowsOf(target, "select 1 as there from information_schema.tables where table_schema = 'public'")
    ).toEqual([])
    expect(filesBelow(node.dataDir)).toEqual([])
    // The database in the data folder is not made either; and folders of an instance are seen.
    const args = ["import-peertube", "--dry-run", "--storage", storage, "--database", source.url]
    const embedded = await KinoraProcess.create(atPeerAddress)
    nodes.push(embedded)
    expect((await embedded.command(args)).out).toContain("videoComment: 54")
    expect(filesBelow(embedded.dataDir)).toEqual([])
    writeFileSync(join(embedded.dataDir, "secret.key"), "key")
    expect((await embedded.command(args)).err).toContain("There is an instance already")
  })

  it("refuses another address, an instance that is there, files that are missing, and second factors that would be lost", async () => {
    const elsewhere = await empty({ KINORA_WEBSERVER_PORT: "443" })
    expect((await elsewhere.move()).err).toContain(
      "The old instance is http://localhost:26500, and the configuration says http://localhost:443"
    )

    const filled = await empty()
    await filled.node.startAsItIs()
    await filled.node.stop()
    const refused = await filled.move()
    expect([refused.code, refused.err.includes("holds an instance already")]).toEqual([1, true])
    expect((await filled.move("--dry-run")).err).toContain("holds an instance already")

    const fresh = await empty()
    await change(source, `update "user" set "otpSecret" = 'sealed:by:another' where username = 'user3'`)
    expect((await fresh.move()).err).toContain("1 users have a second factor that cannot be read")
    await change(source, `update "user" set "otpSecret" = null`)
    await change(
      source,
      `update "videoFile" set filename = 'lost.mp4' where id = (select min(id) from "videoFile" where "videoId" = 1)`
    )
    const lost = await fresh.move()
    expect(lost.err).toContain("1 files are missing, the web video lost.mp4 for example: there is no such file.")
    expect(
      await rowsOf(fresh.target, "select 1 as there from information_schema.tables where table_schema = 'public'")
    ).toEqual([])
    // Without it, what names it goes.
    const result = await fresh.move("--accept-missing-files")
    expect(result.code, result.err).toBe(0)
    const report = JSON.parse(result.out) as MovingReport
    expect(report.files.missing).toEqual([{ kind: "web video", name: "lost.mp4", reason: "there is no such file" }])
    expect(await rowsOf(fresh.target, "select id from video_file where filename = 'lost.mp4'")).toEqual([])
    expect((await fresh.move()).err).toContain("This instance was imported already")

    const other = await empty()
    const none = await other.node.command(["import-peertube", "--storage", storage, "--database", other.target.url])
    expect(none.err).toContain("is none of a PeerTube instance that can be read: it lacks server.id")
    const away = await other.node.command([
      "import-peertube",
      "--storage",
      storage,
      "--database",
      "postgresql://127.0.0.1:1/none"
    ])
    expect([away.code, away.err.includes("cannot be read")]).toEqual([1, true])
  })

  it("reports tables, columns and values that it does not know, and brings all else", async () => {
    const { move, node, target } = await empty()
    await change(source, ...laterVersion, `update "user" set "otpSecret" = 'JBSWY3DPEHPK3PXP' where username = 'user3'`)
    // Subtitles in the playlist, which no table names.
    const hls = join(storage, "streaming-playlists/hls/de296f71-fe74-4c3e-b75f-a9e5abff1fcd")
    const master = join(
      hls,
      readdirSync(hls).find((name) => name.endsWith("-master.m3u8"))!
    )
    writeFileSync(
      master,
      readFileSync(master, "utf8").replace(
        "#EXTM3U",
        '#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="en",URI="en.m3u8"'
      )
    )
    writeFileSync(join(hls, "en.m3u8"), "#EXTM3U\n#EXTINF:3,\nen.vtt\n#EXTINF:3,\n../../../secret\n")
    writeFileSync(join(hls, "en.vtt"), "WEBVTT\n")
    const result = await move("--accept-missing-files", "--link")
    expect(result.code, result.err).toBe(0)
    const report = JSON.parse(result.out) as MovingReport
    expect(report.unknownTables).toEqual([{ table: "playerSetting", rows: 1 }])
    expect(report.unknownColumns).toEqual(["video.unheardOf"])
    expect(report.missingTables).toEqual(["commentAutomaticTag"])
    expect(report.missingColumns).toContain("userNotificationSetting.newPluginVersion")
    const short = report.tables.filter(({ rows, written }) => rows !== written).map(({ table }) => table)
    expect(short).toEqual(["videoLive", "videoCaption", "userNotification"])
    expect(report.tables.find(({ table }) => table === "videoLive")?.refused[0]).toContain(
      "live_video_latency_mode_check"
    )
    expect(await rowsOf(target, "select email::text, password_hash as hash from app_user where id = 50")).toEqual([
      { email: "50.duplicate.USER1@example.com", hash: "!" }
    ])
    expect(report.notes.join(" ")).toMatch(/double have no password .* addresses of double differ/)
    expect(await rowsOf(target, "select count(*)::int as videos from video")).toEqual([{ videos: 7 }])
    await node.startAsItIs()
    await node.login("user1", "password1")
    const video = "/static/streaming-playlists/hls/de296f71-fe74-4c3e-b75f-a9e5abff1fcd"
    expect(await (await node.get(`${video}/en.vtt`)).text()).toBe("WEBVTT\n")
    // The files are those of the old instance under a second name.
    const [file] = filesBelow(join(storage, "web-videos")).filter((name) => !name.includes("/"))
    expect(statSync(join(node.dataDir, "web-videos", file!)).ino).toBe(statSync(join(storage, "web-videos", file!)).ino)
    // A second factor that is not sealed goes on.
    await expect(node.login("user3", "password1")).rejects.toThrow("missing_two_factor")
  })

  it("goes on after it was killed, among rows and among files, and no node starts before it is done", async () => {
    const { begin, move, node, target } = await empty()
    expect((await node.command(["migrate"])).code).toBe(0)
    const releaseRows = await holding(target, "video_comment", "access exclusive")
    const amongRows = begin()
    await until("the step before the comments", 60, async () => {
      const [step] = await rowsOf<{ done: boolean }>(
        target,
        "select done from moving_in_step where step = 'accountVideoRate'"
      )
      return step?.done === true ? true : undefined
    })
    amongRows.kill()
    await amongRows.ended
    await releaseRows()

    const listed = await node.command(["users", "list"])
    expect([listed.code, listed.err.includes("did not finish")]).toEqual([1, true])
    node.spawn()
    expect(await node.exit(60)).not.toBe(0)
    expect(node.output).toContain("Run `kinora import-peertube` again")

    const releaseFiles = await holding(target, "moving_in_file", "share")
    const amongFiles = begin()
    await until("the first files", 60, async () =>
      filesBelow(join(node.dataDir, "web-videos")).length > 0 ? true : undefined
    )
    amongFiles.kill()
    await amongFiles.ended
    expect(amongFiles.said()).toContain("this one goes on where it ended")
    await releaseFiles()

    const last = await move()
    expect(last.code, last.err).toBe(0)
    const report = JSON.parse(last.out) as MovingReport
    for (const { present, table, written } of report.tables) {
      if (present !== null) expect([table, present]).toEqual([table, written])
    }
    expect(report.files.verified).toBe(report.files.files)
    await node.startAsItIs()
    for (const { filename } of await rowsOf<{ filename: string }>(
      source,
      `select filename from "videoFile" where "videoId" = 2`
    )) {
      const answer = await node.get(`/static/web-videos/${filename}`)
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(readFileSync(join(storage, "web-videos", filename)))
    }
    expect(filesBelow(join(node.dataDir, "tmp", "import"))).toEqual([])
  })
})
