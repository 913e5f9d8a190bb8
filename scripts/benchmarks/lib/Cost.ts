import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const ticksPerSecond = 100

const statOf = (pid: number): ReadonlyArray<string> => {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8")
  return text.slice(text.lastIndexOf(")") + 2).split(" ")
}

/** Seconds of a core that a process has used, all its threads together (utime and stime of /proc, Linux only). */
const used = (pid: number, ofEnded: boolean): number => {
  try {
    const stat = statOf(pid)
    const fields = ofEnded ? stat.slice(11, 15) : stat.slice(11, 13)
    return fields.reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
  } catch {
    // It ended meanwhile; its parent's count has it.
    return 0
  }
}

/** Process ids of the embedded database server of a data directory: the postmaster and those it has started. */
export const databasePids = (dataDir: string): ReadonlyArray<number> => {
  const postmaster = Number(readFileSync(join(dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[0])
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return Number(statOf(pid)[1]) === postmaster
      } catch {
        return false
      }
    })
  return [postmaster, ...children]
}

/** Seconds of a core that processes, and a database with all that it has ended, have used since they were started. */
export const costOfAll = (dataDir: string, pids: ReadonlyArray<number>) => ({
  node: pids.map((pid) => used(pid, false)).reduce((sum, seconds) => sum + seconds, 0),
  database: databasePids(dataDir)
    .map((one, i) => used(one, i === 0))
    .reduce((sum, seconds) => sum + seconds, 0)
})

/** Seconds of a core that the node, and its database with all that it has ended, have used since they were started. */
export const costOf = ({ dataDir, pid }: { readonly dataDir: string; readonly pid: number }) =>
  costOfAll(dataDir, [pid])
