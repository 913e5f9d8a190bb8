import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Microseconds in which a process gets its share: short, so that what waits for the next one waits for little. */
const period = 20_000
/** How much more often than one process of others it has its turn: what is measured shall not wait for them. */
const times = 20

/** Version 1 and 2 of control groups: where they are, and how they are told. */
const versions = [
  {
    root: "/sys/fs/cgroup/cpu",
    settings: (micros: number) => [
      ["cpu.shares", String(1024 * times)],
      ["cpu.cfs_period_us", String(period)],
      ["cpu.cfs_quota_us", micros === 0 ? "-1" : String(micros)]
    ]
  },
  {
    root: "/sys/fs/cgroup",
    settings: (micros: number) => [
      ["cpu.weight", String(100 * times)],
      ["cpu.max", `${micros === 0 ? "max" : micros} ${period}`]
    ]
  }
] as const

/** Processes that together get no more than a share of one core. */
export interface CpuShare {
  /** Those that a process starts afterwards are in it too. */
  readonly add: (pid: number) => void
  /** Of one core; 0: no limit. */
  readonly limit: (share: number) => void
  /** Lets go of whoever is still in it. */
  readonly remove: () => void
}

/** A control group of Linux that limits processor time: needs root, and version 1 or 2 of them. */
export const cpuShare = (name: string): CpuShare => {
  const version = versions.find(({ root }) => existsSync(join(root, "cgroup.procs")))
  if (version === undefined) throw new Error("No control groups for processor time: neither version 1 nor 2 is mounted")
  const folder = join(version.root, `kinora-bench-${process.pid}-${name}`)
  mkdirSync(folder)
  const limit = (share: number) => {
    for (const [file, text] of version.settings(Math.round(share * period))) writeFileSync(join(folder, file), text)
  }
  limit(0)
  return {
    add: (pid) => writeFileSync(join(folder, "cgroup.procs"), String(pid)),
    limit,
    remove: () => {
      const left = readFileSync(join(folder, "cgroup.procs"), "utf8").split("\n")
      for (const pid of left.filter((it) => it !== "")) writeFileSync(join(version.root, "cgroup.procs"), pid)
      rmdirSync(folder)
    }
  }
}
