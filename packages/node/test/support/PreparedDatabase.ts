import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { promisify } from "node:util"

const folder = resolve(import.meta.dirname, "../../../../.cache/test-data")

/** The place of what this program makes: another build has another one. */
const placeOf = (bundle: string): string => {
  const hash = createHash("sha256")
  const directory = dirname(bundle)
  for (const name of readdirSync(directory).filter((it) => it.endsWith(".mjs"))) {
    hash.update(readFileSync(join(directory, name)))
  }
  return join(folder, hash.digest("hex").slice(0, 16))
}

const execute = promisify(execFile)

/** Owners stay: the database belongs to an account of its own. */
const copy = (from: string, to: string) => execute("cp", ["-a", from, to])

/** Lets the program set up its database in an empty data folder, and keeps the folder of the database. */
const make = async (bundle: string, place: string): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), "kinora-prepared-"))
  try {
    chmodSync(dataDir, 0o755)
    await execute(process.execPath, [bundle, "migrate"], { env: { ...process.env, KINORA_DATA_DIR: dataDir } })
    const made = join(dataDir, "postgres")
    // Where the account of the database cannot read the folder, the program keeps its database elsewhere.
    if (!existsSync(join(made, "data"))) return void mkdirSync(place)
    await copy(made, `${place}.new`)
    renameSync(`${place}.new`, place)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Whether the process that wrote this file still runs. */
const ownerRuns = (lock: string): boolean => {
  try {
    return process.kill(Number(readFileSync(lock, "utf8")), 0)
  } catch {
    return false
  }
}

/** Makes it in one worker, for which others wait. What former builds made is removed. */
const ensure = async (bundle: string, place: string): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  const lock = `${place}.lock`
  while (!existsSync(place)) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" })
    } catch {
      if (!ownerRuns(lock)) rmSync(lock, { force: true })
      await new Promise((next) => setTimeout(next, 40))
      continue
    }
    try {
      for (const name of readdirSync(folder).filter((it) => join(folder, it) !== lock)) {
        rmSync(join(folder, name), { recursive: true, force: true })
      }
      await make(bundle, place)
    } finally {
      rmSync(lock, { force: true })
    }
  }
}

const places = new Map<string, string>()

/**
 * Puts a database that is set up and migrated, and holds nothing, into an empty data folder: half of the work of a first
 * start. It is made once for each build of the program.
 */
export const prepareDatabase = async (bundle: string, dataDir: string): Promise<void> => {
  const place = places.get(bundle) ?? placeOf(bundle)
  places.set(bundle, place)
  await ensure(bundle, place)
  if (existsSync(join(place, "data"))) await copy(place, join(dataDir, "postgres"))
}
