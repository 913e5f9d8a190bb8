import { Duration, Effect, Schedule } from "effect"
import { randomUUID } from "node:crypto"
import { link, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { decodeOwner, encodeOwner, type FolderOwner, isRunning, thisProcess } from "./FolderOwner.ts"
import { folderUnusable, FolderUnusable } from "./FolderUnusable.ts"

/** How often an owner shows that it lives, to nodes on other machines (or in other containers) that see the folder. */
const beatEvery = Duration.seconds(5)
/** After so long without a sign an owner elsewhere counts as gone. */
const silence = Duration.seconds(20)
const lookEvery = Duration.millis(500)

interface Held {
  readonly text: string
  readonly owner: FolderOwner | undefined
  readonly age: number
}

const read = async (file: string): Promise<Held | undefined> => {
  try {
    const text = await readFile(file, "utf8")
    return { text, owner: decodeOwner(text), age: Date.now() - (await stat(file)).mtimeMs }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

/** Puts the lock in its place, whole, unless there is one. */
const place = async (file: string, text: string): Promise<boolean> => {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, text, { mode: 0o600 })
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * Removes the lock of an owner that is gone, unless another process has put its own there meanwhile. Of several that find it so, one
 * looks and removes at a time, under a lock beside it: else one that read the old lock late would remove a fresh one.
 */
const remove = async (file: string, held: Held): Promise<void> => {
  const claim = `${file}.takeover`
  if (!(await place(claim, encodeOwner(await thisProcess())))) {
    const other = await read(claim)
    // It is held for an instant: one that stays was left by a process that was killed in it.
    if (other !== undefined && other.age > Duration.toMillis(silence)) await rm(claim, { force: true })
    else await delay(20)
    return
  }
  try {
    if ((await read(file))?.text === held.text) await rm(file, { force: true })
  } finally {
    await rm(claim, { force: true })
  }
}

/** Shows that the owner lives. Where somebody removed the folder the next start finds no lock, which is right. */
const touch = async (file: string): Promise<void> => {
  const now = Date.now() / 1000
  await utimes(file, now, now).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error
  })
}

type Attempt = "held" | "elsewhere" | FolderOwner

/** One attempt: `held` by us, owned by a process of this machine, or by one `elsewhere` that may be gone soon. */
const attempt = async (file: string, me: FolderOwner): Promise<Attempt> => {
  const text = encodeOwner(me)
  for (;;) {
    if (await place(file, text)) return "held"
    const held = await read(file)
    if (held === undefined) continue
    if (held.owner !== undefined && held.owner.host === me.host) {
      // Our own id with another start is that of a former process, or of one we cannot distinguish from it.
      const isFormer = held.owner.pid === me.pid && (me.startedAt === null || held.text !== text)
      if (!isFormer && (await isRunning(held.owner))) return held.owner
    } else if (held.age < Duration.toMillis(silence)) return "elsewhere"
    await remove(file, held)
  }
}

const takenBy = (folder: string, who: string): FolderUnusable =>
  new FolderUnusable({
    message:
      `The folder ${folder} belongs to a Kinora that runs already (${who}). Stop that one first. A second node of the same ` +
      "instance needs a folder of its own (KINORA_DATA_DIR, or KINORA_STORAGE_TMP where nodes share their files)."
  })

/**
 * Holds a folder for this process alone until the scope closes. A lock whose owner is gone, killed without a word too, is
 * taken over; of an owner on another machine only its silence shows that it is gone, which takes a while.
 */
export const lockFolder = Effect.fn("lockFolder")(function* (folder: string) {
  const file = join(folder, "node.lock")
  const io = <A>(work: () => Promise<A>) =>
    Effect.tryPromise({ try: work, catch: (cause) => folderUnusable(folder, cause) })
  const me = yield* io(thisProcess)
  const take = Effect.gen(function* () {
    for (let waited = 0; ; waited += Duration.toMillis(lookEvery)) {
      const outcome = yield* io(() => attempt(file, me))
      if (outcome === "held") return
      if (outcome !== "elsewhere") return yield* takenBy(folder, `process ${outcome.pid}`)
      if (waited > 2 * Duration.toMillis(silence)) return yield* takenBy(folder, "on another machine")
      if (waited === 0) yield* Effect.logInfo(`Another node held ${folder}. Waiting to see whether it is gone.`)
      yield* Effect.sleep(lookEvery)
    }
  })
  const release = Effect.promise(async () => {
    if ((await read(file))?.text === encodeOwner(me)) await rm(file, { force: true })
  })
  yield* Effect.acquireRelease(take, () => release)
  yield* Effect.forkScoped(
    Effect.repeat(
      io(() => touch(file)),
      Schedule.spaced(beatEvery)
    )
  )
})
