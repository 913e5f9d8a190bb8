import { Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeS3Server, s3Keys, type S3Server } from "../../../storage/test/support/objects/S3Server.ts"
import { ExternalDatabase } from "../support/ExternalDatabase.ts"
import { filesBelow, instanceFiles } from "../support/InstanceFiles.ts"
import { type CommandResult, KinoraProcess, until } from "../support/KinoraProcess.ts"
import { type CreatedVideo, createResumable, putChunk, untilReady, uploadMultipart } from "../support/Uploads.ts"
import { plainClip } from "../video/upload/Clips.ts"
import { contents, differences, listed } from "./BackupRestored.ts"

const passphrase = "a long enough passphrase"
const kinds = ["streaming-playlists", "web-videos", "original-video-files", "user-exports"]
const stored = "._S3rver_object"

describe("encrypted backups in object storage", { timeout: 300_000 }, () => {
  const scope = Scope.makeUnsafe()
  const root = mkdtempSync(join(tmpdir(), "kinora-backup-s3-"))
  const clip = plainClip()
  const databases: Array<ExternalDatabase> = []
  let server: S3Server
  let node: KinoraProcess
  let copy: KinoraProcess
  let auth: Record<string, string>
  let video: CreatedVideo
  /** Names of backups, in order. */
  const names: Array<string> = []

  const environment = async () => {
    const database = await ExternalDatabase.create()
    databases.push(database)
    return {
      DATABASE_URL: database.url,
      KINORA_BACKUP_S3_ENDPOINT: server.endpoint,
      KINORA_BACKUP_S3_CREDENTIALS_ACCESS_KEY_ID: s3Keys.accessKeyId,
      KINORA_BACKUP_S3_CREDENTIALS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
      KINORA_BACKUP_S3_MAX_REQUEST_ATTEMPTS: "2",
      KINORA_BACKUP_ENCRYPTION_PASSPHRASE: passphrase
    }
  }
  const bucket = () => join(server.directory, "backups")
  const objects = () => filesBelow(bucket()).filter((name) => name.includes("/objects/") && name.endsWith(stored))
  const sent = () =>
    server.proxy.seen.filter(({ method, path }) => method === "PUT" && path.includes("/objects/")).length
  const nameIn = (result: CommandResult): string =>
    /The backup is s3:\/\/backups\/mine\/(\S+)/.exec(result.out)?.[1] ?? ""
  const backUp = async (...more: ReadonlyArray<string>) => {
    const result = await node.command(["backup", "--encrypt", ...more, "s3://backups/mine"])
    expect(result.code, result.err).toBe(0)
    expect(result.out + result.err).not.toContain(passphrase)
    const name = nameIn(result)
    expect(name).toMatch(/^\d{4}-/)
    return { name, result }
  }
  const listedBackups = async () => {
    const { out } = await node.command(["backup", "list", "s3://backups/mine"])
    return out.trim() === "" ? [] : out.trim().split("\n")
  }
  const noJobs = async () => {
    for (const state of ["waiting", "active"]) {
      await until(`no job is ${state}`, 120, async () => {
        const { total } = await node.json<{ total: number }>(`/api/v1/jobs/${state}`, auth)
        return total === 0 ? true : undefined
      })
    }
  }

  beforeAll(async () => {
    server = await Effect.runPromise(Scope.provide(makeS3Server(["backups", ...kinds]), scope))
    node = await KinoraProcess.create({
      ...(await environment()),
      KINORA_OBJECT_STORAGE_ENABLED: "true",
      KINORA_OBJECT_STORAGE_ENDPOINT: server.endpoint,
      KINORA_OBJECT_STORAGE_CREDENTIALS_ACCESS_KEY_ID: s3Keys.accessKeyId,
      KINORA_OBJECT_STORAGE_CREDENTIALS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey
    })
    await node.start()
    auth = await node.login()
    const answer = await uploadMultipart(node, auth, clip, { name: "Kept", privacy: "1" })
    video = ((await answer.json()) as { video: CreatedVideo }).video
    await untilReady(node, video.uuid, 1)
    await noJobs()
    const size = statSync(clip).size
    const path = await createResumable(node, auth, size, { name: "Half" })
    expect((await putChunk(node, auth, path, clip, 0, 1024, size)).status).toBe(308)
    copy = await KinoraProcess.create({ KINORA_WEBSERVER_PORT: String(node.port), ...(await environment()) })
  }, 400_000)
  afterAll(async () => {
    await node.remove()
    await copy.remove()
    for (const database of databases) await database.drop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(root, { recursive: true, force: true })
  })

  it("are made, files of the instance's own object storage included, and show neither names nor bytes", async () => {
    const plain = await node.command(["backup", "--encrypt", "s3://backups/mine"], "", {
      KINORA_BACKUP_ENCRYPTION_PASSPHRASE: ""
    })
    expect(plain.code).toBe(1)
    expect(plain.err).toContain("There is no passphrase to encrypt with")
    const { name, result } = await backUp()
    names.push(name)
    expect(result.out).toContain("It is encrypted")
    expect(filesBelow(join(server.directory, "streaming-playlists")).length).toBeGreaterThan(0)
    const kept = filesBelow(bucket()).filter((file) => file.endsWith(stored))
    expect(kept.length).toBeGreaterThan(5)
    for (const file of kept) {
      expect(file).toMatch(/\.age\._S3rver_object$/)
      expect(readFileSync(join(bucket(), file)).subarray(0, 21).toString()).toBe("age-encryption.org/v1")
    }
    expect(kept.join()).not.toContain(video.uuid)
    expect(await listedBackups()).toEqual([expect.stringMatching(new RegExp(`^${name}\t.*\tencrypted$`))])
  })

  it("are incremental: what is there is neither sent again nor read", async () => {
    const [before, had] = [sent(), objects()]
    const { name, result } = await backUp("--incremental")
    names.push(name)
    expect(result.err).toContain(`Files that s3://backups/mine/${names[0]} has are taken from there.`)
    expect(sent()).toBe(before)
    expect(objects()).toEqual(had)
    const left = await node.command(["backup", "--without-objects", "--incremental", "s3://backups/mine"])
    expect(left.code, left.err).toBe(0)
    expect(left.out).toMatch(/\d+ files \(.*\) are in object storage and not in the backup/)
    expect(left.err).not.toContain("warning")
    names.push(nameIn(left))
  })

  it("that are cut off are none", async () => {
    for (const what of ["database.sql.gz", "files.jsonl", "manifest.json"]) {
      server.proxy.fault = ({ method, path }) =>
        method === "PUT" && path.includes(what) ? { kind: "status", status: 500, code: "InternalError" } : undefined
      const result = await node.command(["backup", "--incremental", "s3://backups/mine"])
      expect(result.code).toBe(1)
      expect(result.err).toContain("500")
    }
    server.proxy.fault = ({ method, path }) =>
      method === "PUT" && path.includes("files.jsonl") ? { kind: "slow", millis: 60_000 } : undefined
    const killed = node.begin(["backup", "s3://backups/mine"])
    const seen = server.proxy.seen.length
    await until("the list", 60, async () =>
      server.proxy.seen.slice(seen).some(({ method, path }) => method === "PUT" && path.includes("files.jsonl"))
        ? true
        : undefined
    )
    killed.kill()
    await killed.ended
    server.proxy.fault = () => undefined
    expect((await listedBackups()).map((line) => line.split("\t")[0]).toSorted()).toEqual(names.toSorted())
  })

  it("are made through a faulty service, whole", async () => {
    let count = 0
    const kinds = [
      { kind: "status", status: 503, code: "SlowDown" },
      { kind: "cut request" },
      { kind: "wrong etag" },
      { kind: "lost answer" }
    ] as const
    server.proxy.fault = ({ path }) =>
      path.startsWith("/backups") && ++count % 9 === 0 ? kinds[(count / 9) % 4] : undefined
    const result = await node.command(["backup", "s3://backups/mine"], "", {
      KINORA_BACKUP_S3_MAX_REQUEST_ATTEMPTS: "5"
    })
    server.proxy.fault = () => undefined
    expect(result.code, result.err).toBe(0)
    expect(count).toBeGreaterThan(40)
    names.push(nameIn(result))
    const verified = await node.command(["backup", "verify", `s3://backups/mine/${names.at(-1)}`])
    expect(verified.code, verified.err).toBe(0)
    expect(verified.out).toContain("The backup is whole")
  })

  it("are refused with another passphrase, and when a byte has changed or a file is cut; nothing stays", async () => {
    const address = `s3://backups/mine/${names.at(-1)}`
    const wrong = { KINORA_BACKUP_ENCRYPTION_PASSPHRASE: "another long passphrase" }
    for (const args of [
      ["restore", address],
      ["backup", "verify", address],
      ["backup", "list", "s3://backups/mine"]
    ]) {
      const refused = await copy.command(args, "", wrong)
      expect(refused.code).toBe(1)
      expect(refused.err).toContain("The configured passphrase does not open s3://backups/mine/identity.age")
    }
    const without = await copy.command(["restore", address], "", { KINORA_BACKUP_ENCRYPTION_PASSPHRASE: "" })
    expect(without.err).toContain("are encrypted: set backup.encryption.passphrase")
    expect((await copy.command(["restore", `${address}x`])).err).toContain("is no whole backup")

    const largest = objects().toSorted(
      (one, other) => statSync(join(bucket(), other)).size - statSync(join(bucket(), one)).size
    )[0]!
    const file = join(bucket(), largest)
    const bytes = readFileSync(file)
    writeFileSync(file, Buffer.from(bytes.map((byte, index) => (index === 100_000 ? byte ^ 1 : byte))))
    for (const args of [
      ["restore", "--dry-run", address],
      ["restore", address],
      ["backup", "verify", "--drill", address]
    ]) {
      const refused = await copy.command(args)
      expect(refused.code, refused.out).toBe(1)
      expect(refused.err).toMatch(/files\/\S+: The backup is damaged: \S+ cannot be decrypted/)
      expect(instanceFiles(copy.dataDir)).toEqual([])
    }
    writeFileSync(file, bytes)
    const manifest = join(bucket(), `mine/${names.at(-1)}/manifest.json.age${stored}`)
    const kept = readFileSync(manifest)
    writeFileSync(manifest, readFileSync(join(bucket(), `mine/${names[0]}/manifest.json.age${stored}`)))
    expect((await copy.command(["restore", address])).err).toContain(`is the manifest of another backup, ${names[0]}`)
    writeFileSync(manifest, kept)
  })

  it("are restored for a trial, which leaves nothing, and for good: the same, row by row and file by file", async () => {
    const address = `s3://backups/mine/${names.at(-1)}`
    const scratch = join(root, "scratch")
    const drill = await node.command(["backup", "verify", "--drill", "--scratch", scratch, address])
    expect(drill.code, drill.err).toBe(0)
    expect(drill.out).toMatch(/The restore drill succeeded: \d+ files, \d+ rows in \d+ tables/)
    expect(readdirSync(scratch)).toEqual([])
    const without = await node.command([
      "backup",
      "verify",
      "--drill",
      "--scratch",
      scratch,
      `s3://backups/mine/${names[2]}`
    ])
    expect(without.code, without.err).toBe(0)

    await node.stop()
    const last = await node.command(["backup", join(root, "plain")], "", { KINORA_BACKUP_ENCRYPTION_PASSPHRASE: "" })
    expect(last.code, last.err).toBe(0)
    const { name } = await backUp("--incremental")
    names.push(name)
    const restored = await copy.command(["restore", `s3://backups/mine/${name}`])
    expect(restored.code, restored.err).toBe(0)
    const again = await copy.command(["backup", join(root, "again")], "", { KINORA_BACKUP_ENCRYPTION_PASSPHRASE: "" })
    expect(again.code, again.err).toBe(0)
    expect(differences(contents(join(root, "again")), contents(join(root, "plain")))).toEqual([])
    expect(differences(listed(join(root, "again")), listed(join(root, "plain")))).toEqual([])
  })

  it("go when they are old, with the files that only they had", async () => {
    await node.start()
    auth = await node.login()
    const gone = await fetch(`${node.url}/api/v1/videos/${video.uuid}`, { method: "DELETE", headers: auth })
    expect(gone.status).toBe(204)
    await noJobs()
    // Players have time to end before files go.
    const database = databases[0]!.open()
    await database.runPromise(Effect.flatMap(SqlClient, (sql) => sql`update object_removal set not_before = now()`))
    await database.dispose()
    const files = () => [...filesBelow(join(server.directory, "streaming-playlists")), ...instanceFiles(node.dataDir)]
    await until("the files to go", 120, async () =>
      files().some((file) => file.includes(video.uuid) || file.startsWith("torrents/")) ? undefined : true
    )
    const before = objects().length
    // What is younger than a day may belong to a backup that is being written.
    const { result } = await backUp("--incremental", "--keep", "2")
    expect(objects().length).toBeGreaterThanOrEqual(before)
    for (const name of names.slice(0, -1)) expect(result.out).toContain(name)
    for (const file of objects()) utimesSync(join(bucket(), file), 1_700_000_000, 1_700_000_000)
    const { name } = await backUp("--incremental", "--keep", "1")
    expect(objects().length).toBeLessThan(before)
    expect(await listedBackups()).toHaveLength(1)
    const verified = await node.command(["backup", "verify", "--drill", `s3://backups/mine/${name}`])
    expect(verified.code, verified.err).toBe(0)
  })

  it("can be on a disk, too, where plain ones are not mixed in", async () => {
    const daily = join(root, "daily")
    for (const name of ["one", "two"]) {
      const made = await node.command(["backup", "--incremental", "--keep", "1", join(daily, name)])
      expect(made.code, made.err).toBe(0)
    }
    expect(existsSync(join(daily, "one"))).toBe(false)
    const plain = await node.command(["backup", join(daily, "three")], "", { KINORA_BACKUP_ENCRYPTION_PASSPHRASE: "" })
    expect(plain.code).toBe(1)
    expect(plain.err).toContain("are encrypted")
    const verified = await node.command(["backup", "verify", "--drill", join(daily, "two")])
    expect(verified.code, verified.err).toBe(0)
    const list = await node.command(["backup", "list", daily])
    expect(list.out).toMatch(/^two\t.*\tencrypted\n$/)
  })
})
